#!/bin/bash
# "A persistent communication request ... can be repeatedly used to initiate and complete messages" (MPI-3.1, 3.9), of
# which several may wait to be received (again.c).
. "$(dirname "$0")/../../lib.sh"
build again
sampled "two machines, not all"
for machine in $(if thorough; then "$sidewinder" machines | awk '/^[a-z]/ {print $1}'; else echo t3d rdma; fi); do
    passes $machine 4 again
done
finish
