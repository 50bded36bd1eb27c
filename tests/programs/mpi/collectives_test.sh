#!/bin/bash
# "Collective calls of all sizes are right with every number of ranks."
. "$(dirname "$0")/../../lib.sh"
build collectives
sampled "1, 3 and 6 ranks, 4 on smp"
for ranks in 1 3 6 $(thorough && echo 2 5 8); do passes rdma $ranks collectives; done
passes smp $(thorough && echo 7 || echo 4) collectives
finish
