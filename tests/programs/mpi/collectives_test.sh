#!/bin/bash
# "Collective calls of all sizes are right with every number of ranks."
. "$(dirname "$0")/../../lib.sh"
build collectives
for ranks in 1 2 3 5 6 8; do passes rdma $ranks collectives; done
passes smp 7 collectives
finish
