#!/bin/bash
# Code that is no rank's runs, and is not counted; a rank's is, wherever it is called from (whose.c).
. "$(dirname "$0")/../lib.sh"
optimize=-O2
printf 'int fill(int *p, int n) { for (int i = 0; i < n; i++) p[i] = i + 1; return n; }\n' >"$work/plug.c"
says "a plug-in is compiled" "$sidewinder" cc -O2 -shared -fPIC "$work/plug.c" -o "$work/plug.so"
for level in -O2 $(thorough && echo -O0); do
    build whose $level -fopenmp
    for machine in t3d $(thorough && echo smp); do passes $machine 2 whose simulated "$work/plug.so"; done
    says "what other threads store is not counted" test "$(json 'rank[0].cache[0].stores')" -lt 1500000
    says "natively too" bash -c "cd '$work' && ./whose native ./plug.so >said 2>&1 && ! grep -q FAILED said &&
        grep -c ok: said | grep -qx 11"
done

# Two units define one inline function, and exceptions pass through instrumented frames.
cat >"$work/shared.h" <<'C'
#include <stdexcept>
template <class T> struct counter { static T n; T add(T x) { if (x < 0) throw std::runtime_error("negative");
    return n += x; } };
template <class T> T counter<T>::n;
inline int once() { static int n; return ++n; }
C
printf '#include "shared.h"\nint other() { counter<int> c; once(); return c.add(5); }\n' >"$work/other.cc"
cat >"$work/main.cc" <<'C'
#include "shared.h"
#include <cstdio>
#include <mpi.h>
int other();
struct guard { int *n; ~guard() { ++*n; } };
static int deep(int i, int *n) { guard g{n}; return i ? deep(i - 1, n) : counter<int>().add(-1); }
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int caught = 0, unwound = 0;
    for (int i = 0; i < 50; i++) try { deep(i, &unwound); } catch (const std::exception &) { caught++; }
    int sum = other() + counter<int>().add(2) + once();
    std::printf("%d %d %d\n", caught, unwound, sum);
    MPI_Finalize();
}
C
sampled "each at one level, threads on t3d"
for level in -O0 $(thorough && echo -O1 -O2 -O3); do
    says "C++ in two units with $level" "$sidewinder" c++ $level -I"$work" "$work/main.cc" "$work/other.cc" -o \
        "$work/units"
    says "one inline function, every frame unwound" test "$("$sidewinder" run -q -m t3d -n 1 "$work/units")" = \
        "50 1275 14"
done

# A function within a function is called through code on its rank's stack where its address is taken.
cat >"$work/within.c" <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int bias = argc, rank, in, out, v[8] = {5, 3, 7, 1, 8, 2, 6, 4};
    int order(const void *a, const void *b) { return (*(const int *)a - *(const int *)b) * bias; }
    void add(void *a, void *b, int *n, MPI_Datatype *type)
    {
        for (int i = 0; i < *n; i++) ((int *)b)[i] += ((int *)a)[i] * bias;
    }
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    in = rank + 1;
    qsort(v, 8, sizeof *v, order);
    MPI_Op_create(add, 1, &op);
    MPI_Reduce(&in, &out, 1, MPI_INT, op, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d %d %d\n", v[0], v[7], out);
    MPI_Finalize();
    return 0;
}
C
for level in -O0 $(thorough && echo -O2); do
    says "functions within functions with $level" "$sidewinder" cc $level -w "$work/within.c" -o "$work/within"
    says "are called back by qsort and reductions" test "$("$sidewinder" run -q -m t3d -n 3 "$work/within")" = "1 8 6"
done

# A function of ten thousand accesses; of one thousand in the short run.
accesses=1000
thorough && accesses=10000
sampled "a function of $accesses accesses"
{
    echo '#include <stdio.h>'; echo "int a[$((2 * accesses))];"; echo 'int main(void) { volatile int *p = a;'
    for i in $(seq $accesses); do echo "p[$i] = p[$((i - 1))] + 1;"; done
    echo 'printf("%d\n", p['"$accesses"']); return 0; }'
} >"$work/huge.c"
for level in -O2 $(thorough && echo -O0); do
    says "a huge function is compiled with $level" "$sidewinder" cc $level "$work/huge.c" -o "$work/huge"
    says "and counts" test "$("$sidewinder" run -q -m t3d -n 1 --json "$work/json" "$work/huge")" = $accesses
    says "its stores" test "$(json 'rank[0].cache[0].stores')" -ge $accesses
done

# ---- what does not fit ----
printf '#!/bin/sh\n[ "$1" = -dumpversion ] && { echo 99; exit; }\nexec gcc "$@"\n' >"$work/gcc-99"
chmod +x "$work/gcc-99"
echo 'int f(int *p) { return *p; }' >"$work/f.c"
echo '.globl g' >"$work/g.s"
cd "$work" || exit 1
SIDEWINDER_CC=./gcc-99 "$sidewinder" cc -c f.c 2>said
says "another gcc is refused before it compiles" test $? = 1 -a ! -e f.o
says "with both versions and a way out" grep -q 'gcc-99 is version 99, .* built for gcc [0-9]*\. .*SIDEWINDER_CC' said
for way in "-E f.c" "-M f.c" "-c g.s"; do
    says "but not with $way" env SIDEWINDER_CC=./gcc-99 "$sidewinder" cc $way -o made
done
gcc -O1 -fPIC -fsanitize=thread -c f.c -o older.o
ar rcs libolder.a older.o
echo 'int f(int *); int main(void) { int x = 0; return f(&x); }' >main.c
for old in older.o libolder.a; do
    "$sidewinder" cc main.c $old -o never 2>said
    says "an object of an older version is refused: $old" test $? = 1 -a ! -e never
    says "by name" grep -qx \
        "sidewinder cc: $old was compiled by another version of sidewinder cc: compile it again" said
done
finish
