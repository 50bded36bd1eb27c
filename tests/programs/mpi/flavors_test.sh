#!/bin/bash
# Random race-free programs with windows of all flavours, over each other's memory too, synchronised in every way, with
# random datatypes: they load and get what the standard says.
. "$(dirname "$0")/../../lib.sh"
build ../../soak/windows -Wextra
seed=1 machines="t3d smp rdma"
thorough && machines=$("$sidewinder" machines | awk '/^[a-z]/ {print $1}')
sampled "$machines"
for machine in $machines; do
    passes "$machine" $((2 + seed % 5)) windows $seed 5
    passes "$machine" 4 windows $((seed + 100)) 5
    seed=$((seed + 1))
done
for seed in 9 $(thorough && echo 18 27); do passes t3d 3 windows $seed 4 large; done
run_options=(--set move.eager_bytes=64B)
passes now 4 windows 31 4
run_options=(--set cpu.subword=rmw8)
passes rdma 4 windows 32 4
run_options=(--check --report "$work/report")
for seed in 41 $(thorough && echo 42 43); do
    run t3d 4 windows $seed 4
    says "the check finds no error in program $seed" grep -q "No error in this execution" "$work/report"
done
# Numbers of processes have few digits in a namespace of their own.
few="unshare --user --map-root-user --pid --fork --mount-proc"
if $few true 2>/dev/null; then
    "$sidewinder" run -q -m t3d -n 4 --json "$work/many.json" "$work/windows" 1 3 >/dev/null 2>&1
    $few "$sidewinder" run -q -m t3d -n 4 --json "$work/few.json" "$work/windows" 1 3 >/dev/null 2>&1
    says "a run is the same to the bit whatever number the simulator's process has" \
        cmp "$work/many.json" "$work/few.json"
fi
finish
