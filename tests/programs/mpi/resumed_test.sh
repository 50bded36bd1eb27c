#!/bin/bash
# "What a rank does after a call is dated after it, whatever the call waited for."
. "$(dirname "$0")/../../lib.sh"
build resumed
for machine in t3d smp now clump rdma cxl-pool; do
    passes $machine 2 resumed waits
    says "$machine: 2,560 private loads do not wait for what came while the rank waited for messages" \
        holds "$(json 'rank[0].memory_s') < 2560 * 1.5e-6"
    for quantum in 0 1us 1s; do
        run_options=(--quantum $quantum)
        passes $machine 1 resumed self
        json 'rank[0].time_s' >"$work/$quantum.time"
    done
    run_options=()
    says "$machine: one rank that sends to itself takes the same time with every quantum" \
        eval 'cmp "$work/0.time" "$work/1us.time" && cmp "$work/0.time" "$work/1s.time"'
done
run t3d 2 resumed stale
says "t3d: after a message an old value is loaded" test "$(value seen)" = 0
says "at the time that the clock shows then" \
    holds "$(value now) - $(json 'stale[0].time_s') < 1e-6 && $(value now) - $(json 'stale[0].time_s') > -1e-7"
finish
