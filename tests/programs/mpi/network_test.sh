#!/bin/bash
# From when its last byte has left until it is there a message takes the closed form of the machine's parameters, within
# 0.1 %, however long it is: interface and links. The bytes' own time on the wire lies before (unit suite net).
. "$(dirname "$0")/../../lib.sh"
"$sidewinder" cc -O2 -o "$work/one_message" "$here/one_message.c" || exit 1

# takes MACHINE BYTES SECONDS OPTION...: arrived - departed
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
takes t3d 1048576 "(210e-9 + 2.5 / 150e6)"
takes t3d 1048576 "(210e-9 + 1e-6)" --set net.latency=1us --set net.bandwidth=75MBps
takes t3d 64 "(210e-9 + 2.5 / 150e6)" --set net.flow_bytes=1
# now: LogGP's L 5 us
takes now 8 5e-6
takes now 1048576 5e-6 --set move.eager_bytes=2MiB

# Ordinary messages, within 2 % and 20 ns: the processor also looks at its buffers, in its cache. What the call itself
# takes is left out.
"$sidewinder" cc -O2 -o "$work/two_sided" "$here/two_sided.c" || exit 1
near() { holds "$1 > 0.98 * $2 - 20e-9 && $1 < 1.02 * $2 + 20e-9"; }
# each of a row, one way of a pair
two_sided() { "$sidewinder" run -q -m "$1" -n 2 --set mpi.call=0s "$work/two_sided" "$2" 50; }

{ read -r each; read -r way; } <<<"$(two_sided rdma 8)"
says "rdma: an ordinary message takes overheads, ni.latency and net.latency (obtained $way)" \
    near "$way" "(200e-9 + 500e-9 + 400e-9 + 200e-9)"
says "rdma: one behind the other, each takes an overhead (obtained $each)" near "$each" 200e-9
{ read -r each; read -r way; } <<<"$(two_sided smp 4096)"
says "smp: messages within the node are copied one behind the other, at 59.3 MB/s (obtained $each)" \
    near "$each" "(4096 / 59.3e6)"

build replace
for machine in t3d smp now rdma; do
    passes $machine 4 replace 4096
    says "$machine: MPI_Sendrecv_replace takes no more than MPI_Sendrecv does, within 4 % ($(value replace) s)" \
        holds "$(value replace) < 1.04 * $(value sendrecv) && $(value replace) > 0.8 * $(value sendrecv)"
done
finish
