#!/bin/bash
# "All racy ones with exactly their lines, no correct one flagged; the same pairs on all machines and policies":
# the cases of generate.awk. On two of the machines and policies; on all with ./bootstrap test --all.
. "$(dirname "$0")/../lib.sh"
# The short run: every fifth case, compiled without optimization, on fewer machines.
every=5 racy=100 level=-O0 runs=(t3d 'now --set serve.when=completion')
thorough && every=1 racy=250 level=-O1
thorough && runs=(t3d smp now now-ethernet rdma clump challenge cxl-pool 't3d --set ni.invalidate=index'
                  'now --set serve.when=completion' 'now --set serve.policy=ni'
                  'now --set serve.policy=polling' 'now --set serve.policy=interrupt'
                  'now --set serve.policy=thread')
sampled "every fifth case with $level on ${runs[*]}"
awk -f "$here/generate.awk" -v every=$every -v expected="$work/expected" \
    "$here"/{cases,messages,locks,classic}.txt >"$work/cases.c"
"$sidewinder" cc $level -g "$work/cases.c" -o "$work/cases" || { wrong "the cases are compiled"; finish; }
cut -d' ' -f1-3 "$work/expected" | sort >"$work/want"
says "there are at least $racy racy cases" [ "$(wc -l <"$work/want")" -ge $racy ]

# pairs "MACHINE OPTION..." VARIANT SHARED: the lines blamed.
pairs() {
    local run=$1
    shift
    rm -f "$work/json"
    "$sidewinder" run -m $run -n 4 -q --check --json "$work/json" "$work/cases" "$@" || echo "the run ends with $?"
    awk -f "$here/pairs.awk" "$work/json"
}

# Memory is shared on smp only: those cases run there.
pairs smp race 1 >"$work/shared"
says "no correct case of shared windows is blamed" [ -z "$(pairs smp fix 1)" ]
for run in "${runs[@]}"; do
    { cat "$work/shared"; pairs "$run" race 0; } | sort >"$work/got"
    says "$run: every racy case is blamed for exactly its lines" diff "$work/want" "$work/got"
    pairs "$run" fix 0 >"$work/blamed"
    says "$run: no correct case is blamed" diff /dev/null "$work/blamed"
done
finish
