#!/bin/bash
# "What a program asks about its computer (name, processors, caches) is answered of the machine's node, the same in each
# run."
. "$(dirname "$0")/../../lib.sh"
"$sidewinder" c++ -O2 -o "$work/computer" "$here/computer.cc" || exit 1
# asked MACHINE RANKS LINE...: what the ranks print, sorted
asked() {
    local machine=$1 ranks=$2
    shift 2
    run "$machine" "$ranks" computer
    says "$machine, $ranks ranks: as the machine's file says" test "$(sort "$work/out")" = "$(printf '%s\n' "$@")"
}
run_options=(--set cache.l1.size=16KiB --set cache.l1.ways=4)
asked t3d 2 "node-0 names 1 cut 1 thread 1 processors 1 1 of 0 L1 16384/32/4 L2 0 L3 0" \
    "node-1 names 1 cut 1 thread 1 processors 1 1 of 0 L1 16384/32/4 L2 0 L3 0"
run_options=(--set cpus=4 --set cache.l1.size=4KiB --set cache.l1.ways=2 --set cache.l2.size=1MiB)
asked smp 2 "node-0 names 1 cut 1 thread 1 processors 4 1 of 0 L1 4096/32/2 L2 1048576 L3 0" \
    "node-0 names 1 cut 1 thread 1 processors 4 1 of 1 L1 4096/32/2 L2 1048576 L3 0"
finish
