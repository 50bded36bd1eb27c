#!/bin/bash
# Dynamic windows on every kind of machine and under every servicing policy.
. "$(dirname "$0")/../../lib.sh"
build dynamic
build dynamic_stale
for machine in t3d smp now clump rdma cxl-pool; do passes "$machine" 4 dynamic; done
for policy in polling interrupt thread; do
    run_options=(--set "serve.policy=$policy")
    passes now 2 dynamic
done
run_options=(--quantum 0)
for machine in t3d smp now; do passes "$machine" 2 dynamic; done
run_options=()

# What attaching and detaching costs the host does not depend on how much is attached already.
build dynamic_many
TIMEFORMAT=%U
{ time passes smp 2 dynamic_many 2000; } 2>"$work/time"
few=$(tail -n 1 "$work/time")
{ time passes smp 2 dynamic_many 8000; } 2>"$work/time"
many=$(tail -n 1 "$work/time")
says "four times the pieces attached and detached take the host less than 9 times as long ($few s, $many s)" \
    holds "$many < 9 * $few"

# Attached memory has two copies, like any window's.
run t3d 2 dynamic_stale
says "after a barrier alone a load of attached memory reads the old value" grep -qx "barrier: 1" "$work/out"
says "and is reported, with the window's name" grep -q '"regions"' "$work/json"
says "a lock of the window brings the new one" grep -qx "locked: 2" "$work/out"
run smp 2 dynamic_stale
says "on a coherent machine the barrier is enough" grep -qx "barrier: 2" "$work/out"
finish
