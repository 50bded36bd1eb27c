#!/bin/bash
# An MPI_Testall that says no changes nothing that the program sees.
. "$(dirname "$0")/../../lib.sh"
build testall
for machine in smp t3d now rdma; do passes "$machine" 2 testall; done
run_options=(--check)
passes smp 2 testall
finish
