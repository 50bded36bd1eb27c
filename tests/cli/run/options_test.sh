#!/bin/bash
# The options of `sidewinder run` and `whatif` as people write them for other launchers.
. "$(dirname "$0")/../../lib.sh"
build echo
cp "$apps/stale.c" "$work" && "$sidewinder" cc -O2 -g -o "$work/stale" "$work/stale.c"

# same SENTENCE WORD...: such a command line gives what -m t3d -n 2 gives.
"$sidewinder" run -q -m t3d -n 2 "$work/stale" >"$work/expected" 2>&1
gives() { "$sidewinder" run "$@" "$work/stale" >"$work/out" 2>&1 && cmp "$work/expected" "$work/out"; }
same() { says "$1" gives "${@:2}"; }
same "-n2 -mt3d: the argument may be glued to its letter" -q -n2 -mt3d
same "-qn2 -m t3d: letters may be joined" -qn2 -m t3d
same "-qn 2 --machine=t3d" -qn 2 --machine=t3d
same "-- ends the options" -q -mt3d -n2 --
"$sidewinder" run -qmt3d -n1 "$work/echo" -n7 -mt3d >"$work/out" 2>&1
says "what follows the program is the program's" eval 'grep -q -- "-n7" "$work/out" && grep -q -- "-mt3d" "$work/out"'
"$sidewinder" whatif -mt3d -n2 --set ni.invalidate=index "$work/stale" >"$work/glued" 2>&1
"$sidewinder" whatif -m t3d -n 2 --set ni.invalidate=index "$work/stale" >"$work/apart" 2>&1
says "whatif reads them as well" eval '[ -s "$work/glued" ] && cmp "$work/glued" "$work/apart"'
both="--set net.overhead_receive=9us --set net.overhead_send=9us"
"$sidewinder" run -q -m now -n2 $both --json "$work/both.json" "$work/stale" >"$work/out" 2>&1
"$sidewinder" run -q -m now -n2 --set 'net.overhead_*=9us' --json "$work/pattern.json" "$work/stale" >"$work/out" 2>&1
says "--set of a pattern changes all keys that fit it" [ "$("$sidewinder" compare --key time_s "$work/both.json")" = \
    "$("$sidewinder" compare --key time_s "$work/pattern.json")" ]
status=0
"$sidewinder" run -q -m now -n2 --set 'net.overheat_*=9us' "$work/stale" >"$work/out" 2>"$work/err" || status=$?
says "a pattern that fits no key is refused" eval '[ $status != 0 ] &&
    grep -q "no key is called .net.overheat" "$work/err"'
status=0
"$sidewinder" run -n2x -mt3d "$work/stale" >"$work/out" 2>"$work/err" || status=$?
says "a number that is none is refused as before" eval '[ $status = 2 ] && grep -q "^sidewinder run: -n" "$work/err"'
says "run --version prints the command's version" [ "$("$sidewinder" run --version)" = "$("$sidewinder" --version)" ]
finish
