#!/bin/bash
# What README.md shows of the demo and of whatif is what they print.
. "$(dirname "$0")/../lib.sh"
apps=$(realpath "$here/../../apps")
readme=$(realpath "$here/../../README.md")
SIDEWINDER=$sidewinder bash "$apps/demo.sh" >"$work/demo" 2>&1
# Indented lines between two lines of README.md, not indented.
block() { awk -v from="$1" -v to="$2" \
    'index($0, to) == 1 {on = 0} on && (/^    / || /^$/) {sub(/^    /, ""); print} index($0, from) == 1 {on = 1}' \
    "$readme"; }
# Part N of a text whose parts have numbered headings, without blanks at the ends of lines and of the part.
part() { awk -v n="$1" '/^[0-9]\. / {on = index($0, n ". ") == 1} on {sub(/ +$/, ""); print}' |
    sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'; }
block "## What the demo shows" "## What if?" >"$work/shown"
for n in 3 5 6; do
    part $n <"$work/shown" >"$work/one"
    part $n <"$work/demo" >"$work/other"
    says "README shows part $n of the demo as it is" eval '[ -s "$work/one" ] && diff "$work/one" "$work/other"'
done
cp "$apps/stale.c" "$work"
cd "$work" || exit 1
"$sidewinder" cc -O2 -g -o stale stale.c
command=$(block "## What if?" "A change worth keeping" | sed -n 's/^\$ sidewinder //p')
block "## What if?" "A change worth keeping" | sed -n '/^\$ /,$p' | sed -e 1d -e '$d' >one
eval "'$sidewinder' $command" >other
says "README shows what '$command' prints" eval '[ -s one ] && diff one other'
finish
