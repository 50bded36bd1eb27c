#!/bin/bash
# A rank has its own random numbers, options, static answers, clock and heap, and none of them depends on the host.
. "$(dirname "$0")/../lib.sh"
sampled "3 ranks of t3d at -O0, 2 of smp at -O2"
build own -O0
if thorough; then for machine in t3d smp; do passes $machine 3 own; done; else passes t3d 3 own; fi
ulimit -S -n 100 # files that may be open: each rank has some of its own
build own -O2
if thorough; then passes smp 3 own; else passes smp 2 own; fi
passes t3d 3 own
first=$(value offsets)
mkdir -p "$work/a/folder with a name that is a good deal longer than the other one"
cp "$work/own" "$work/a/folder with a name that is a good deal longer than the other one/own"
run_options=(--set quantum=2us)
MORE_ENVIRONMENT=$(printf 'x%.0s' {1..5000}) run t3d 2 \
    "a/folder with a name that is a good deal longer than the other one/own"
same_place() { says "$1: blocks lie where they did, with another path, environment, quantum and number of ranks" \
    test -n "$first" -a "$(value offsets)" = "$first"; }
same_place t3d
if thorough; then
    MORE_ENVIRONMENT=$(printf 'x%.0s' {1..5000}) run smp 2 \
        "a/folder with a name that is a good deal longer than the other one/own"
    same_place smp
fi
run_options=()
for machine in t3d $(thorough && echo smp); do
    run $machine 3 own 5
    says "$machine: exit in one rank is the run's exit code" test "$status" = 5
done
finish
