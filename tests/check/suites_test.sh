#!/bin/bash
# "All racy ones with exactly their lines, no correct one flagged", as people write test suites: the cases in the files
# below, with optimisation on one machine. With --all without it too, and on three.
. "$(dirname "$0")/../lib.sh"
every=5 racy=121
thorough && every=1 racy=608
awk -f "$here/generate.awk" -v crossed=0 -v every=$every -v expected="$work/expected" \
    "$here"/{suites,sentences,memory,lines,flavors,library,atomics,further,requests,shapes}.txt \
    "$here"/{returns,hidden,queries,outside,orders,mixed,several,fences,patterns,judged}.txt \
    "$here"/{court,arguments,started,functions}.txt >"$work/suites.c"
# Without optimisation nothing shows where a parameter ends of a function that is part of its caller.
wanted() { grep -v -e "${1:-^$}" "$work/expected" | cut -d' ' -f1-3 | sort; }
wanted >"$work/want"
says "there are at least $racy racy cases" [ "$(wc -l <"$work/want")" -ge $racy ]

# pairs MACHINE PROGRAM VARIANT SHARED: the lines blamed.
pairs() {
    rm -f "$work/json"
    "$sidewinder" run -m "$1" -n 4 -q --check --json "$work/json" "$work/$2" "$3" "$4" >"$work/printed" ||
        echo "the run ends with $?"
    awk -f "$here/pairs.awk" "$work/json"
}
machines=(rdma) levels=O2
thorough && machines=(t3d rdma now) levels='O0 O2'
sampled "every fifth case with -O2 on ${machines[*]}"
for level in $levels; do
    wanted "$([ $level != O0 ] || echo parameter_of_a_function_that_is_part_of_its_caller)" >"$work/want"
    "$sidewinder" cc -$level -g "$work/suites.c" -o "$work/$level" || { wrong "the cases are compiled"; finish; }
    pairs smp $level race 1 >"$work/shared"
    says "$level: no correct case of shared windows is blamed" [ -z "$(pairs smp $level fix 1)" ]
    for machine in "${machines[@]}"; do
        { cat "$work/shared"; pairs $machine $level race 0; } | sort >"$work/got"
        says "$level, $machine: every racy case is blamed for exactly its lines" diff "$work/want" "$work/got"
        pairs $machine $level fix 0 >"$work/blamed"
        says "$level, $machine: no correct case is blamed" diff /dev/null "$work/blamed"
    done
done
finish
