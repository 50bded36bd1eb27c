#!/bin/bash
# Simulated time that is too long for dates: the run ends with a sentence. Before that everything is right.
. "$(dirname "$0")/../../lib.sh"
build dates
last='sidewinder: rank [01] has come to the last simulated time that can be computed at cpu.clock='
ends() {       # SECONDS MACHINE SET...
    local seconds=$1 machine=$2 key
    shift 2
    run_options=()
    for key; do run_options+=(--set "$key"); done
    run "$machine" 2 dates "$seconds"
    says "$machine $*: after $seconds s the run ends with a sentence" \
        eval '[ "$status" = 1 ] && grep -q "$last" "$work/err" && ! grep -q FAILED "$work/out"'
}
for machine in t3d smp now rdma cxl-pool; do
    passes "$machine" 2 dates 10000
    ends 3000000 "$machine"
    ends -1e12 "$machine"
done
passes smp 2 dates 200000
ends 140 smp cpu.clock=1000GHz
ends 140 t3d cpu.clock=1000GHz
finish
