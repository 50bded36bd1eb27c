#!/bin/bash
# "A rank that spins on its window while an operation waits for it is named, with both lines": a run that is ended from
# outside, or crashes, has its verdict so far.
. "$(dirname "$0")/../lib.sh"
cat >"$work/ended.c" <<'C'
#include <mpi.h>
#include <stdio.h>
#include <string.h>
static __attribute__((noinline)) void get_into_a_local(MPI_Win win)
{
    int local[16];
    MPI_Get(local, 16, MPI_INT, 1, 0, 16, MPI_INT, win); /* crash */
}
int main(int argc, char **argv)
{
    int rank, *base, one = 1, looks = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    memset(base, 0, 64);
    MPI_Win_fence(0, win);
    if (argc > 1) {
        if (rank == 0) get_into_a_local(win);
        MPI_Win_fence(0, win); /* crash */
    } else if (rank == 0) {
        MPI_Win_lock_all(0, win);
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* spin */
        MPI_Win_unlock_all(win);
    } else {
        while (*(volatile int *)base == 0) /* spin */
            if (++looks == 20000) puts("spins"), fflush(stdout);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
cd "$work" || exit 1
"$sidewinder" cc -O1 -g ended.c -o ended || wrong "ended.c is compiled"
at() { grep -n "/\* $1 \*/" ended.c | cut -d: -f1 | xargs; }
blamed() { awk -f "$here/pairs.awk" json; }

spins() { [ -e out ] && grep -q spins out; }
for machine in t3d now; do
    rm -f json out
    timeout 600 "$sidewinder" run -m $machine -n 2 -q --check --json json ./ended >out 2>err &
    run=$!
    until_true spins
    kill -TERM $run $run # timeout sends it to the run, and to its group
    wait $run 2>/dev/null
    says "$machine: the rank that spins and the put that waits for it" [ "$(blamed)" = "error $(at spin)" ]
done
rm -f json
"$sidewinder" run -m rdma -n 2 -q --check --json json ./ended crash >/dev/null 2>err
says "a get into the variables of a function that has returned" [ "$(blamed)" = "error $(at crash)" ]
# "A clean run says 'no error in this execution'": a program that failed at once was not looked at.
cat >failed.c <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    if (argc > 1) fprintf(stderr, "no such file: %s\n", argv[1]);
    return argc > 1 ? 7 : 0;
}
C
"$sidewinder" cc -O1 failed.c -o failed || wrong "failed.c is compiled"
"$sidewinder" check -m t3d -n 1 ./failed input >said 2>&1
status=$?
says "check of a program that failed names its exit status" \
    grep -qx 't3d: the program ended with exit status 7. It printed:' said
says "and what it printed" grep -qx 'no such file: input' said
says "and fails itself ($status)" test "$status" = 1
"$sidewinder" check -m t3d -n 1 ./failed >said 2>&1
says "one that did not is clean" test "$? $(cat said)" = "0 No error in these runs, on 1 machine."
gcc -O1 -fPIC -c -x c - -o plain.o <<<'int plain(void) { return 0; }'
cat >mixed.c <<'C'
#include <mpi.h>
int plain(void);
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return plain();
}
C
"$sidewinder" cc -O1 mixed.c plain.o -o mixed 2>said || wrong "mixed.c is compiled"
"$sidewinder" check -m t3d -n 1 ./mixed >said 2>&1
says "check names objects that it cannot judge" \
    grep -qx 'Not checked: accesses of plain.o, which sidewinder cc did not compile.' said
finish
