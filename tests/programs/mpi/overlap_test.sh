#!/bin/bash
# Misses that do not depend on each other overlap, those that do are waited for one by one.
. "$(dirname "$0")/../../lib.sh"
optimize=-O2
build overlap
small=(--set cache.l2.size=64KiB --set cache.l3.size=128KiB --set cache.l3.ways=16)
run_options=("${small[@]}")
run rdma 1 overlap
says "on rdma a chase in a loop takes a memory latency a step" \
    holds "$(value loop) > 80 && $(value loop) < 120"
for way in callee recursion; do
    says "and through a $way as much: an argument's load waits for the youngest" \
        holds "$(value $way) > 0.9 * $(value loop) && $(value $way) < 1.3 * $(value loop)"
done
says "of two chases interleaved neither waits for the other" \
    holds "$(value interleaved) < 1.25 * $(value loop) && $(value interleaved) > 0.9 * $(value loop)"
says "loads whose addresses were known before overlap, twelve at a time" \
    holds "$(value gather) < $(value loop) / 6 && $(value gather) > $(value loop) / 13"
says "so do stores that miss" holds "$(value scatter) < $(value loop) / 4"
for quantum in 0 1us 1s; do
    run_options=("${small[@]}" --quantum "$quantum")
    run rdma 1 overlap
    cp "$work/out" "$work/$quantum"
done
says "and a payment in between changes nothing" eval 'cmp "$work/0" "$work/1us" && cmp "$work/0" "$work/1s"'
run_options=("${small[@]}" --set core.model=blocking)
run rdma 1 overlap
says "a processor that waits for each access gains nothing" \
    holds "$(value gather) > 0.7 * $(value loop) && $(value scatter) > 0.7 * $(value loop)"
run_options=()
run t3d 1 overlap
says "t3d has one load in flight" holds "$(value gather) > 0.7 * $(value loop)"
finish
