#!/bin/bash
# What one call of C's library stores into a window is what others get, whatever else is called.
. "$(dirname "$0")/../../lib.sh"
build alone -w
for machine in t3d smp rdma cxl-pool; do passes "$machine" 2 alone; done
passes now 2 alone
build alone -w -O0
passes smp 2 alone
finish
