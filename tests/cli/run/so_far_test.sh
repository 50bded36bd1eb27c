#!/bin/bash
# A run that goes on forever reports what it has done so far when it is asked to (SIGUSR1) and when it is ended.
. "$(dirname "$0")/../../lib.sh"
build forever

begun() { [ "$(grep -c begun "$work/out" 2>/dev/null)" = 2 ]; }
reports() { [ "$(grep -c '^Operations' "$work/err")" -ge "$1" ]; }
# more: has it put more since then?
more() { [ "$(grep -c more "$work/out")" -gt $((before + 1)) ]; }

for signal in INT TERM; do
    rm -f "$work"/out "$work"/json "$work"/p
    set -m      # a background job that does not ignore SIGINT
    (cd "$work" && exec "$sidewinder" run -m now -n 2 --json json --profile p ./forever) >"$work/out" 2>"$work/err" &
    pid=$!
    set +m
    says "$signal: it runs" until_true begun
    kill -USR1 $pid
    says "$signal: asked, it reports so far" until_true reports 1
    until_true test -s "$work/p" # the last one
    says "$signal: ... that it had not ended, and where each rank is" eval '
        grep -q "The run had not ended; the figures cover it up to this point" "$work/err" &&
        grep -qE "^ +ranks? .* at forever.c:" "$work/err"'
    says "$signal: the JSON is there, and the profile" eval '[ -s "$work/p" ] &&
        [ "$("$sidewinder" compare --key end "$work/json")" = interrupted ]'
    puts=$("$sidewinder" compare --key 'operations[0].count' "$work/json")
    before=$(grep -c more "$work/out")
    says "$signal: it goes on" until_true more
    kill -$signal $pid
    wait $pid
    code=$?
    says "$signal: ended, it dies of the signal" [ $code = $((128 + $(kill -l $signal))) ]
    says "$signal: and has reported again, of more operations" eval 'reports 2 &&
        [ "$("$sidewinder" compare --key "operations[0].count" "$work/json")" -gt "$puts" ]'
    says "$signal: its output stands once" [ "$(grep -c begun "$work/out")" = 2 ]
done
finish
