#!/bin/bash
# A trace keeps what every rank does; its time lines are what the report says. "a time line of all ranks and NIs as a
# Paje file (pj_dump reads it) and as Chrome/Perfetto JSON: compute, memory stall, service stolen, waiting, each
# operation an arrow from origin to target."
. "$(dirname "$0")/../../lib.sh"
build ../../programs/mpi/servicing
build late
for app in halo stale; do "$sidewinder" cc -O2 -g -o "$work/$app" "$apps/$app.c" -lm || exit 1; done
"$sidewinder" cc -O2 -g -o "$work/puts" "$tests/bench/puts.c" || exit 1
gcc -O1 -o "$work/rules" "$here/rules.c" $(pkg-config --cflags --libs json-glib-1.0) -lm || exit 1

# What the run's JSON says of each rank: "rank 0,compute,0.001".
said() {
    for kind in compute memory service wait; do
        json "rank[*].${kind}_s" | awk -v kind=$kind '{printf "rank %d,%s,%.17g\n", NR - 1, kind, $1}'
    done | sort
}
# same FILE: the sums there ("rank 0,compute,0.001") are the report's to the last nanosecond, rank by rank, kind by kind
same() {
    said >"$work/said"
    awk -F, -v said="$work/said" '
        {sum[$1 "," $2] = $3}
        END {
            while ((getline line < said) > 0) {
                split(line, f, ","); d = f[3] - sum[f[1] "," f[2]]; n++
                if (d > 1e-9 || d < -1e-9) {print "    " line ", not " sum[f[1] "," f[2]]; bad++}
            }
            exit !(n > 0 && !bad)
        }' "$1"
}
# traced MACHINE RANKS PROGRAM ARGUMENT...: runs it twice, with a trace and without, and looks at the trace from all
# sides
traced() {
    local what="$1, $2 ranks, ${*:3}${run_options[*]:+, ${run_options[*]}}" plain=("${run_options[@]}") operations
    run "$@"
    cp "$work/json" "$work/json.plain"
    run_options=("${plain[@]}" --trace "$work/trace")
    run "$@"
    run_options=("${plain[@]}")
    says "$what: tracing changes nothing that is predicted" cmp "$work/json" "$work/json.plain"
    "$sidewinder" trace --paje "$work/paje" --chrome "$work/chrome" "$work/trace" >"$work/out" ||
        wrong "$what: time lines are written"
    says "$what: no walk is printed beside time lines" [ ! -s "$work/out" ]
    says "$what: pj_dump reads the Paje file" eval 'pj_dump -l 15 "$work/paje" >"$work/dump" 2>"$work/err"'
    awk -F', ' '/^State/ {s[$2 "," $8] += $6} END {for (k in s) printf "%s,%.17g\n", k, s[k]}' "$work/dump" \
        >"$work/sums"
    says "$what: the states of each rank that pj_dump prints sum to the report" same "$work/sums"
    operations=$(awk -F, '/^(put|get|accumulate|get_accumulate),/ {n++} END {print n + 0}' "$work/trace")
    says "$what: pj_dump prints a link for each of $operations operations" [ "$(grep -c '^Link' "$work/dump")" = \
        "$operations" ]
    says "$what: the JSON keeps the rules of the trace event format" eval \
        '"$work/rules" "$work/chrome" >"$work/sums.json"'
    sed -n 's/^sum //p' "$work/sums.json" >"$work/sums"
    says "$what: the slices of each rank in the JSON sum to the report" same "$work/sums"
    says "$what: the JSON has a flow for each operation" grep -qx "flows $operations" "$work/sums.json"
    awk -F, '/^send,/ {s[$2] += $4 - $3} END {for (n in s) printf "NI of node %d,%.15g\n", n, s[n]}' "$work/trace" |
        sort >"$work/busy"
    paste -d, <(json 'links[*].name') <(json 'links[*].busy_s') | sort >"$work/links"
    says "$what: the interfaces' intervals sum to the report's busy times" awk -F, -v busy="$work/busy" '
        {link[$1] = $2; n++}
        END {while ((getline l < busy) > 0) {split(l, f, ","); d = f[2] - link[f[1]]; m++; if (d > 1e-9 ||
            d < -1e-9) bad++} exit bad || m != n}' \
        "$work/links"
}

traced t3d 4 halo fence 32 3
traced smp 4 halo lock 32 3
traced t3d 4 puts fence 2 4 40000          # flows
for serving in polling:arrival interrupt:arrival thread:arrival polling:completion; do
    run_options=(--set serve.policy="${serving%:*}" --set serve.when="${serving#*:}")
    traced now 3 puts fence 2 30 64
done
run_options=(--set serve.policy=interrupt)
traced now 2 servicing 2 5
run_options=()
traced clump 4 halo fence 32 2

# Where and how long.
line=$(grep -n 'MPI_Win_fence(MPI_MODE_NOSTORE' "$apps/halo.c" | cut -d: -f1)
run_options=(--trace "$work/trace")
run now 4 halo fence 32 3
"$sidewinder" trace --paje - "$work/trace" | pj_dump -u >"$work/dump"
says "a wait shows the call and its line" grep -q "^State, rank 0, doing, .*, wait, MPI_Win_fence, halo.c:$line\$" \
    "$work/dump"
says "containers are machine, nodes, ranks and interfaces" eval "awk -F', ' '/^Container/ {n[\$3]++} END {
    exit !(n[\"Machine\"] == 1 && n[\"Node\"] == 4 && n[\"Rank\"] == 4 && n[\"NI\"] == 8)}' '$work/dump'"
cp "$work/trace" "$work/first"
run now 4 halo fence 32 3
says "the same run writes the same bytes" cmp "$work/first" "$work/trace"
run t3d 2 stale
says "the head names all fields of a kind of line on one line" awk -F, '
    /^# [a-z_|]+,/ {n = split(substr($1, 3), kind, "|"); for (i = 1; i <= n; i++) fields[kind[i]] = NF}
    !/^#/ && NR > 1 && NF != fields[$1] {bad++; print} END {exit bad || NR < 40}' "$work/trace"
"$sidewinder" trace --paje "$work/paje" --chrome "$work/chrome" "$work/trace"
says "a stale load is an event of the rank that read, at its line" eval 'pj_dump -u "$work/paje" |
    grep -q "^Event, rank 1, noticed, .*, stale, .*saw 00000000, memory held 01000000, stale.c:22"'
says "a stale load is an instant of the JSON" eval '"$work/rules" "$work/chrome" | grep -qx "instants 1"'

# One put to a rank that computes, and to one that waits for it.
run now 2 late 1
"$sidewinder" trace --operation 1 "$work/trace" >"$work/walk"
says "a walk in words says what the target did while the request waited" eval "tr -s ' \n' ' ' <'$work/walk' |
    grep -Eq 'serviced .* Since the arrival it computed for 5[.0-9]+ ms'"
[ "$failures" -eq 0 ] || cat "$work/walk"
run now 2 late 0
line=$(grep -n 'MPI_Win_wait(' "$here/late.c" | cut -d: -f1)
"$sidewinder" trace --paje - "$work/trace" | pj_dump -u | grep '^State, rank 1,' |
    awk -F', ' '{print $8, $9, $10}' >"$work/states"
says "what a blocked rank services is an interval of its own inside the waiting" \
    grep -q "wait at service at wait at " <(sed "s/ MPI_Win_wait late.c:$line/ at/" "$work/states" | tr '\n' ' ')
finish
