#!/bin/bash
# The folder of a run that was killed (kill -9) goes with the next run; that of one that lives stays.
. "$(dirname "$0")/../../lib.sh"
build swept
export TMPDIR=$work/tmp
mkdir "$TMPDIR"
folders() { find "$TMPDIR" -mindepth 1 -maxdepth 1 -name 'sidewinder-??????' | sort; }
begun() {      # what is new is a folder that is held
    folder=$(comm -13 <(echo "$before") <(folders))
    [ -n "$folder" ] && [ -e "$folder/lock" ]
}
start() {      # a run that goes on: $pid, $folder
    local before
    before=$(folders)
    "$sidewinder" run -q -m smp -n 2 "$work/swept" >"$work/out" 2>&1 &
    pid=$!
    until_true begun
}
start
killed=$folder
kill -9 "$pid"
wait "$pid" 2>/dev/null
start
says "another run removes the folder of one that was killed" [ ! -e "$killed" ]
"$sidewinder" run -q -m smp -n 1 "$work/swept" not
says "not that of one that lives" [ -e "$folder" ]
kill -TERM "$pid"
wait "$pid" 2>/dev/null
says "and nothing is left when all have ended" [ -z "$(folders)" ]
finish
