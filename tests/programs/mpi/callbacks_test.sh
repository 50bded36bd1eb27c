#!/bin/bash
# What functions compute that MPI calls back takes their rank's time, and is not the call's.
. "$(dirname "$0")/../../lib.sh"
build callbacks
for machine in t3d smp now rdma; do passes "$machine" 3 callbacks; done
says "what they compute is not what the call that called them back computes" eval \
    'holds "$("$sidewinder" run -m rdma -n 2 --report - "$work/callbacks" 2>/dev/null |
        sed -n "s/.*MPI_Send at.* \([0-9.]*\) %.*/\1/p" | head -n 1 | grep . || echo 0) < 5"'
finish
