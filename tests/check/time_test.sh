#!/bin/bash
# A run takes the same time where its accesses are checked: observation changes no prediction.
. "$(dirname "$0")/../lib.sh"
"$sidewinder" cc -O2 -g -o "$work/halo" "$here/../../apps/halo.c" -lm || wrong "halo is compiled"
time_of() {
    "$sidewinder" run "$@" --json "$work/json" -q "$work/halo" >"$work/none" 2>&1 && grep -m1 '"time_s"' "$work/json"
}
for where in "t3d -n 2" "smp -n 2" "smp -n 24" "rdma -n 2"; do
    plain=$(time_of -m $where)
    says "$where: the run takes the same time, to the last digit, with --check" eval \
        '[ -n "$plain" ] && [ "$plain" = "$(time_of -m $where --check)" ]'
done
finish
