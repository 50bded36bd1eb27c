#!/bin/bash
# Windows take the memory that is touched of them.
. "$(dirname "$0")/../../lib.sh"
build untouched
for machine in t3d rdma cxl-pool; do
    passes "$machine" 2 untouched 256 2
    says "$machine: two windows of 256 MiB, made twice, take less than 150 MiB" holds "$(value peak_mib) < 150"
done
finish
