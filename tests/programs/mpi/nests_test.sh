#!/bin/bash
# Out of order, executions of a short inner loop overlap: how much follows from its rounds, which are known where it is
# left.
. "$(dirname "$0")/../../lib.sh"
optimize=-O2
build nests

# near WAY ROUNDS SHARE: cycles of an element on rdma, by the closed form of sim/cpu/overlap.c for a chain of C cycles,
# N operations a round and 352 in the window, within that share.
near() {
    run rdma 1 nests "$1" "$2"
    holds "$(value time) * 2.5e9 / 96000 > (1 - $3) * 4 * 4 * $2 / (4 * $2 + 352) &&
           $(value time) * 2.5e9 / 96000 < (1 + $3) * 4 * 4 * $2 / (4 * $2 + 352) + 3 / $2"
}
for way in up down pointer third; do
    says "on rdma 40 rounds overlap as the window lets them ($way)" near $way 40 0.05
    says "600 rounds of a chain of 4 cycles hardly do ($way)" near $way 600 0.05
done
run rdma 1 nests narrow 40
says "rounds of a count of 32 bits are known" holds "$(value time) * 2.5e9 / 96000 < 2"
run rdma 1 nests up 8
says "a round takes at least what issue lets it: 4 operations, one taken branch a cycle" \
    holds "$(value time) * 2.5e9 / 96000 > 1"
run rdma 1 nests sentinel 8
says "so do rounds that nobody counts, where the end is foreseen" \
    holds "$(value time) * 2.5e9 / 96000 < 2 && $(value time) * 2.5e9 / 96000 > 1"
run_options=(--set cpu.predictor=static)
run rdma 1 nests sentinel 8
says "and not where it is not: the next row begins when it is known" \
    holds "$(value time) * 2.5e9 / 96000 > 4"
run_options=()
run rdma 1 nests apart 80
says "the second of two loops begins in the window of the first: of 2 x 4 R cycles 4 x 88 R / (R + 88) less" \
    holds "$(value time) * 2.5e9 / 96000 > 2.9 && $(value time) * 2.5e9 / 96000 < 3.3"
run rdma 1 nests joined 80
says "and not if it goes on with what the first gives" holds "$(value time) * 2.5e9 / 96000 > 3.9"
for rounds in 8 600; do
    run rdma 1 nests through $rounds
    says "one chain through all rows of $rounds waits for itself" \
        holds "$(value time) * 2.5e9 / 96000 > 3.99 && $(value time) * 2.5e9 / 96000 < 4.1"
done
run t3d 1 nests up 40
says "in order nothing of it overlaps" \
    eval 'up=$(value time); run t3d 1 nests through 40; holds "$up > 0.98 * $(value time)"'

for way in up window sentinel apart; do
    for quantum in 0 1us 1s; do
        run_options=(--quantum "$quantum")
        run rdma 1 nests $way 40
        cp "$work/out" "$work/$quantum"
    done
    says "times are the same with a quantum of 0, 1us and 1s ($way)" \
        eval 'cmp "$work/0" "$work/1us" && cmp "$work/0" "$work/1s"'
done
run_options=()
run rdma 4 nests window 40
cp "$work/json" "$work/first.json"
run rdma 4 nests window 40
says "two runs of four ranks write the same JSON" cmp "$work/json" "$work/first.json"
finish
