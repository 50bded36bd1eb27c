#!/bin/bash
# "run --label puts the rank before each line".
. "$(dirname "$0")/../../lib.sh"
build label
# lines RANKS: what they print, in any order of ranks
lines() {
    for ((rank = 0; rank < $1; rank++)); do
        printf "%${2}d: begun by $rank\n%${2}d: two\n%${2}d: raw\n%${2}d: no end of $rank\n" $rank $rank $rank $rank
    done | LC_ALL=C sort
}
run_options=(--label)
run t3d 3 label
says "every line has its rank before it, however its parts came, and the last ones get an end" eval \
    '[ "$status" = 0 ] && LC_ALL=C sort "$work/out" | cmp -s - <(lines 3 1)'
says "so have those on standard error" eval \
    '[ "$(sort "$work/err" | tr "\n" ";")" = "0: error of 0;1: error of 1;2: error of 2;" ]'
run now 11 label
says "numbers stand below each other" eval '[ "$status" = 0 ] && LC_ALL=C sort "$work/out" | cmp -s - <(lines 11 2)'
run t3d 3 label crash
says "what a rank had not flushed when another crashed is there, labelled" eval \
    '[ "$status" = 139 ] && grep -qx "1: unflushed of 1" "$work/out" && grep -qx "2: two" "$work/out"'
says "... and the message on the crash is not" grep -q "^sidewinder: rank 1: segmentation fault at label.c:" "$work/err"
run_options=()
run t3d 3 label
says "without --label nothing is added" eval '[ "$status" = 0 ] && ! grep -q "^[0-9]*: " "$work/out"'
finish
