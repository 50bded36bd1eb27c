#!/bin/bash
# "Programs may use several dialects": one program uses all four at once, on every machine and servicing policy.
. "$(dirname "$0")/../../lib.sh"
build four_dialects
for machine in t3d smp now clump rdma cxl-pool; do
    for ranks in 2 5; do passes $machine $ranks four_dialects; done
done
for policy in interrupt thread polling; do
    run_options=(--set serve.policy=$policy)
    passes now 4 four_dialects
    run_options=(--set serve.policy=$policy --set serve.when=completion)
    passes now 4 four_dialects
done
finish
