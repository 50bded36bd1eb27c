#!/bin/bash
# "All racy ones with exactly their lines, no correct one flagged", in Fortran.
. "$(dirname "$0")/../lib.sh"
awk -f "$here/generate_fortran.awk" -v expected="$work/expected" >"$work/cases.f90"
"$sidewinder" f90 -O1 -g "$work/cases.f90" -J "$work" -o "$work/cases" || { wrong "the cases are compiled"; finish; }
cut -d' ' -f1-3 "$work/expected" | sort >"$work/want"
says "there are at least 60 racy cases" [ "$(wc -l <"$work/want")" -ge 60 ]

# pairs MACHINE VARIANT: the lines blamed.
pairs() {
    rm -f "$work/json"
    "$sidewinder" run -m "$1" -n 3 -q --check --json "$work/json" "$work/cases" "$2" || echo "the run ends with $?"
    awk -f "$here/pairs.awk" "$work/json" | grep error | sort
}
for machine in t3d rdma; do
    pairs $machine race >"$work/got"
    says "$machine: every racy case is blamed for exactly its lines" diff "$work/want" "$work/got"
    pairs $machine fix >"$work/blamed"
    says "$machine: no correct case is blamed" diff /dev/null "$work/blamed"
done
finish
