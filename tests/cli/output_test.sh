#!/bin/bash
# What every command does with its output: an output that cannot be written is a failure; --help goes to standard
# output.
. "$(dirname "$0")/../lib.sh"
build run/echo
run t3d 2 echo

# Truncated output is a failure.
for command in "--help" "run --help" "machines" "machines t3d" "compare $work/json" "compare --key ranks $work/json"; do
    status=0
    "$sidewinder" $command >/dev/full 2>"$work/err" || status=$?
    says "sidewinder ${command%% /*} says that standard output is full" eval '[ $status = 1 ] &&
        grep -q "cannot write to standard output: No space" "$work/err"'
done

# A standard file that is closed: no other file takes its place.
for command in "machines" "blocks -m t3d $work/echo" "whatif -m t3d -n 2 --set net.latency=x2 $work/echo" \
    "check -n 2 $work/echo"; do
    status=0
    "$sidewinder" $command >&- 2>"$work/err" || status=$?
    says "sidewinder ${command%% *} says that standard output is closed" eval '[ $status = 1 ] &&
        grep -q "cannot write to standard output: Bad file" "$work/err"'
done
says "cc compiles where all three are closed" eval '"$sidewinder" cc -O2 -o "$work/closed" "$here/run/echo.c" \
    <&- >&- 2>&- && [ -x "$work/closed" ]'
status=0
"$sidewinder" run -m t3d -n 2 --json "$work/closed.json" "$work/echo" <&- >&- 2>&- || status=$?
says "a report for a closed standard error is a failure, and the JSON is whole" eval '[ $status = 1 ] &&
    [ "$("$sidewinder" compare --key ranks "$work/closed.json")" = 2 ]'

# --help is not an error.
says "sidewinder help COMMAND is COMMAND --help" cmp <("$sidewinder" help run) <("$sidewinder" run --help)
says "compare explains itself in every locale" eval 'LC_ALL=C "$sidewinder" compare --help |
    cmp - <("$sidewinder" compare --help)'
for command in "" $("$sidewinder" --help | awk '/^Commands:/ {on = 1; next} /^$/ {on = 0} on {print $1}'); do
    "$sidewinder" $command --help >"$work/out" 2>"$work/err"
    says "sidewinder $command --help explains itself on standard output" eval "[ $? = 0 ] && [ -s '$work/out' ]"
    says "sidewinder $command --help begins with how it is used, written as in all others" \
        eval 'sed -n 1p "$work/out" | grep -q "^Usage: sidewinder" && ! grep -q "…" "$work/out"'
    says "sidewinder $command --help keeps to 120 columns" \
        eval "[ \$(LC_ALL=C.UTF-8 wc -L <'$work/out') -le 120 ]"
done
finish
