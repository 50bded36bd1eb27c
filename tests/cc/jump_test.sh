#!/bin/bash
# A condition of two is described as the branches that gcc makes of it: `a && b` is joined where both cost little, and
# parted again where there are instructions. Small functions, compiled with and without the plugin, have as many more
# than one with a condition that is one.
. "$(dirname "$0")/../lib.sh"
conditions=('x > y' 'x > y && z < 5' 'x > y || z < 5' 'x == 3 || x == 70' 'x > 2 && dx > dy' 'dx < 2 || dy > 7'
    'x > 2 && (y & 4)' '!(x > 4 && y > 7)' 'x > 4 && y > 7 && z > 2' 'x > 4 || y > 7 || z > 2'
    '(x > 4 && y > 7) || z > 2' 'x == 0 && y == 0' 'v[i] && v[i] != (int)x' 'w[i] > x || w[i] < y'
    'b && x > 3' 'b | c' '(x > 4) & (t = y > 7, e += t, t)')
sides=('f(z)' 's = s * 3 / (z | 1)' 's += z' 's = z')
{
    echo '#include <stdio.h>
#include <mpi.h>
__attribute__((noinline)) static void f(long z) { __asm__ volatile("" : : "r"(z)); }
#define F __attribute__((noinline)) long'
    for c in ${!conditions[@]}; do
        for s in ${!sides[@]}; do
            echo "F c${c}_$s(const long *p, const long *w, const int *v, const double *d, long n) { long s = 1, u = 0;
    double e = 0; for (long i = 0; i < n; i++) { long x = p[i], y = p[i + 3], z = p[i + 5], t = 0; _Bool b = w[i] & 1,
    c = w[i] & 2; double dx = d[i + 2], dy = d[i + 7]; if (${conditions[c]}) { ${sides[s]}; }
    u += z * s + x + y + t + b + c; e += dx * dy; } return s + u + (long)e; }"
        done
    done
    echo 'static long p[64], w[64]; static int v[64]; static double d[64];
int main(int argc, char **argv) { unsigned long r = 1; MPI_Init(&argc, &argv);
    for (int i = 0; i < 64; i++) { r = r * 6364136223846793005u + 1442695040888963407u; p[i] = (long)r >> 60;
        w[i] = (long)(r << 13) >> 60; v[i] = (int)((long)(r << 29) >> 60); d[i] = (double)((long)(r << 7) >> 60); }'
    for c in ${!conditions[@]}; do
        for s in ${!sides[@]}; do echo "    printf(\"%ld\\n\", c${c}_$s(p, w, v, d, 50));"; done
    done
    echo '    MPI_Finalize(); return 0; }'
} >"$work/conditions.c"
cd "$work" || exit 1
optimisations=-O2
thorough && optimisations='-O1 -O2 -Os'
for optimisation in $optimisations; do
    flags="$optimisation -fno-tree-vectorize"
    gcc $flags -w -I/usr/include/smpi -S conditions.c -o native.s &&
        "$sidewinder" cc $flags -w conditions.c -o conditions || wrong "the conditions are compiled"
    jumps='function done() { if (f ~ /^c[0-9]/) has[f] = n; f = ""; n = 0 }
        END { done(); for (f in has) { split(f, side, "_"); print f, has[f] - has["c0_" side[2]] } }'
    awk "$jumps"'/^c[0-9_]+:/ { done(); f = substr($1, 1, length($1) - 1) } /^main:/ { done() }
        /^\tj/ && $1 != "jmp" { n++ }' native.s | sort >native
    "$sidewinder" blocks conditions -m rdma | awk "$jumps"'/^[a-z]/ { done(); f = $1 }
        / branch( |$)/ && /^ +[0-9]/ { n++ }' | sort >described
    all=$((${#conditions[@]} * ${#sides[@]})) other=$(comm -13 native described | wc -l)
    says "$optimisation: gcc made more branches of some than of others" \
        holds "$(cut -d' ' -f2 native | sort -u | wc -l) >= 3"
    says "$optimisation: all of $all but a tenth are described as gcc made them ($other are not)" \
        holds "$other <= 0.1 * $all"
    gcc $flags -w -I/usr/include/smpi -Dmain=program -DMPI_Init=skip -DMPI_Finalize=end -c conditions.c -o plain.o &&
        echo 'int program(int, char **); int skip(int *a, char ***b) { return 0; } int end(void) { return 0; }
int main(int c, char **v) { return program(c, v); }' >main.c && gcc -w main.c plain.o -o plain && ./plain >expected
    "$sidewinder" run -q -m rdma -n 1 ./conditions >out 2>&1
    says "$optimisation: what the branches choose is what the language says" cmp -s expected out
done
finish
