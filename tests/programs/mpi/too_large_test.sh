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
finish
