#!/bin/bash
# A rank's copy of the program is what is loaded of it; everything else is read from the program's own file.
. "$(dirname "$0")/../../lib.sh"
build loaded -O0 # every variable is in memory
run t3d 2 loaded
says "a run of a program with debug information ends well" [ "$status" -eq 0 ]
whole=$(stat -c %s "$work/loaded")
most=0
while read -r _ at _ _ bytes _; do most=$((at + bytes > most ? at + bytes : most)); done < <(
    readelf -lW "$work/loaded" | grep '^  LOAD')
says "a rank's copy is what is loaded, not the whole file" [ "$(grep -c "loaded $most of" "$work/out")" -eq 2 ]
says "... which is less" [ "$most" -lt "$whole" ]
says "the program still goes by its own name" grep -q "of $work/loaded\$" "$work/out"
"$sidewinder" run -q -m t3d -n 2 --profile "$work/profile" "$work/loaded" >/dev/null
says "its blocks have prices and lines" grep -q 'loaded.c:23' <("$sidewinder" profile "$work/profile" 2>&1)

cp "$work/loaded" "$work/stripped"
strip "$work/stripped"
run t3d 2 stripped
says "a stripped program runs as well" [ "$status" -eq 0 ]
run_options=(--debugger "env A=1")
run t3d 2 loaded
says "under a debugger each rank has a copy of the whole file" [ "$(grep -c "loaded $whole of" "$work/out")" -eq 2 ]
finish
