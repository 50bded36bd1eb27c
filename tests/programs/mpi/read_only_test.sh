#!/bin/bash
# Read-only memory: a window over it can be read; what would write there is an error of the call, never a crash.
. "$(dirname "$0")/../../lib.sh"
build read_only
class() { run "$1" 2 read_only "$2"; test "$status $(value class) $(value alive)" = "0 $3 1"; }
for machine in t3d smp now rdma cxl-pool; do
    says "$machine: a window over read-only pages is read" class "$machine" window none
    says "$machine: a get into them is MPI_ERR_BUFFER" class "$machine" get buffer
    says "$machine: and so is a fetch" class "$machine" fetch buffer
    says "$machine: a put there is MPI_ERR_RMA_RANGE" class "$machine" put range
done
finish
