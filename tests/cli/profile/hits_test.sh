#!/bin/bash
# Hits by variable (run --profile-hits): each object's misses and hits are the accesses that the program makes to it,
# however they alternate.
. "$(dirname "$0")/../../lib.sh"
build hits
line() { grep -n "$1" "$here/hits.c" | cut -d: -f1; }
for machine in t3d smp rdma challenge; do
    (cd "$work" && "$sidewinder" run -m $machine -n 2 --profile p --profile-hits -q ./hits >out) ||
        wrong "it runs on $machine"
    sort -u "$work/out" | sed "s/	first/	allocated at hits.c:$(line 'first = malloc')/
        s/	second/	allocated at hits.c:$(line 'second = malloc')/" >"$work/expected"
    awk -F'\t' 'NR == FNR {count[$1 FS $2] = 2 * $3; next} $1 == "variable" && ($2 FS $3) in count {
        print $2 FS $3 FS ($10 + $14 == count[$2 FS $3] ? "as many" : $10 "+" $14 " for " count[$2 FS $3])
    }' "$work/expected" "$work/p" | sort >"$work/found"
    says "$machine: every object has its misses and hits, and they are all of its accesses" \
        eval '[ "$(grep -c "as many$" "$work/found")" = 19 ] || ! cat "$work/found"'
done
finish
