#!/bin/bash
# Windows of shared memory: on coherent nodes, and where every process is alone.
. "$(dirname "$0")/../../lib.sh"
build shared
build shared_lines
for machine in smp challenge clump now; do passes "$machine" 6 shared coherent; done
for machine in t3d cxl-pool; do passes "$machine" 6 shared; done
run_options=(--quantum 0)
passes smp 3 shared coherent
passes t3d 3 shared
run_options=(--set coh.protocol=mesi)
passes smp 4 shared coherent
run_options=()

# "HARDWARE": what one processor wrote comes out of its cache, line by line; a second look is free.
run smp 2 shared_lines
says "loads of another's part are cache-to-cache transfers" eval \
    '[ "$(sed -n "s/^first //p" "$work/out")" -ge $((64 * 300)) ]'
says "and then hits" eval '[ "$(sed -n "s/^second //p" "$work/out")" -lt $((64 * 60)) ]'
says "no rule is broken" eval '! grep -q "\"rule\"" "$work/json"'
finish
