#!/bin/bash
# Every kind of store reaches the image and every kind of load sees it, at every level of optimisation: on t3d
# (write-through, write buffer), cxl-pool (write-back, no coherence) and smp (coherent).
. "$(dirname "$0")/../lib.sh"
optimize=-O2
for level in -O0 -O1 -O2 -O3; do
    build seen $level
    for machine in t3d cxl-pool smp; do
        passes $machine 2 seen
    done
done

# Where accesses are not seen, stores are found afterwards and the report says so: with `sidewinder cc` it has nothing
# of the kind to say, so the sentences above mean something.
carried='was not compiled by sidewinder cc, called at .* stored'
"$sidewinder" run -m t3d -n 2 "$work/seen" 2>&1 | tr -s ' \n' '  ' >"$work/report"
says "no store of an instrumented program is found afterwards" eval '! grep -q "$carried" "$work/report"'
gcc -O2 -fPIC -I/usr/include/smpi -c "$here/seen.c" -o "$work/blind.o"
"$sidewinder" cc "$work/blind.o" -o "$work/blind" 2>"$work/err"
"$sidewinder" run -m t3d -n 2 "$work/blind" 2>&1 | tr -s ' \n' '  ' >"$work/report"
says "stores that are not instrumented are found afterwards, and the report says so" grep -q "$carried" "$work/report"
run t3d 2 blind
says "the report names the object that is not instrumented" grep -q '"blind.o"' "$work/json"
finish
