#!/bin/bash
# Every kind of store reaches the image and every kind of load sees it, at every level of optimisation: on t3d
# (write-through, write buffer), cxl-pool (write-back, no coherence) and smp (coherent).
. "$(dirname "$0")/../lib.sh"
for level in -O0 -O1 -O2 -O3; do
    build seen $level
    for machine in t3d cxl-pool smp; do
        passes $machine 2 seen
    done
done

# The same sentences fail where accesses are not seen, so they mean something.
gcc -O2 -fPIC -I/usr/include/smpi -c "$here/seen.c" -o "$work/blind.o"
"$sidewinder" cc "$work/blind.o" -o "$work/blind" 2>"$work/err"
run t3d 2 blind
says "stores that are not instrumented are lost" grep -q '^FAILED: stores of eight bytes' "$work/out"
says "the report names the object that is not instrumented" grep -q '"blind.o"' "$work/json"
finish
