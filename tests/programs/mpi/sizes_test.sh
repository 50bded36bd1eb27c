#!/bin/bash
# Times grow with sizes, on every machine.
. "$(dirname "$0")/../../lib.sh"
build sizes
for machine in t3d smp challenge now now-ethernet clump rdma cxl-pool; do passes "$machine" 2 sizes; done
finish
