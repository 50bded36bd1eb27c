#!/bin/bash
# Locks of windows for which ranks queue: how many, how long, who held them, since which line.
. "$(dirname "$0")/../../lib.sh"
build locks
fights=$(grep -n '/\* fights \*/' "$here/locks.c" | cut -d: -f1)
shares=$(grep -n '/\* shares \*/' "$here/locks.c" | cut -d: -f1)

# run MACHINE WHAT: the profile in $work/p, the report in $work/report, its words in $report.
run() {
    (cd "$work" && "$sidewinder" run -m "$1" -n 16 --profile p --report report --json json ./locks "$2") ||
        wrong "locks $2 runs on $1"
    report=$(tr -s ' \n' ' ' <"$work/report")
}
mentions() { case $report in *"$1"*) return 0 ;; *) echo "    no '$1' in: $report"; return 1 ;; esac; }
# Does what the lines of the locks waited sum to what MPI_Win_lock waited, to the nanosecond?
sums() {
    awk -F'\t' '
        $1 == "locker" { locks += $6 }
        $1 == "call" && $2 == "MPI_Win_lock" { calls += $6 }
        END { d = locks - calls; if (!(calls > 0 && d < 1e-9 && d > -1e-9))
            { print "    " locks, calls; exit 1 } }' "$work/p"
}
# the lock of rank 0: FIELD of its record
of_lock() { awk -F'\t' -v f="$1" '$1 == "lock" && $2 == "rank 0'\''s window 0" { print $f }' "$work/p"; }

for machine in t3d smp now; do
    run $machine one
    says "$machine: 16 ranks that fight for one lock are the first screen's business" eval '
        head -30 "$work/report" | tr -s " \n" " " |
            grep -q "for the lock of rank 0.s window 0: .* 16 ranks had it 176 times, up to 15 queued for it"'
    says "$machine: it was held longest by the rank that computed longest, since the line that took it" \
        mentions "by rank 15, since locks.c:$fights"
    says "$machine: waits by lock sum to the waits of MPI_Win_lock" sums
    says "$machine: whoever queued got it from a hand-over" eval '[ "$(of_lock 5)" = "$(of_lock 7)" ]'
    says "$machine: a hand-over takes time" eval '
        awk -F"\t" "\$1 == \"lock\" && !(\$8 > 0) { exit 1 }" "$work/p"'
    says "$machine: what main has on its stack is main's, wherever its stack lies" \
        grep -Pq "^variable\tstack\tin main\t" "$work/p"
    cp "$work/p" "$work/first"
    cp "$work/json" "$work/first.json"
    run $machine one
    says "$machine: two runs have the same" eval 'cmp "$work/p" "$work/first" && cmp "$work/json" "$work/first.json"'
done
says "the table by lock has each line under its lock" eval '
    "$sidewinder" profile --by lock "$work/p" >"$work/table" &&
    grep -q " rank 0.s window 0$" "$work/table" && grep -q " 160 .* locks.c:$fights, exclusive$" "$work/table" &&
    grep -q " 16 .* locks.c:$shares, shared$" "$work/table"'
says "JSON has the same" grep -q '"longest_queue" : 15' "$work/json"
run t3d apart
says "each its own lock: nobody queues, and the report has no locks" eval '
    awk -F"\t" "\$1 == \"lock\" && \$5 + \$6 + \$7 > 0 { exit 1 }" "$work/p" && ! grep -q "^Locks" "$work/report"'
finish
