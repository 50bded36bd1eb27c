#!/bin/bash
# "run --check-memory: overflow and use after free in the program's heap, at free and at exit with the allocation's
# line".
. "$(dirname "$0")/../../lib.sh"
build heap -Wno-use-after-free
line_of() { grep -n "/\* $1 \*/" "$here/heap.c" | cut -d: -f1; }
# reports HOW CODE PATTERN: one message, of rank 1
reports() {
    run t3d 2 heap "$1"
    sed 's/^/    /' "$work/err"
    [ "$status" = "$2" ] && grep -Eq "^sidewinder: rank 1 $3" "$work/err" &&
        [ "$(grep -c "rank [0-9]* \(stored\|frees\)" \
        "$work/err")" = 1 ]
}
made="a block of 41 bytes, allocated at heap.c:$(line_of made)"
run_options=(--check-memory)
for how in none large; do
    run t3d 2 heap $how
    says "a program that keeps to its blocks has no message ($how)" eval '[ "$status" = 0 ] && [ ! -s "$work/err" ]'
done
says "a store right behind a block is reported when it is freed, with the lines of both" \
    reports behind 0 "stored just past the end of $made; seen when it was freed at heap.c:$(line_of freed)"
says "so is what memset stores there" reports copy 0 "stored just past the end of $made"
says "a block that is never freed is looked at in the end, by what realloc made of it" \
    reports end 0 "stored 3 bytes past the end of a block of 160 bytes, allocated at heap.c:$(line_of grown); seen at"
says "a store into a freed block is reported, with both lines" \
    reports after 0 "stored into a freed block, at byte 7 of $made, freed at heap.c:$(line_of freed); seen at the end"
says "a block that is freed twice is reported with all lines, and ends the run" \
    reports twice 134 "frees a block of 41 bytes twice: at heap.c:$(line_of freed) and at heap.c:$(line_of again)"
run_options=()
run t3d 2 heap after
says "without --check-memory nothing is said" eval '[ "$status" = 0 ] && [ ! -s "$work/err" ]'
finish
