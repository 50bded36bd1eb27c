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

# --help is not an error.
says "compare explains itself in every locale" eval 'LC_ALL=C "$sidewinder" compare --help |
    cmp - <("$sidewinder" compare --help)'
for command in "" $("$sidewinder" --help | awk '/^Commands:/ {on = 1; next} /^$/ {on = 0} on {print $1}'); do
    "$sidewinder" $command --help >"$work/out" 2>"$work/err"
    says "sidewinder $command --help explains itself on standard output" eval "[ $? = 0 ] && [ -s '$work/out' ]"
    says "sidewinder $command --help keeps to 120 columns" \
        eval "[ \$(LC_ALL=C.UTF-8 wc -L <'$work/out') -le 120 ]"
done
finish
