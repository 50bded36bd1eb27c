#!/bin/bash
# MPI_Win_lock_all locks everybody, and costs what its operations need.
. "$(dirname "$0")/../../lib.sh"
build lock_all
for machine in t3d smp now clump rdma cxl-pool; do passes "$machine" 8 lock_all; done
run_options=(--set serve.when=completion)
passes now 8 lock_all
run_options=()
passes t3d 4 lock_all
few=$(value epoch)
passes t3d 250 lock_all
says "an epoch of MPI_Win_lock_all with one put costs no more among 250 ranks than among 4, distance aside" holds \
    "$(value epoch) < 2 * $few"
finish
