#!/bin/bash
# A slope that limits derives from one run is what the time changes by when that parameter is better. A guard, no proof:
# two programs without locks, on one machine. Over more programs and machines fewer slopes hold (tests/slopes/slopes).
. "$(dirname "$0")/../lib.sh"
build_dir=$(dirname "$(dirname "$sidewinder")")
"$here/slopes" "$build_dir" now >"$work/out" 2>&1
status=$?
tail -n 2 "$work/out"
says "each program of the sample runs" grep -qx "0 programs had no slopes" "$work/out"
says "9 of 10 slopes differ from the real change by at most 0.15 of it, or 0.1 % of the time" [ $status = 0 ]
[ $status = 0 ] || cat "$work/out"
finish
