#!/bin/bash
# A program may call thousands of functions that nobody instrumented: what each stores into a window others get, also
# where it is the only one that is called. And a function of many calls is compiled in seconds.
. "$(dirname "$0")/../lib.sh"
functions=5000
awk -v n=$functions 'BEGIN { for (i = 0; i < n; i++) printf "void f%d(int *to) { *to = %d; }\n", i, i + 1 }' \
    >"$work/many.c"
gcc -O1 -fPIC -shared -o "$work/libmany.so" "$work/many.c"
awk -v n=$functions 'BEGIN {
    print "#include <mpi.h>\n#include <stdio.h>"
    for (i = 0; i < n; i++) printf "void f%d(int *to);\n", i
    print "static void call(int i, int *to)\n{\n    switch (i) {"
    for (i = 0; i < n; i++) printf "    case %d: f%d(to); break;\n", i, i
    print "    }\n}"
}' >"$work/calls.c"
cat >>"$work/calls.c" <<'C'
int main(int argc, char **argv)
{
    int rank, ranks, *window, wrong = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win_allocate(1 << 20, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    for (int i = 0; i < 1 << 18; i++) window[i] = 0;
    for (int i = 0; i < FUNCTIONS; i += 7) {
        int got = -1;
        MPI_Win_fence(0, win);
        call(i, window + i);
        MPI_Win_fence(0, win);
        MPI_Get(&got, 1, MPI_INT, (rank + 1) % ranks, i, 1, MPI_INT, win);
        MPI_Win_fence(0, win);
        wrong += got != i + 1;
    }
    printf("%s: rank %d, %d wrong\n", wrong ? "FAILED" : "ok", rank, wrong);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O1 -DFUNCTIONS=$functions -o "$work/calls" "$work/calls.c" -L"$work" -lmany -Wl,-rpath,"$work"
for machine in t3d smp; do passes "$machine" 2 calls; done

awk 'BEGIN {
    print "#include <mpi.h>\nvoid calls(int *w, MPI_Win win, int me)\n{"
    for (i = 0; i < 300; i++) printf "    {\n        int a = w[%d], b = w[%d], r;\n        MPI_Fetch_and_op(&a, &r, " \
        "MPI_INT, me, %d, MPI_SUM, win);\n        w[%d] = r == b ? a : me;\n    }\n", i, i + 1, i, i + 2
    print "}"
}' >"$work/long.c"
says "gcc gives up following the variables of a long function early, with -g" eval \
    '"$sidewinder" cc -O1 -g -c -o "$work/long.o" "$work/long.c" 2>"$work/err" && [ -s "$work/long.o" ] &&
        grep -q "variable tracking size limit exceeded" "$work/err"'
finish
