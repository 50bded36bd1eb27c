#!/bin/bash
# A round of a histogram that adds to the bin of the round before waits for what that has stored.
. "$(dirname "$0")/../../lib.sh"
optimize=-O2
build bins
cycles() { holds "$(value time) * $1 > $2 && $(value time) * $1 < $3"; }
run rdma 1 bins one
says "on rdma an addition to the same bin takes cpu.forward, 5 cycles, and the addition" cycles 2.5e9 5.9 6.3
says "and the count is right" test "$(value count)" = 65536
run rdma 1 bins many
says "additions to other bins overlap" cycles 2.5e9 0.9 2
run rdma 1 bins runs
says "runs of additions to one bin each overlap in the window" cycles 2.5e9 0.9 2.5
run rdma 1 bins pairs
says "a bin that comes again within the window waits for what it had" cycles 2.5e9 2.9 4
run_options=(--set cpu.window=16)
run rdma 1 bins runs
says "in a small window they hardly overlap" cycles 2.5e9 3.5 5.6
run_options=(--set cpu.forward=11)
run rdma 1 bins one
says "it follows cpu.forward" cycles 2.5e9 11.9 12.4
run_options=()
run t3d 1 bins one
one=$(value time)
run t3d 1 bins two
says "in order a load that hits takes what it takes" holds "$one > 0.99 * $(value time) && $one < 1.01 * $(value time)"
for quantum in 0 1us 1s; do
    run_options=(--quantum "$quantum")
    run rdma 1 bins one
    cp "$work/out" "$work/$quantum"
    run rdma 1 bins runs
    cat "$work/out" >>"$work/$quantum"
done
says "times are the same with a quantum of 0, 1us and 1s" eval 'cmp "$work/0" "$work/1us" && cmp "$work/0" "$work/1s"'
finish
