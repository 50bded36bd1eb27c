#!/bin/bash
# Random programs with one allowed outcome end right. Seed 6 on rdma has ranks that accumulate to their own windows
# while others' accumulates arrive at the interface: neither may be lost. ./bootstrap soak runs many more.
. "$(dirname "$0")/../../lib.sh"
# ways MACHINE NUMBER: its synchronisations; one in turn in the short run, but all of rdma
ways=(fence pscw lock)
ways() { if thorough || [ $1 = rdma ]; then echo "${ways[@]}"; else echo "${ways[$2 % 3]}"; fi; }
sampled "three machines of each kind, one synchronisation, one seed of get/put; keys on one or two machines each"
"$sidewinder" cc -O2 -g -fno-var-tracking -o "$work/random" "$tests/soak/random.c" || exit 1
at=0
for machine in t3d rdma cxl-pool $(thorough && echo smp now clump); do
    at=$((at + 1))
    for how in $(ways $machine $at); do
        run "$machine" 8 random 6 4 "$how"
        says "$machine: every value of a random program is right, synchronised by $how" test "$status" = 0
    done
done
"$sidewinder" cc -O2 -g -fno-var-tracking -o "$work/random_register" "$tests/soak/random_register.c" || exit 1
at=1
for machine in smp now clump $(thorough && echo t3d rdma cxl-pool); do
    at=$((at + 1))
    for how in $(ways $machine $at); do
        run "$machine" 6 random_register 3 4 "$how"
        says "$machine: registered datatypes and operations do what they must in a random program ($how)" \
            test "$status" = 0
    done
done
run_options=(--set register.required=yes)
for machine in rdma $(thorough && echo now t3d smp clump cxl-pool); do
    run "$machine" 5 random_register 4 4 fence required
    says "$machine: and with register.required" test "$status" = 0
done
run_options=(--set serve.when=completion)
run smp 4 random_register 25 6 lock
says "smp, delayed: what a rank accumulates to itself and what others do meanwhile are both there" test "$status" = 0
run_options=()

# SHMALLOC get/put: puts and gets of one process in its own order.
"$sidewinder" cc -O2 -g -fno-var-tracking -o "$work/getput" "$tests/soak/getput.c" || exit 1
getput() {
    for seed in 3 $(thorough && echo 11); do
        run "$1" $((2 + seed % 7)) getput $seed 4
        says "$1 ${run_options[*]}: every value of random get/put program $seed is right" test "$status" = 0
    done
}
for machine in t3d now rdma $(thorough && echo smp clump cxl-pool); do getput $machine; done
for policy in interrupt thread; do
    run_options=(--set serve.policy=$policy)
    getput now
done
run_options=(--set serve.when=completion)
for machine in smp $(thorough && echo t3d now); do getput $machine; done
run_options=(--set shmalloc.chunk=64)
for machine in t3d $(thorough && echo rdma smp); do getput $machine; done
finish
