#!/bin/bash
# A rank whose loop makes no call lets others go on.
. "$(dirname "$0")/../../lib.sh"
optimize=-O2
for level in -O0 -O2; do
    build loops $level
    for machine in t3d smp rdma "now interrupt"; do
        case $machine in *interrupt) run_options=(--set serve.policy=interrupt) ;; *) run_options=() ;; esac
        for how in ever callee; do
            run ${machine% *} 2 loops $how
            says "$machine, $level: others end the run beside a loop without an end ($how)" \
                test "$status $(value got)" = "3 5"
        done
        run ${machine% *} 2 loops register
        says "$machine, $level: operations beside a loop over registers do not wait for its end" \
            eval 'test "$(value got)" = 5 && holds "$(value operations) < $(value looped) / 10"'
        for how in volatile atomic; do
            run ${machine% *} 2 loops $how
            says "$machine, $level: a loop over memory of its own ends by another rank's signal ($how)" \
                eval 'test "$status $(value got)" = "0 5" && holds "$(value looped) < 0.1"'
        done
        [ "$machine" = t3d ] && continue # its interface changes memory, not the cache that rank 0 reads
        run ${machine% *} 2 loops spin
        says "$machine, $level: a loop over a window sees the put" \
            eval 'test "$status" = 0 && holds "$(value looped) < 1e-3"'
    done
done
finish
