#!/bin/bash
# The manual pages: mandoc accepts them, their options are those of --help, and their examples run.
. "$(dirname "$0")/../lib.sh"
command -v mandoc >/dev/null || { echo "skipped: there is no mandoc"; exit 77; }
man=$(realpath "$(dirname "$sidewinder")/../share/man")
for page in "$man"/man?/*; do
    mandoc -Tlint -Wwarning "$page" >"$work/lint" 2>&1
    says "${page##*/} is a manual page without warnings" eval '[ ! -s "$work/lint" ] || { cat "$work/lint"; false; }'
done

commands=$("$sidewinder" --help | awk '/^Commands:/ {on = 1; next} /^$/ {on = 0} on {print $1}')
for command in $commands; do
    says "sidewinder-$command(1) exists" [ -s "$man/man1/sidewinder-$command.1" ]
    (cd "$man" && mandoc -Tascii "man1/sidewinder-$command.1") | sed 's/.\x08//g' >"$work/page"
    "$sidewinder" "$command" --help | grep -oE '^  +-[^ =[]*(, --[a-z-]+)?' | tr -d ' ' >"$work/options"
    for option in $(tr , '\n' <"$work/options"); do
        grep -qF -- "$option" "$work/page" || wrong "sidewinder-$command(1) has the option $option"
    done
done
says "an exit status of two lines is whole" eval 'mandoc -Tascii "$man/man1/sidewinder-sweep.1" | sed "s/.\x08//g" |
    sed -n "/^EXIT STATUS/,/^EXAMPLES/p" | tr -s " \n" " " | grep -q "the command line is invalid"'
says "sidewinder-run(1) refers to what shows a run in other ways" eval 'mandoc -Tascii "$man/man1/sidewinder-run.1" |
    sed "s/.\x08//g" | sed -n "/^SEE ALSO/,\$p" | grep -q "sidewinder-profile(1)"'
says "sidewinder-machine(5) has every key" eval '"$sidewinder" machines --keys | sed -n "s/^[^ ].*/.It Va &/p" |
    sed "s/-/\\\\\\\\-/g" | grep -vxF -f "$man/man5/sidewinder-machine.5" | grep . && false || true'

# The parts of a report are named where they are printed.
(cd "$man" && mandoc -Tascii man1/sidewinder-run.1) | sed 's/.\x08//g' >"$work/page"
parts=$(sed -n '/report_heading(/{N; s/.*report_heading(out, ink,[[:space:]]*"\([^"]*\)".*/\1/p}' \
    "$tests"/../sim/report/text/*.c | sort -u)
says "the test finds the parts of a report" eval '[ "$(wc -l <<<"$parts")" -ge 15 ]'
while IFS= read -r part; do
    says "sidewinder-run(1) explains the part '$part' of a report" grep -q "^     .*$part" "$work/page"
done <<<"$parts"

# Examples, in a folder that holds what they name.
cd "$work" || exit 1
cp "$apps"/{halo,stale,histogram,pingpong}.c "$apps"/*.h .
PATH=$(dirname "$sidewinder"):$PATH
for program in halo stale histogram pingpong; do sidewinder cc -O2 -g -o $program $program.c -lm || exit 1; done
sidewinder run -q -m now -n 2 --trace walk.trace ./pingpong >out
for machine in t3d smp now; do sidewinder run -q -m $machine -n 2 --json $machine.json ./stale >out; done
sidewinder machines t3d --xml >mine.xml
# program_of PAGE and experiment_of PAGE: the literal text of its EXAMPLES.
literal() { sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE/p' "$1" | sed -n '/^\.Bd/,/^\.Ed/{/^\./!p}' | sed \
    's/\\-/-/g; s/\\e/\\/g'; }
sampled "one of the two examples of limits, halo not with 512 rows"
for page in "$man"/man1/*.1; do
    [ -L "$page" ] && continue
    while IFS= read -r example; do
        case $example in
        "sidewinder limits"*--set* | "sidewinder limits"*--by* | *"halo fence 512"*) thorough || continue ;;&
        "sidewinder "*'--launcher'* | *results/* | *'| less'* | *nodes=512* | *stencil*) continue ;;
        "sidewinder blocks"* | "sidewinder gdb"* | *'--measure'*) continue ;;
        "sidewinder "*experiment.ini | "sidewinder "*mine.gp*) continue ;;
        "sidewinder "*) says "example of ${page##*/}: $example" eval 'bash -c "$example" </dev/null >out 2>&1' ;;
        esac
    done < <(literal "$page")
done
for name in put_accept shmalloc type_register; do
    literal "$man/man7/$name.7" >$name.c
    says "the example of $name(7) compiles and runs" \
        eval 'sidewinder cc -std=c11 -Wall -Wextra -O2 -o $name $name.c && sidewinder run -q -m now -n 2 ./$name >out'
    case $name in type_register) expected="1 2" ;; *) expected=7 ;; esac
    says "$name(7): it prints $expected" grep -qx "$expected" out
done
literal "$man/man5/sidewinder-machine.5" >by_hand.xml
says "the machine of sidewinder-machine(5) is shown, without a complaint, and a program runs on it" eval \
    'sidewinder machines ./by_hand.xml >out 2>err && [ ! -s err ] && grep -q "^16 nodes of 1 processor" out &&
    sidewinder run -q -m ./by_hand.xml -n 4 ./halo >out'
mkdir experiment && cp halo.[ch] experiment
literal "$man/man5/sidewinder-experiment.5" >experiment/experiment.ini
says "the example of sidewinder-experiment(5) is swept and drawn" \
    eval 'sidewinder sweep experiment/experiment.ini >out 2>&1 && sidewinder plot experiment >>out 2>&1'
says "it has the points and the figure" eval '[ "$(grep -vc "^#" experiment/data.csv)" = 9 ] &&
    [ -s experiment/figure.svg ]'
missing=$(grep "^# [a-z|_]*," walk.trace | cut -d, -f1 | tr "|" "\n" | sed "s/^# //" | while read -r record; do
        grep -qE "(Li|,) $record( |,|\$)" "$man/man5/sidewinder-trace.5" || echo "$record"; done)
says "each record of a trace is in sidewinder-trace(5)${missing:+: not }${missing//$'\n'/, }" [ -z "$missing" ]
finish
