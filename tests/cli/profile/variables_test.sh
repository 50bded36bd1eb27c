#!/bin/bash
# The profile by variable: each object of a program has the misses and stalls of its own loads and stores, their sum is
# the report's, and asking for it changes nothing that is predicted.
. "$(dirname "$0")/../../lib.sh"
build variables
source=$here/variables.c
line() { grep -n "$1" "$source" | cut -d: -f1; }
# of MEMORY NAME FIELD: stalls 4 5, waits 6 7, stale 8, moves 9, misses of level 1 10, hits 14
of() { awk -F'\t' -v m="$1" -v n="$2" -v f="$3" '$1 == "variable" && $2 == m && $3 == n { print $f }' "$work/p"; }
stalls() {
    awk -F'\t' '$1 == "variable" { s += $4 + $5 } $1 == "total" { s -= $3 } END { exit !(s < 1e-9 && s > -1e-9) }' \
        "$work/p"
}
lines_stall() { awk -F'\t' '$1 == "line" { s += $7 + $8 } END { printf "%.12g", s }' "$1"; }

says "the program has an array that nothing touches" eval 'nm "$work/variables" | grep -q " b unused$"'
sampled "two machines of three"
for machine in $(thorough && echo smp) t3d rdma; do
    for again in p q; do
        (cd "$work" && "$sidewinder" run -m $machine -n 2 --json json --profile $again -q ./variables >/dev/null) ||
            wrong "it runs on $machine"
    done
    "$sidewinder" run -m $machine -n 2 --json "$work/plain" -q "$work/variables" >"$work/none"
    says "$machine: the profiles of two runs are byte-identical" cmp "$work/p" "$work/q"
    sed '/^ "variables"/,/^ \]/!d' "$work/json" >"$work/asked"
    sed '/^ "variables"/,/^ \]/!d' "$work/plain" >"$work/always"
    says "$machine: every run has the same table, asked for or not" \
        eval 'grep -q "\"board\"" "$work/always" && cmp "$work/asked" "$work/always"'
    says "$machine: the run takes the same time without it" \
        [ "$("$sidewinder" compare --key time_s "$work/json")" = "$("$sidewinder" compare --key time_s "$work/plain")" ]
    says "$machine: the stalls of all objects are the ranks', to a nanosecond" stalls
    board=$(of static board 10)
    says "$machine: a static array walked down its columns has a miss for each element" \
        eval '[ "$board" -ge 262144 ] && [ "$board" -le 270000 ]'
    for object in "heap:allocated at variables.c:$(line 'block = malloc')" \
        "heap:allocated at variables.c:$(line realloc)" \
        'window:window 0' 'stack:in on_the_stack' "heap:allocated at variables.c:$(line 'odd = malloc')"; do
        says "$machine: ${object#*:} has misses" eval '[ "$(of "${object%%:*}" "${object#*:}" 10)" -ge 8000 ]'
    done
    says "$machine: the same memory is another block's where another place has it" \
        eval '[ "$(of heap "allocated at variables.c:$(line "there again")" 10)" -ge 2048 ]'
    says "$machine: puts are the window's" [ "$(of window 'window 0' 15)" = 2 ]
    says "$machine: and the array's that they come from" [ "$(of static other 15)" = 2 ]
    says "$machine: an array of which a word is read once has a miss for each rank" [ "$(of static once 10)" = 2 ]
    says "$machine: an array that nothing touches has none" [ -z "$(of static unused 10)" ]
done
# Without a profile the report names them, too: the whole of an array, of a block and of a window, and two of one place.
cat >"$work/named.c" <<'C'
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
enum { N = 200000 };
static double board[N], other[N];
static __attribute__((noinline, noclone)) double sum(volatile double *from, int n)
{
    double s = 0;
    for (int i = 0; i < n; i += 8) s += from[i];
    return s;
}
int main(int argc, char **argv)
{
    double *window, *block, s = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Win_allocate(N * sizeof(double), 8, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    block = malloc(N * sizeof(double));
    for (int k = 0; k < 9; k++)
        s += sum(!strcmp(argv[1], "static") || (!strcmp(argv[1], "both") && k % 2) ? board
                 : !strcmp(argv[1], "both") ? other : !strcmp(argv[1], "heap") ? block : window, N);
    MPI_Win_free(&win);
    MPI_Finalize();
    return s == 1;
}
C
"$sidewinder" cc -O2 -g "$work/named.c" -o "$work/named" || wrong "named.c is compiled"
first() { "$sidewinder" run -m "$1" -n 1 "$work/named" "$2" 2>&1 | sed -n '/^What to/,/^$/p' | tr -s ' \n' ' '; }
for machine in smp rdma $(thorough && echo t3d); do
    for data in "static:in 'board'." "heap:allocated at named.c:18." "window:in window 0."; do
        says "$machine: the report names what the loads that waited were for (${data%%:*})" \
            grep -q "each, for data ${data#*:}" <(first $machine ${data%%:*})
    done
    says "$machine: ... and two arrays that a place reads by turns" \
        grep -Eq "each, for data in '(board|other)' and in '(board|other)'\." <(first $machine both)
done
says "what no object has is less than a hundredth" awk -F'\t' '$1 == "variable" { all += $4 + $5 }
    $2 == "(elsewhere)" && $1 == "variable" { rest = $4 + $5 } END { exit !(rest < all / 100) }' "$work/p"
says "a table by variable, dearest first" eval '"$sidewinder" profile --by variable "$work/p" >"$work/table" &&
    sed -n 4p "$work/table" | grep -q " static *board$"'
says "and refused where two runs are compared" eval \
    '! "$sidewinder" profile --by variable --against "$work/q" "$work/p" >"$work/none" 2>&1'

# Hits, where they are asked for.
for machine in t3d $(thorough && echo smp) rdma; do
    (cd "$work" && "$sidewinder" run -m $machine -n 2 --json json --profile p --profile-hits -q ./variables >/dev/null)
    "$sidewinder" run -m $machine -n 2 --json "$work/plain" -q "$work/variables" >"$work/none"
    says "$machine: the run takes the same time where hits are counted" \
        [ "$("$sidewinder" compare --key time_s "$work/json")" = "$("$sidewinder" compare --key time_s "$work/plain")" ]
    says "$machine: hits and misses of all objects are the loads and stores of all lines" eval \
        'awk -F"\t" "\$1 == \"variable\" {objects += \$10 + \$14} \$1 == \"line\" {lines += \$12 + \$13}
            END {exit !(objects == lines && lines > 400000)}" "$work/p"'
    says "$machine: what is read by columns does not hit" [ "$(of static board 14)" = 0 ]
done
says "what is read and written once, eight bytes at a time, hits 7 times for each line of 64 bytes" \
    [ "$(of window 'window 0' 14)" = 57344 ]
says "the table has a column of them" eval '"$sidewinder" profile --by variable "$work/p" | grep -q "MISSES *HITS"'
(cd "$work" && "$sidewinder" run -q -m t3d -n 2 --profile p ./variables >/dev/null)
says "and none where they were not asked for" eval '! "$sidewinder" profile --by variable "$work/p" | grep -q HITS'
refused=0
"$sidewinder" run -m t3d -n 2 --profile-hits -q "$work/variables" >"$work/none" 2>"$work/err" || refused=$?
says "they are refused without a profile" eval '[ $refused = 2 ] && grep -q "profile-hits needs --profile" "$work/err"'

# A window that is stale and moves: the counts of the report.
cp "$apps/stale.c" "$work" && "$sidewinder" cc -O2 -g -o "$work/stale" "$work/stale.c"
(cd "$work" && "$sidewinder" run -q -m t3d -n 2 --profile p ./stale >/dev/null)
says "stale loads are the window's" [ "$(of window 'window 0' 8)" = 1 ]
(cd "$work" && "$sidewinder" run -q -m smp -n 2 --profile p ./stale >/dev/null)
says "and lines that moved between caches" eval '[ "$(of window "window 0" 9)" -ge 1 ]'
finish
