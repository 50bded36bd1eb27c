#!/bin/bash
# "In every combination of put, get, accumulate and its kin, local load and store, MPI calls that load or store for the
# program, library copies, other windows over the same memory, ... shared windows' direct accesses": the cases of
# combine.awk, with every kind of synchronisation. (Those of the first six with each other: cases_test.sh.)
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
every=11 racy=110 machines=(rdma)
thorough && every=1 racy=1290 machines=(t3d rdma now clump challenge)
sampled "every eleventh combination on ${machines[*]}"
awk -f "$here/combine.awk" >cases.txt
awk -f "$here/generate.awk" -v crossed=0 -v every=$every -v expected=expected cases.txt >cases.c
"$sidewinder" cc -O1 -g cases.c -o cases || { wrong "the cases are compiled"; finish; }
cut -d' ' -f1-3 expected | sort >want
says "there are at least $racy racy combinations" [ "$(wc -l <want)" -ge $racy ]

# pairs MACHINE VARIANT SHARED: the lines blamed
pairs() {
    rm -f json
    "$sidewinder" run -m "$1" -n 4 -q --check --json json ./cases "$2" "$3" >printed || echo "the run ends with $?"
    awk -f "$here/pairs.awk" json
}
pairs smp race 1 >shared
says "no correct combination with who shares the memory is blamed" [ -z "$(pairs smp fix 1)" ]
for machine in "${machines[@]}"; do
    { cat shared; pairs $machine race 0; } | sort >got
    says "$machine: every racy combination is blamed for exactly its lines" diff want got
    pairs $machine fix 0 >blamed
    says "$machine: no correct combination is blamed" diff /dev/null blamed
done
finish
