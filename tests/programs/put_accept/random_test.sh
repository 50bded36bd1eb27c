#!/bin/bash
# Random programs that mix all calls of PUT/ACCEPT, with counts known in advance and one allowed outcome: they complete
# with the right values on every machine and under every servicing policy, and break no rule. 150 of each kind;
# the short run takes the first 5 of those of 2 to 4 ranks, on some machines; ./bootstrap soak many more.
. "$(dirname "$0")/../../lib.sh"
build put_accept_random
programs=150
thorough || programs=5
sampled "of each 150 programs the first $programs, with 2 to 4 ranks, not with 5; every third machine and policy"
right() {      # MACHINE RANKS FIRST-SEED
    run "$1" "$2" put_accept_random "$3" $programs
    says "$programs random programs from seed $3 on, $2 ranks of $1 ${run_options[*]}: right, and no rule broken" \
        eval '[ "$status" = 0 ] && [ -s "$work/json" ] && ! grep -q "\"rule\"" "$work/json" ||
        { sed "s/^/    /" "$work/out" "$work/err"; false; }'
}
seed=1
at=0
everywhere() {
    for machine in "$@"; do
        thorough || [ $((at++ % 3)) = 0 ] || continue
        right "$machine" $((2 + seed % 3)) $seed
        seed=$((seed + 150))
        ! thorough || right "$machine" 5 $seed
        seed=$((seed + 151))
    done
}
everywhere t3d smp challenge now now-ethernet clump rdma cxl-pool
for policy in ni polling interrupt thread; do
    run_options=(--set "serve.policy=$policy")
    everywhere t3d smp now
done
run_options=(--set serve.when=completion)
everywhere t3d smp now clump rdma cxl-pool
run_options=(--set serve.when=completion --set serve.policy=interrupt)
everywhere now
run_options=(--set move.eager_bytes=64B)
everywhere t3d smp now
finish
