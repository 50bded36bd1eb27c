#!/bin/bash
# Put, get and accumulate move the right bytes and no others: every operation, every type, on either side.
. "$(dirname "$0")/lib.sh"
build accumulate
build datatypes
hide="^ok: MPI_"      # too many to show one by one
for machine in t3d smp now cxl-pool rdma; do
    passes "$machine" 3 accumulate
    says "accumulate on $machine tried every operation on every type" holds "$(value tried) >= 150"
    passes "$machine" 2 datatypes
done
run_options=(--set ni.invalidate=index)
passes t3d 3 accumulate
finish
