#!/bin/bash
# The six rules of MPI-2 11.7 hold on every machine.
. "$(dirname "$0")/../../lib.sh"
build rules
for machine in t3d smp challenge now now-ethernet clump rdma cxl-pool; do passes "$machine" 4 rules; done
run_options=(--set serve.policy=interrupt)
passes now 3 rules
run_options=(--set serve.policy=thread)
passes now 3 rules
run_options=(--set serve.when=completion)
passes now 3 rules
run_options=(--set ni.invalidate=index)
passes t3d 3 rules
run_options=(--quantum 0)
passes t3d 3 rules
passes smp 3 rules
finish
