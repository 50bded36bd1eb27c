#!/bin/bash
# A window that shares a line with other variables, on every machine.
. "$(dirname "$0")/../../lib.sh"
build one_line
for machine in t3d smp now rdma cxl-pool; do passes "$machine" 2 one_line; done
run_options=(--set cache.l1.write=back --set cache.l1.allocate=both)
passes t3d 2 one_line
run_options=(--set wb.timeout=1us)
passes t3d 2 one_line
finish
