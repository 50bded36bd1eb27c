#!/bin/bash
# Put, get and accumulate move the right bytes and no others: every operation, every type, on either side.
. "$(dirname "$0")/../../lib.sh"
build accumulate
build datatypes
build order
hide="^ok: MPI_"      # too many to show one by one
machines="t3d smp now"
thorough && machines="$machines cxl-pool rdma"
sampled "accumulate and datatypes on $machines"
for machine in $machines; do
    passes "$machine" 3 accumulate
    says "accumulate on $machine tried every operation on every type" holds "$(value tried) >= 150"
    passes "$machine" 2 datatypes
done
run_options=(--set ni.invalidate=index)
passes t3d 3 accumulate
run_options=()
for machine in t3d now $(thorough && echo smp clump rdma); do passes "$machine" 2 order; done
for sets in serve.policy=interrupt serve.when=completion move.eager_bytes=16B; do
    run_options=(--set "$sets")
    passes now 2 order
done
finish
