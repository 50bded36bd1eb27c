#!/bin/bash
# One message takes the closed form of the machine's parameters, within 0.1 %: interface + link latency + bytes /
# bandwidth. Small messages are Sidewinder's closed form over SimGrid's routes, large ones SimGrid's flows.
. "$(dirname "$0")/../../lib.sh"
"$sidewinder" cc -O2 -o "$work/one_message" "$here/one_message.c" || exit 1

# takes MACHINE BYTES SECONDS OPTION...: arrived - departed; the last byte of a small message departs bytes/bandwidth
# after the first
takes() {
    local machine=$1 bytes=$2 seconds=$3
    shift 3
    "$sidewinder" run -q -m "$machine" -n 2 "$@" --trace "$work/trace.csv" "$work/one_message" "$bytes"
    local took
    took=$(awk -F, -v b="$bytes" '$1 ~ /^(put|get)$/ && $4 == b {printf "%.12g", $10 - $9}' "$work/trace.csv")
    says "$machine: a message of $bytes bytes takes $seconds s (obtained $took)" \
        holds "$took > 0.999 * $seconds && $took < 1.001 * $seconds"
}
# t3d: ni.latency 210 ns, one hop of 2.5 cycles of 150 MHz, 150 MB/s
takes t3d 8 "(210e-9 + 2.5 / 150e6)"
takes t3d 32768 "(210e-9 + 2.5 / 150e6)"
takes t3d 1048576 "(210e-9 + 2.5 / 150e6 + 1048576 / 150e6)"
takes t3d 1048576 "(210e-9 + 1e-6 + 1048576 / 75e6)" --set net.latency=1us --set net.bandwidth=75MBps
takes t3d 64 "(210e-9 + 2.5 / 150e6 + 64 / 150e6)" --set net.flow_bytes=1
# now: LogGP's L 5 us, 38 MB/s
takes now 8 5e-6
takes now 1048576 "(5e-6 + 1048576 / 38e6)" --set move.eager_bytes=2MiB
finish
