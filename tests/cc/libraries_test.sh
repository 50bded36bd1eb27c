#!/bin/bash
# Static variables are a process's own, whichever library has them (System V ABI, Dynamic Linking); a rank is a process.
. "$(dirname "$0")/../lib.sh"
cc() { "$sidewinder" cc -g "$@"; }
quiet() { "$@" >"$work/said" 2>&1 && [ ! -s "$work/said" ]; }
fails() { ! "$@"; }
fails_with() { ! "${@:2}" >"$work/said" 2>&1 && grep -qF -e "$1" "$work/said"; }
cd "$work"

cat >inner.c <<'C'
static int count;
int inner_next(void) { return ++count; }
C
cat >outer.c <<'C'
#include <mpi.h>
#include <stdlib.h>
int inner_next(void);
int outer_calls;
static char *made;
__attribute__((constructor)) static void begin(void) { made = malloc(8); }
int outer_next(void) { outer_calls += made != NULL; return inner_next(); }
void outer_put(int value, int to, MPI_Win win)
{
    static int kept;
    kept = value;
    MPI_Put(&kept, 1, MPI_INT, to, 0, 1, MPI_INT, win);
}
C
cat >plug.c <<'C'
int inner_next(void);
static int plugged;
int plug_next(void) { return 100 * ++plugged + inner_next(); }
C
cat >main.c <<'C'
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
int outer_next(void);
void outer_put(int value, int to, MPI_Win win);
extern int outer_calls;
int main(int argc, char **argv)
{
    int rank, ranks, *mine, next = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i <= rank; i++) { next = outer_next(); MPI_Barrier(MPI_COMM_SELF); }
    for (int i = rank; i < ranks; i++) MPI_Barrier(MPI_COMM_SELF);
    MPI_Win_allocate(sizeof *mine, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    *mine = -1;
    MPI_Win_fence(0, win);
    outer_put(rank, (rank + 1) % ranks, win);
    MPI_Win_fence(0, win);
    void *plug = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    void *again = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    int (*plug_next)(void) = plug ? (int (*)(void))dlsym(plug, "plug_next") : NULL;
    int plugged = plug_next ? plug_next() : 0;
    if (argc > 1 && !plug) printf("%s\n", dlerror());
    printf("%d: %d %d %d %d %d\n", rank, next, outer_calls, *mine, plugged, plug == again);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
says "a library" quiet cc -shared -fPIC inner.c -o libinner.so
says "one that asks for it" quiet cc -shared -fPIC outer.c -L. -linner -o libouter.so
says "a program that asks for that one alone" quiet cc main.c -L. -louter -Wl,-rpath-link,. -o main
says "and a plug-in that asks for the first" quiet cc -shared -fPIC plug.c -L. -linner -o plug.so

each() { "$sidewinder" run "$@" 2>&1 | sort | grep '^[0-9]: ' | tr '\n' ';'; }
says "without a place for libraries it is refused" fails_with 'libouter.so: cannot open shared object file' \
    "$sidewinder" run -q -m smp -n 2 ./main
export LD_LIBRARY_PATH=$work
for m in t3d smp now; do
    says "ranks count for themselves, on $m" \
        test "$(each -m $m -n 3 ./main)" = "0: 1 1 2 0 1;1: 2 2 0 0 1;2: 3 3 1 0 1;"
    says "so they do in a plug-in, which finds the rank's libraries, on $m" \
        test "$(each -m $m -n 3 ./main ./plug.so)" = "0: 1 1 2 102 1;1: 2 2 0 103 1;2: 3 3 1 104 1;"
done
says "a plug-in is found by LD_LIBRARY_PATH" \
    test "$(each -m smp -n 2 ./main plug.so)" = "0: 1 1 1 102 1;1: 2 2 0 103 1;"
says "one that is not there is refused to the program" \
    test "$("$sidewinder" run -m smp -n 1 ./main ./none.so 2>&1 | grep -c '^./none.so: cannot open shared object')" = 1
says "natively it is the same" test "$(./main ./plug.so)" = "0: 1 1 0 102 1"

"$sidewinder" run -m smp -n 3 --profile profile --json json ./main >said 2>&1
says "no report says that they share any" fails grep -q 'loaded once' said
says "lines of a library are one line of all ranks" \
    test "$("$sidewinder" profile profile --by line | grep -c 'outer.c:12  *outer_put')" = 1
says "and places are lines of the library's file" grep -q 'outer.c:12  *MPI_Put  .* 3$' said
cc -shared -fPIC -Dinner_next=lone_next inner.c -o liblone.so
says "a plug-in that asks for a library of its own" \
    quiet cc -shared -fPIC -Dinner_next=lone_next plug.c -L. -llone -o plug.so
"$sidewinder" run -m smp -n 2 ./main ./plug.so 2>&1 | tr -s ' \n' ' ' >said
says "which all ranks share, and the report says so" \
    grep -q 'liblone.so is loaded once, and its static variables have changed: all ranks share them' said
cat >tool.c <<'C'
#include <mpi.h>
#include <stdio.h>
static int calls;
int MPI_Put(const void *a, int n, MPI_Datatype t, int to, MPI_Aint at, int m, MPI_Datatype u, MPI_Win win)
{
    calls += 10;
    return PMPI_Put(a, n, t, to, at, m, u, win);
}
int MPI_Barrier(MPI_Comm comm) { calls++; return PMPI_Barrier(comm); }
int MPI_Finalize(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("%d: %d\n", rank, calls);
    return PMPI_Finalize();
}
C
says "a tool of the profiling interface (MPI-3.1 14.2) in a library" quiet cc -shared -fPIC tool.c -o libtool.so
says "before one that calls MPI" quiet cc main.c -L. -ltool -louter -Wl,-rpath-link,. -o with
tool() { "$sidewinder" run -q -m smp -n 3 "$@" 2>&1 | sort | grep '^[0-9]: [0-9]*$' | tr '\n' ';'; }
says "counts calls of both, of each rank" test "$(tool ./with)" = "0: 14;1: 14;2: 14;"
says "so it does in the program" quiet cc main.c tool.c -L. -louter -Wl,-rpath-link,. -o within
says "for each rank" test "$(tool ./within)" = "0: 14;1: 14;2: 14;"
unset LD_LIBRARY_PATH
says "libraries beside the program" quiet cc main.c -L. -louter '-Wl,-rpath,$ORIGIN' -o beside
says "and their libraries beside them" quiet cc -shared -fPIC outer.c -L. -linner '-Wl,-rpath,$ORIGIN' -o libouter.so
says "are found" test "$(each -m smp -n 2 ./beside)" = "0: 1 1 1 0 1;1: 2 2 0 0 1;"
says "a library by its path" quiet cc main.c ./libouter.so -o by_path
says "is found there" test "$(each -m smp -n 2 ./by_path)" = "0: 1 1 1 0 1;1: 2 2 0 0 1;"
says "with the check" test "$(each --check -m t3d -n 2 ./by_path)" = "0: 1 1 1 0 1;1: 2 2 0 0 1;"
# What code computes that was not compiled by sidewinder cc takes no time: the report must not be silent about it.
cat >plain.c <<'C'
double sum(const double *x, int n) { double s = 0; while (n-- > 0) s += x[n]; return s; }
double unused(double x) { return x + 1; }
C
cat >calls.c <<'C'
#include <mpi.h>
#include <stdio.h>
double sum(const double *x, int n), unused(double x);
int main(int argc, char **argv)
{
    static double x[1000];
    MPI_Init(&argc, &argv);
    printf("%g\n", argc > 1 ? sum(x, 1000) : argc > 2 ? unused(1) : 0);
    MPI_Finalize();
    return 0;
}
C
says "a library that gcc compiled" quiet gcc -O1 -shared -fPIC plain.c -o libplain.so
says "and a program that calls it" quiet cc -O1 calls.c ./libplain.so -o calls
"$sidewinder" run -m t3d -n 2 --json called.json ./calls 1 2>&1 | tr -s ' \n' ' ' >said
says "the report names the library, and what was called" grep -qF \
    'libplain.so (sum was called) was not compiled by sidewinder cc: it took no time, and its accesses' said
says "so does JSON" grep -qF '"libplain.so (sum was called)"' called.json
"$sidewinder" run -m t3d -n 2 ./calls >said 2>&1
says "where nothing of it is called it is not named" fails grep -q libplain said

cat >"$work/undefined.c" <<'C'
#include <mpi.h>
extern int missing;
int *where = &missing;
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O1 "$work/undefined.c" -o "$work/undefined" -Wl,--unresolved-symbols=ignore-all ||
    wrong "undefined.c is compiled"
run t3d 2 undefined
says "a program that the loader refuses is a sentence, not SimGrid's back trace" test "$status $(cat "$work/err")" = \
    "2 sidewinder: the program cannot be loaded: undefined symbol: missing"
finish
