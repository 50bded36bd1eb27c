#!/bin/bash
# A slope that limits derives from one run is what the time changes by when that parameter is better. A guard, no proof:
# three programs, one of them with locks, on two machines. SLOPES=all: all programs on all machines, for an hour.
. "$(dirname "$0")/../lib.sh"
build_dir=$(dirname "$(dirname "$sidewinder")")
if [ "${SLOPES:-}" = all ]; then set -- --all "$build_dir"; else set -- "$build_dir" now cxl-pool; fi
"$here/slopes" "$@" >"$work/out" 2>&1
status=$?
tail -n 2 "$work/out"
[ "${SLOPES:-}" = all ] || says "each program of the sample runs" grep -qx "0 programs had no slopes" "$work/out"
says "9 of 10 slopes, and of bounds, differ from the real change by at most 0.15 of it, or 0.1 % of the time" \
    [ $status = 0 ]
[ $status = 0 ] || cat "$work/out"
finish
