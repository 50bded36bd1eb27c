#!/bin/bash
# "Stores that wait in a store buffer for a line on its way to their processor are all written when it is there": two
# processors that count in words of one line take what they take however the run begins, and whatever the quantum.
. "$(dirname "$0")/../../lib.sh"
build side_by_side

for skew in 0 1 2 3 5 8; do
    run_options=(--quantum 0)
    run smp 2 side_by_side "$skew"
    exact=$(cat "$work/out")
    run_options=()
    run smp 2 side_by_side "$skew"
    took=$(cat "$work/out")
    first=${first:-$exact}
    says "smp: rank 1 begins $skew rounds later: a count takes $exact ns without a quantum, and $took" \
        holds "${exact:-0} > 0.8 * $first && ${exact:-0} < 1.25 * $first &&
            ${took:-0} > 0.8 * $exact && ${took:-0} < 1.25 * $exact"
done
finish
