#!/bin/bash
# Random programs with one allowed outcome end right. Seed 6 on rdma has ranks that accumulate to their own windows while others' accumulates
# arrive at the interface: neither may be lost. ./bootstrap soak runs many more.
. "$(dirname "$0")/lib.sh"
"$sidewinder" cc -O2 -g -o "$work/random" "$here/../soak/random.c" || exit 1
for machine in t3d smp now clump rdma cxl-pool; do
    for how in fence pscw lock; do
        run "$machine" 8 random 6 4 "$how"
        says "$machine: every value of a random program is right, synchronised by $how" test "$status" = 0
    done
done
finish
