#!/bin/bash
# The programs of the chapter on PUT/ACCEPT in apps/README.md: the board, and the two examples of mistakes with their
# lines. What the page shows of them is checked by tests/results/readme_test.sh.
. "$(dirname "$0")/../../lib.sh"
if ! make -s -C "$apps" CC="$sidewinder cc" BUILD="$work" put_accept >"$work/make.log" 2>&1; then
    cat "$work/make.log"
    wrong "make CC=\"sidewinder cc\" put_accept"
    finish
fi

# section NAME: of the report in $work/err, without its empty lines.
section() { sed -n "/^$1/,/^\$/p" "$work/err" | sed '/^$/d' >"$work/found"; }
reported() { timeout 600 "$sidewinder" run -m "$1" -n 2 "$work/$2" >"$work/out" 2>"$work/err"; }
line_of() { grep -n "$2" "$apps/$1" | cut -d: -f1; }
names() { grep -q "$1:$(line_of "$1" "$2")\b" "$work/found"; }

run now 4 put_accept
printf '%s\n' "rank 0: the board says 100 200 300" "rank 1: I see 100 200 300" >"$work/board"
says "the board is what everybody wrote, and what everybody sees" cmp "$work/out" "$work/board"

reported t3d put_accept_early
section Violations
says "memory that is touched while it is lent is reported" [ "$(grep -c 'Non-conformance' "$work/found")" = 2 ]
for line in 'PA_Iaccept(' 'board\[2\] = 5' 'PA_Put(' 'mine = 8'; do
    says "... with the line of $line" names put_accept_early.c "$line"
done

reported t3d put_accept_edge
section Notes
says "a line that lies partly outside a range is reported" grep -q 'False sharing: rank 1' "$work/found"
says "... with the line of the call" names put_accept_edge.c 'PA_Iaccept('
says "and no byte is lost" grep -qx "1 7" "$work/out"
for machine in smp now; do
    reported $machine put_accept_edge
    says "$machine: the same bytes, and nothing to report" eval 'grep -qx "1 7" "$work/out" &&
        ! grep -q "False sharing" "$work/err"'
done

finish
