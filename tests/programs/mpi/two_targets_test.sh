#!/bin/bash
# Many origins with everything that there is at two targets: each byte arrives, and no resource carries more than it can
# (SIDEWINDER_AUDIT).
. "$(dirname "$0")/../../lib.sh"
build two_targets
for on in "t3d 16" "smp 17" "now 16" "clump 16" "cxl-pool 16" "rdma 65"; do
    read -r machine ranks <<<"$on"
    run_options=()
    [ "$machine" != rdma ] || run_options=(--set nodes=65)
    run "$machine" "$ranks" two_targets
    says "$machine: of $ranks ranks with two targets each value is right, and the audit has nothing to say" \
        eval 'test "$status" = 0 && grep -q ": 0 wrong" "$work/out" && ! grep -q "audit:" "$work/err"'
done
# A word's atomic unit does one at a time: every rank adds twice to the first word of each target, four times.
atomic_s=0.00000025
says "rdma: the sums of one word take at least what its atomic unit takes for them" \
    holds "$(json time_s) > 65 * 4 * 2 * $atomic_s"
finish
