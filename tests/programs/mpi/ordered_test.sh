#!/bin/bash
# "An operation that does not commute is applied in the order of ranks, in every reduction." SimGrid's MPI_Scan,
# MPI_Exscan and nonblocking reductions have another order.
. "$(dirname "$0")/../../lib.sh"
build ordered
for ranks in 1 2 5; do passes smp $ranks ordered; done
passes t3d 8 ordered
finish
