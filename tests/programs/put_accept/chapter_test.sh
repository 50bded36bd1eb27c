#!/bin/bash
# What the README's chapter on PUT/ACCEPT shows is what its programs print: the board, and the two examples of mistakes
# with their lines. Who changes a model and so one of these, here, changes the chapter as well.
. "$(dirname "$0")/../../lib.sh"
readme=$tests/../README.md
if ! make -s -C "$apps" CC="$sidewinder cc" BUILD="$work" put_accept >"$work/make.log" 2>&1; then
    cat "$work/make.log"
    wrong "make CC=\"sidewinder cc\" put_accept"
    finish
fi

# shown SENTENCE INDENT: README.md holds the text of $work/found, indented by that.
shown() {
    sed "s/^/$2/" "$work/found" >"$work/quoted"
    if [ -s "$work/found" ] && [[ $(cat "$readme") == *"$(cat "$work/quoted")"* ]]; then ok "$1";
        else wrong "$1; README.md should show"; cat "$work/quoted"; fi
}
# section NAME: of the report in $work/err, without its empty lines.
section() { sed -n "/^$1/,/^\$/p" "$work/err" | sed '/^$/d' >"$work/found"; }
reported() { timeout 60 "$sidewinder" run -m "$1" -n 2 "$work/$2" >"$work/out" 2>"$work/err"; }
line_of() { grep -n "$2" "$apps/$1" | cut -d: -f1; }
names() { grep -q "$1:$(line_of "$1" "$2")\b" "$work/found"; }

run now 4 put_accept
cp "$work/out" "$work/found"
shown "the board is what everybody wrote, and what everybody sees" '    '

reported t3d put_accept_early
section Violations
shown "memory that is touched while it is lent is reported as the chapter shows" '      '
for line in 'PA_Iaccept(' 'board\[2\] = 5' 'PA_Put(' 'mine = 8'; do
    says "... with the line of $line" names put_accept_early.c "$line"
done

reported t3d put_accept_edge
section Notes
shown "a line that lies partly outside a range is reported as the chapter shows" '      '
says "... with the line of the call" names put_accept_edge.c 'PA_Iaccept('
says "and no byte is lost" grep -qx "1 7" "$work/out"
for machine in smp now; do
    reported $machine put_accept_edge
    says "$machine: the same bytes, and nothing to report" eval 'grep -qx "1 7" "$work/out" &&
        ! grep -q "False sharing" "$work/err"'
done

finish
