#!/bin/bash
# A rank's copy of the program is what is loaded of it and not the same for all; everything else is read from the
# program's own file.
. "$(dirname "$0")/../../lib.sh"
build loaded -O0 # every variable is in memory
run t3d 2 loaded
says "a run of a program with debug information ends well" [ "$status" -eq 0 ]
whole=$(stat -c %s "$work/loaded")
most=0
while read -r _ at _ _ bytes _; do most=$((at + bytes > most ? at + bytes : most)); done < <(
    readelf -lW "$work/loaded" | grep '^  LOAD')
copies() { awk '$3 == "loaded" {print $4}' "$work/out" | sort -u; }
says "a rank's copy is without what no rank writes: its text is there once" [ "$(copies)" -lt 100000 ]
says "... which is much of what is loaded" [ "$most" -gt 1000000 ]
says "the program still goes by its own name" grep -q "of $work/loaded\$" "$work/out"
"$sidewinder" run -q -m t3d -n 2 --profile "$work/profile" "$work/loaded" >/dev/null
says "its blocks have prices and lines" grep -q 'loaded.c:' <("$sidewinder" profile "$work/profile" 2>&1)

cp "$work/loaded" "$work/stripped"
strip "$work/stripped"
run t3d 2 stripped
says "a stripped program runs as well" [ "$status" -eq 0 ]
says "... of which a rank's copy is all that is loaded" [ "$(copies)" -eq "$most" ]
says "... and not the whole file" [ "$most" -lt "$whole" ]
for kind in INDIRECT EARLY; do
    "$sidewinder" cc -g -O1 -w -D$kind -o "$work/$kind" "$(dirname "$0")/loaded.c"
    run t3d 2 "$kind"
    says "a program with code that runs before all else ($kind) ends well" [ "$status" -eq 0 ]
    says "... and its ranks have whole copies" [ "$(copies)" -gt 1000000 ]
done
run_options=(--debugger "env A=1")
run t3d 2 loaded
says "under a debugger each rank has a copy of the whole file" [ "$(grep -c "loaded $whole of" "$work/out")" -eq 2 ]
finish
