#!/bin/bash
# STREAM by one processor of rdma and by all 64 of a node, against what `sidewinder machines` alone makes of it. One
# processor's lines on their way from memory are dram.outstanding at once: so many in a memory time. All together have
# the node's bus: of a copy a line in, a line owned, a line back, of which STREAM counts two. Small caches, so that
# small arrays do not fit.
. "$(dirname "$0")/../../lib.sh"
"$sidewinder" cc -O2 -o "$work/stream" "$apps/stream.c" -lm 2>"$work/log" || wrong "stream.c is compiled"
small=(--set cache.l1.size=8KiB --set cache.l2.size=16KiB --set cache.l3.size=256KiB)

# One value of the machine, in seconds or bytes.
key() {
    "$sidewinder" machines rdma --text | awk -v key="$1" '$1 == key {
        print $2 * ($2 ~ /KiB$/ ? 1024 : $2 ~ /ns$/ ? 1e-9 : 1); exit}'
}
# stream RANKS DOUBLES KERNEL: MB/s of all together
stream() {
    "$sidewinder" run -q -m rdma --set ranks_per_node=64 "${small[@]}" -n "$1" "$work/stream" "$2" 2 >"$work/$1.out"
    awk -v kernel="$3" '$1 == kernel {print $3}' "$work/$1.out"
}
near() {   # near SENTENCE MEASURED EXPECTED: within 5 %
    says "$1: $2 MB/s, ${3%.*} by the machine's numbers" holds "$2 > 0.95 * $3 && $2 < 1.05 * $3"
}
line=$(key cache.l3.line)
one=$(awk -v n="$(key dram.outstanding)" -v b="$line" -v t="$(key dram.same_page_cycles)" \
    'BEGIN {print n * b / t / 1e6}')
all=$(awk -v b="$line" -v t="$(key bus.slot)" 'BEGIN {print b / t / 1e6}')
copy=$(stream 1 60000 copy)
near "one processor copies as its lines in flight allow" "$copy" "$one"
says "that is within 1.5 of 10 GB/s" holds "$copy > 10000 / 1.5 && $copy < 10000 * 1.5"
near "64 processors copy as fast as their memory allows" "$(stream 64 3000 copy)" "$(awk "BEGIN {print $all * 2 / 3}")"
near "and so they add" "$(stream 64 3000 add)" "$(awk "BEGIN {print $all * 3 / 4}")"
finish
