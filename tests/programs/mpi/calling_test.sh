#!/bin/bash
# "The routine may not call any MPI communication function" (MPI-3.1, 5.9.5): others it may (calling.c).
. "$(dirname "$0")/../../lib.sh"
build calling
sampled "three machines, not all"
for machine in $(if thorough; then "$sidewinder" machines | awk '/^[a-z]/ {print $1}'; else echo t3d smp rdma; fi); do
    passes $machine 4 calling
done
finish
