#!/bin/bash
# "Random correct programs without a verdict; with one synchronisation removed, flagged whenever an independent naive
# judge finds a conflict": a sample of compiled ones, with exactly the pairs of lines of the naive judge. Which:
# RANDOM_FIRST (default 220: wild program 221 loads what it has just stored), RANDOM_COUNT (default 12, of which the
# short run takes 4).
. "$(dirname "$0")/../lib.sh"
cc -O1 -I"$tests/unit" "$here/random_programs.c" "$tests"/unit/check/random/*.c -o "$work/write" ||
    { wrong "the generator is compiled"; finish; }
first=${RANDOM_FIRST:-220}
count=${RANDOM_COUNT:-$(thorough && echo 12 || echo 4)}
sampled "$count programs of each kind from $first on"

# pairs MACHINE KIND: the lines blamed.
pairs() {
    rm -f "$work/json"
    timeout 600 "$sidewinder" run -m "$1" -n 4 -q --check --json "$work/json" "$work/$2" || echo "the run ends with $?"
    awk -f "$here/pairs.awk" "$work/json" | grep error | sort
}

for kind in correct removed wild; do
    "$work/write" $kind "$first" "$count" "$work/expected" >"$work/$kind.c"
    "$sidewinder" cc -O1 -g "$work/$kind.c" -o "$work/$kind" || { wrong "$kind: compiled"; continue; }
    sort "$work/expected" >"$work/want"
    for machine in t3d smp rdma; do
        pairs $machine $kind >"$work/got"
        says "$machine, $kind from $first: the naive judge's pairs" diff "$work/want" "$work/got"
    done
done
finish
