#!/bin/bash
# What README.md and apps/README.md show of the commands is what they print, README.md is short, and the experiment of
# results/README.md works.
. "$(dirname "$0")/../lib.sh"
top=$(realpath "$here/../..")
export SIDEWINDER=$sidewinder
for page in README.md apps/README.md; do
    says "$page shows what its commands print" "$top/results/printed" check "$top/$page"
done
says "README.md has at most 150 lines" [ "$(wc -l <"$top/README.md")" -le 150 ]
says "the demo ends with the stale loads of both machines" \
    eval 'bash "$apps/demo.sh" >"$work/demo" 2>&1 && tail -1 "$work/demo" | grep -qx "Stale loads: 1 on t3d, 0 on smp."'
mkdir "$work/own"
sed -n '/^## An experiment of your own/,/^[^ #]/{s/^    //p;}' "$top/results/README.md" |
    sed "s|^source=../../apps|source=$top/apps|" >"$work/own/experiment.ini"
says "the experiment of results/README.md is swept (a sample of it) and drawn" eval \
    '"$sidewinder" sweep --only ranks=2 --only n=64 "$work/own/experiment.ini" >"$work/own/data.csv" 2>"$work/err" &&
    "$sidewinder" plot "$work/own" >"$work/out" 2>"$work/err" && [ -s "$work/own/figure.svg" ] ||
    { cat "$work/err"; false; }'
while read -r page target; do
    says "$page: $target exists" [ -e "$top/$(dirname "$page")/${target%%#*}" ]
done < <(cd "$top" && grep -oE '\]\([^):]+\)' README.md \
    {apps,apps/classroom,platforms,results,sim,tests/bench}/README.md |
    sed -E 's/:\]\(([^)]*)\)/ \1/')
finish
