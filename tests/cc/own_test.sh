#!/bin/bash
# A rank has its own random numbers, options, static answers, clock and heap, and none of them depends on the host.
. "$(dirname "$0")/../lib.sh"
for level in -O0 -O2; do
    build own $level
    for machine in t3d smp; do passes $machine 3 own; done
done
first=$(value offsets)
mkdir -p "$work/a/folder with a name that is a good deal longer than the other one"
cp "$work/own" "$work/a/folder with a name that is a good deal longer than the other one/own"
run_options=(--set quantum=2us)
MORE_ENVIRONMENT=$(printf 'x%.0s' {1..5000}) run smp 2 \
    "a/folder with a name that is a good deal longer than the other one/own"
says "blocks lie at the same place in their pages with another path, environment, quantum and number of ranks" \
    test -n "$first" -a "$(value offsets)" = "$first"
run_options=()
run smp 3 own 5
says "exit in one rank is the run's exit code" test "$status" = 5
finish
