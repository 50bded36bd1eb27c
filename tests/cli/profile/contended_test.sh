#!/bin/bash
# Cache lines for which processors contend: named with who moves them; padding saves what is said.
. "$(dirname "$0")/../../lib.sh"
build contended
line=$(grep -n '/\* counts \*/' "$here/contended.c" | cut -d: -f1)

# run MACHINE RANKS WHAT: seconds of all ranks in $seconds; the profile in $work/p, the report in $report.
run() {
    seconds=$(cd "$work" && "$sidewinder" run -m "$1" -n "$2" --profile p --report report ./contended "$3") ||
        wrong "contended $3 runs on $1"
    report=$(tr -s ' \n' ' ' <"$work/report")
}
mentions() { case $report in *"$1"*) return 0 ;; *) echo "    no '$1' in: $report"; return 1 ;; esac; }
cost() { awk -F'\t' '$1 == "memory" { s += $8 } END { printf "%.9f\n", s }' "$work/p"; }
# saves NEAR PADDED COST: is what padding saved 0.9 to 1.4 times what the line cost?
saves() { awk -v n="$1" -v p="$2" -v c="$3" 'BEGIN { r = (n - p) / c; exit !(r > 0.9 && r < 1.4) }' ||
    { echo "    padding saved $1 - $2, the line cost $3"; return 1; }; }

for machine in smp challenge; do
    for ranks in 2 4; do
        run $machine $ranks near
        near=$seconds near_cost=$(cost)
        says "$machine, $ranks ranks: words side by side are false sharing, with the line and who stores" eval '
            mentions "rank 0'\''s window 0, bytes 0 to" &&
            mentions "loaded and stored at contended.c:$line by $ranks ranks" &&
            mentions "Each rank uses other bytes: false sharing."'
        says "$machine, $ranks ranks: and no second sentence at the top says so of the same line" \
            eval '! mentions "was stalls at contended.c:$line:" >"$work/none"'
        run $machine $ranks padded
        says "$machine, $ranks ranks: padded, no line is contended" eval '[ "$(cost)" = 0.000000000 ]'
        says "$machine, $ranks ranks: padding saves what the line cost" saves "$near" "$seconds" "$near_cost"
        run $machine $ranks same
        if [ $machine = smp ]; then
            run $machine $ranks put
            puts=$(grep -n '/\* puts \*/' "$here/contended.c" | cut -d: -f1)
            says "$machine, $ranks ranks: puts that take a line from each other are false sharing at the top" eval '
                mentions "look at first" && mentions "stored at contended.c:$puts by $ranks ranks" &&
                mentions "Each rank uses other bytes: false sharing." &&
                awk -v c="$(cost)" -v s="$seconds" "BEGIN {exit !(c > 0.2 * s)}"'
            says "$machine, $ranks ranks: and no second sentence says so of the calls" \
                eval '! mentions "was stalls on memory in MPI_Put" >"$work/none"'
            run $machine $ranks same
        fi
        says "$machine, $ranks ranks: one word for all is true sharing" mentions "They use the same bytes."
        run $machine $ranks atomic
        says "$machine, $ranks ranks: one word that all change by atomics is true sharing" \
            mentions "They use the same bytes."
        if [ $machine = smp ]; then
            run $machine $ranks accumulate
            says "$machine, $ranks ranks: one word that all accumulate into is true sharing" \
                mentions "They use the same bytes."
        fi
        run $machine $ranks same
    done
done
says "the table by memory has the line, what kind of sharing and who" eval '
    "$sidewinder" profile --by memory "$work/p" >"$work/table" &&
    grep -q "128 B true .*rank 0.s window 0, bytes 0 to 127 .*contended.c:$line by 4 ranks" "$work/table"'
run t3d 1 near
says "a machine without shared caches has none" eval '[ "$(cost)" = 0.000000000 ]'
"$sidewinder" run -m rdma --set ranks_per_node=4 --set cpus=4 -n 4 "$work/contended" near 2>&1 |
    tr -s ' \n' ' ' >"$work/rdma"
says "stores that overlap take no more than all stalls: at most so many of a hundred" \
    grep -Eq 'At most [0-9]?[0-9] % of the time of all ranks went to 1 cache line' "$work/rdma"
"$sidewinder" cc -O2 -g -I "$apps" -o "$work/histogram" "$apps/histogram.c"
report=$("$sidewinder" run -m cxl-pool -n 4 "$work/histogram" 2>&1 | tr -s ' \n' ' ')
says "stalls in MPI calls are the calls': no sentence names a table that does not have them" eval '
    mentions "was stalls on memory in MPI_Accumulate at histogram.c:" &&
    mentions " of the time. '\''sidewinder profile --by call'\'' shows all calls."'
finish
