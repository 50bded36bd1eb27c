#!/bin/bash
# Third-party communication through agents: clients put and get through them and verify, on every kind of machine and
# under every servicing policy; the agents end on a control message.
. "$(dirname "$0")/../../lib.sh"
if ! make -s -C "$apps" CC="$sidewinder cc" FC="$sidewinder f77" BUILD="$work" agents >"$work/make.log" 2>&1; then
    cat "$work/make.log"
    wrong "make CC=\"sidewinder cc\" FC=\"sidewinder f77\" agents"
    finish
fi
right() {      # MACHINE RANKS PROGRAM ARGUMENT...: it ends well, and says so itself; nobody broke a rule
    run "$@"
    if [ "$status" -ne 0 ] || ! grep -q 'ok$' "$work/out" || grep -q WRONG "$work/out" ||
        grep -q '"rule"' "$work/json"; then
        sed 's/^/    /' "$work/out" "$work/err"
        wrong "$3 ${*:4} on $1 with $2 ranks ${run_options[*]} (exit code $status)"
    else
        ok "$3 ${*:4} on $1 with $2 ranks ${run_options[*]}: $(grep 'ok$' "$work/out")"
    fi
}
everything() {
    for agent in agent_probe agent_avail agent_avail_f; do
        if thorough || [ ${#run_options[@]} = 0 ]; then right "$1" 2 "$agent" 3 0 1; fi
        right "$1" 5 "$agent" 6 3 20
    done
    right "$1" 4 agent_buffers 7
}
sampled "t3d, smp and now; where a key is set, not two ranks"
for machine in t3d smp now $(thorough && echo clump rdma cxl-pool); do everything "$machine"; done
for policy in interrupt thread; do
    run_options=(--set "serve.policy=$policy")
    everything now
done
run_options=(--set serve.when=completion)
for machine in smp $(thorough && echo t3d now); do everything "$machine"; done
finish
