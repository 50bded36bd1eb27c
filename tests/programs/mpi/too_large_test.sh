#!/bin/bash
# Sizes that are larger than anything: errors, or nothing, never a crash.
. "$(dirname "$0")/../../lib.sh"
build too_large
for machine in t3d smp; do
    for how in made attached; do
        run "$machine" 2 too_large $how
        says "$machine: a window $how over more than the program's memory is MPI_ERR_SIZE" [ \
            "$(sort -u "$work/out")" = 1 ]
    done
done
run_options=(--set move.eager_bytes=4GiB)
run now 2 too_large
says "messages of any size may be eager" [ "$status" = 0 ]
run_options=(--set cache.l1.size=64GiB)
for machine in t3d smp; do
    run "$machine" 2 too_large
    says "$machine: a cache of 64 GiB takes what is touched of it" [ "$status" = 0 ]
done
run_options=(--set nodes=1048576)
run now 2 too_large
says "a switch of 1,048,576 nodes takes what the ranks need of it" [ "$status" = 0 ]
run t3d 2 too_large
says "a torus as large is refused" grep -q "a torus of 1048576 nodes is too large to be simulated" "$work/err"
finish
