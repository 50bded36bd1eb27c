#!/bin/bash
# Windows as objects, and locks, on every kind of machine.
. "$(dirname "$0")/../../lib.sh"
build windows
build locks
for machine in t3d smp now clump rdma cxl-pool; do
    passes "$machine" 4 windows
    passes "$machine" 4 locks
done
for policy in interrupt thread; do
    run_options=(--set "serve.policy=$policy")
    passes now 4 windows
    passes now 4 locks
done
run_options=(--set serve.when=completion)
passes now 4 windows
run_options=()
passes t3d 2 windows
passes t3d 7 windows
finish
