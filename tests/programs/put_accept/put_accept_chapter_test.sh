#!/bin/bash
# What the README's chapter on PUT/ACCEPT shows is what its programs print: the two examples of mistakes and the missing counts of a deadlock.
# Who changes a model and so one of these, here, changes the chapter as well.
. "$(dirname "$0")/../../lib.sh"
if ! make -s -C "$apps" CC="$sidewinder cc" BUILD="$work" put_accept >"$work/make.log" 2>&1; then
    cat "$work/make.log"
    wrong "make CC=\"sidewinder cc\" put_accept"
    finish
fi

# section NAME: of the report in $work/err, without its empty lines.
section() { sed -n "/^$1/,/^\$/p" "$work/err" | sed '/^$/d'; }
# shows SENTENCE TEXT: the section is that.
shows() {
    if [ "$found" = "$2" ]; then ok "$1"; else wrong "$1"; diff <(echo "$2") <(echo "$found") | sed 's/^/    /'; fi
}
reported() { timeout 60 "$sidewinder" run -m "$1" -n 2 "$work/$2" >"$work/out" 2>"$work/err"; }

run now 4 put_accept
found=$(cat "$work/out")
shows "the board is what everybody wrote, and what everybody sees" "rank 0: the board says 100 200 300
rank 1: I see 100 200 300"

reported t3d put_accept_early
found=$(section Violations)
shows "memory that is touched while it is lent: both lines are named" \
"Violations
  - PUT/ACCEPT: Non-conformance (servicer's range): the program touched memory that belongs to a
    PA_Iaccept until the matching servicing call is complete. Rank 0, at put_accept_early.c:13,
    at time 686.7 ns. The other side: rank 0, PA_Iaccept at put_accept_early.c:12.
  - PUT/ACCEPT: Non-conformance (origin buffer): the program touched memory that belongs to a
    PA_Put until the matching servicing call is complete. Rank 1, at put_accept_early.c:17, at
    time 1.053 µs. The other side: rank 1, PA_Put at put_accept_early.c:16."

reported t3d put_accept_edge
found=$(section Notes)
shows "a line that lies partly outside a range: it is told" \
"Notes
  - False sharing: rank 1 used bytes beside the range of the call at put_accept_edge.c:14, in a
    line that the range shares; the line had to be flushed once more (rank 1's range of
    PA_Iaccept, tag 1, byte 0; once, at time 4.305 µs)."
says "and no byte is lost" grep -qx "1 7" "$work/out"
for machine in smp now; do
    reported $machine put_accept_edge
    says "$machine: the same bytes, and nothing to tell" eval 'grep -qx "1 7" "$work/out" && ! grep -q "False sharing" "$work/err"'
done

finish
