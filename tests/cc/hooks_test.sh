#!/bin/bash
# The hottest code: before an access stand few instructions, and what they call stands aside.
. "$(dirname "$0")/../lib.sh"
cat >"$work/hot.c" <<'C'
double sum(const double *p, long n) { double s = 0; for (long i = 0; i < n; i++) s += p[i]; return s; }
void fill(long *p, long n) { for (long i = 0; i < n; i++) p[i] = i; }
C
# loop FUNCTION: the first one, from the label that a backward jump goes to, up to that jump
loop() {
    awk -v f="$1:" '$1 == f {on = 1} on {print} on && /\.size/ {exit}' "$work/hot.s" >"$work/$1"
    awk '/^\.L[0-9]+:/ {label[$1] = NR} {line[NR] = $0}
        /^\tj[a-z]+\t/ {to = $2 ":"; if (to in label &&
            !done) {for (i = label[to]; i <= NR; i++) print line[i]; done = 1}}' \
        "$work/$1" | grep -v '^\t*\.' >"$work/loop"
    says "$1 has a loop" test -s "$work/loop"
    says "it calls nothing" bash -c "! grep -q call '$work/loop'"
}
"$sidewinder" cc -O2 -fplugin-arg-sw_plugin-no-strips -S "$work/hot.c" -o "$work/hot.s"
for function in sum fill; do
    loop $function
    says "an access, its filter, its count and the loop are at most 16 instructions" test \
        "$(grep -c '^	[a-z]' "$work/loop")" -le 16
    says "and what the filter does not know is called" grep -q 'call.*__sw_' "$work/$function"
done
"$sidewinder" cc -O2 -S "$work/hot.c" -o "$work/hot.s"
for function in sum fill; do
    loop $function
    says "while rounds do what the one before did, they and their count are at most 6 instructions" test \
        "$(grep -c '^	[a-z]' "$work/loop")" -le 6
done
# What a call takes to save what it changes stands at each of them, and so a long function lets it lie in memory.
function_of() { # NAME ACCESSES
    echo "double $1(const double *p, const long *q, long n) {"
    echo "double a = 1, b = 2; long c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;"
    echo "for (long i = 0; i < n; i++) {"
    for ((i = 0; i < $2; i += 2)); do
        echo "a += p[c + $i] * b; c += q[d + $i] + e; d ^= c; e += f; f ^= g; g += h; h ^= e;"
    done
    echo "} return a + b + (double)(c + d + e + f + g + h); }"
}
{
    function_of short_one 8
    function_of long_one 64
    function_of behind 8
} >"$work/long.c"
for flag in -fcaller-saves -fno-caller-saves; do
    "$sidewinder" cc -O2 $flag -c "$work/long.c" -o "$work/long.o"
    nm -S "$work/long.o" | awk '$4 ~ /one|behind/ {print $4, $2}' | sort >"$work/sizes$flag"
done
# same FUNCTION: is it as long as where nothing may be saved at calls?
same() { [ "$(grep "$1" "$work/sizes-fcaller-saves")" = "$(grep "$1" "$work/sizes-fno-caller-saves")" ]; }
says "a long function saves no registers around calls" same long_one
says "a short one does" eval '! same short_one'
says "... and one behind a long one" eval '! same behind'
# Where a constant lies decides which lines conflict: not what Sidewinder makes of the code.
cat >"$work/table.c" <<'C'
const double table[] = {1, 2, 3, 4};
#ifdef LONGER
void copy(double *to, const double *from, long n) { for (long i = 0; i < n; i++) to[i] = from[i] + table[i & 3]; }
const char *name(int i) { return i ? "another" : "name"; }
#endif
int main(int argc, char **argv) { return (int)table[argc & 3] + argv[0][0]; }
C
for longer in -ULONGER -DLONGER; do
    "$sidewinder" cc -O2 $longer "$work/table.c" -o "$work/table"
    nm "$work/table" | awk '$2 $3 == "Rtable" {print substr($1, length($1) - 2)}'
done >"$work/begins"
says "a program's first constants lie at the same place of a page, however long its code is" \
    eval '[ "$(wc -l <"$work/begins")" = 2 ] && [ "$(uniq "$work/begins" | wc -l)" = 1 ]'
# sw_compute charges what it says (what a call takes besides is left out), and the header does without Sidewinder.
cat >"$work/compute.c" <<'C'
#include <mpi.h>
#include <sidewinder.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    double start = MPI_Wtime();
    sw_compute(150e6);
    printf("seconds=%.6f\n", MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O2 "$work/compute.c" -o "$work/compute"
run_options=(--set mpi.call=0s)
run t3d 1 compute
says "sw_compute(150e6) is a second of a 150 MHz processor" holds "$(value seconds) >= 1 && $(value seconds) < 1.000001"
for wrong in -1 'nan("")'; do
    sed "s/150e6/$wrong/; s/#include <stdio.h>/&\n#include <math.h>/" "$work/compute.c" >"$work/wrong.c"
    "$sidewinder" cc -O2 "$work/wrong.c" -o "$work/wrong" -lm
    run t3d 1 wrong
    said="^sidewinder: rank 0, at wrong.c:[0-9]*: computation of .* s: accepted are numbers from 0 on$"
    says "sw_compute($wrong) ends the run, with rank and line" eval '[ "$status" = 1 ] && grep -q "$said" "$work/err"'
done
says "the header compiles for another MPI" gcc -DSIDEWINDER_NONE -I/usr/include/smpi -I"$here/../../include" \
    -fsyntax-only "$work/compute.c"
finish
