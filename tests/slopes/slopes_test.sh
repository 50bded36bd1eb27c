#!/bin/bash
# A slope that limits derives from one run is what the time changes by when that parameter is better: a sample.
. "$(dirname "$0")/../lib.sh"
build_dir=$(dirname "$(dirname "$sidewinder")")
"$here/slopes" "$build_dir" now >"$work/out" 2>&1
status=$?
tail -n 1 "$work/out"
says "9 of 10 slopes differ from the real change by at most 0.15 of it, or 0.1 % of the time" [ $status = 0 ]
[ $status = 0 ] || cat "$work/out"
finish
