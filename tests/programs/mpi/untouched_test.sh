#!/bin/bash
# Windows take the memory that is touched of them.
. "$(dirname "$0")/../../lib.sh"
build untouched
for machine in t3d rdma cxl-pool smp; do
    passes "$machine" 2 untouched 256 2
    says "$machine: two windows of 256 MiB, made twice, take less than 150 MiB" holds "$(value peak_mib) < 150"
done
passes cxl-pool 4 untouched 1024 1
says "four windows of 1 GiB on cxl-pool take less than 200 MiB" holds "$(value peak_mib) < 200"
passes smp 8 untouched 1024 1
says "eight windows of 1 GiB on smp take less than 200 MiB" holds "$(value peak_mib) < 200"
finish
