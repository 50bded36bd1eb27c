#!/bin/bash
# "--rules separate|unified|mpi2 says which count for the verdict": a store beside a put of other bytes of the window,
# which the unified model allows, and accumulates of one process, which MPI-2 does not order (MPI-3.1 11.7.2 does).
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
cat >rules.c <<'C'
#include <mpi.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, *base, one = 1, got;
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(0, win);
    if (rank == 1 && strcmp(what, "disjoint") == 0) base[3] = 4; /*disjoint*/
    if (rank == 0 && strcmp(what, "disjoint") == 0) MPI_Put(&one, 1, MPI_INT, 1, 5, 1, MPI_INT, win); /*disjoint*/
    if (rank == 0 && strcmp(what, "ordered") == 0) {
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win); /*ordered*/
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);     /*ordered*/
    }
    if (rank == 0 && strcmp(what, "same") == 0)
        for (int i = 0; i < 2; i++) MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    if (rank == 0 && strcmp(what, "flushed") == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(1, win);
        MPI_Fetch_and_op(&one, &got, MPI_INT, 1, 0, MPI_SUM, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O1 -g rules.c -o rules || wrong "rules.c is compiled"
# verdict RULES PROGRAM: exit code, class and lines
verdict() {
    rm -f json
    "$sidewinder" run -q -m rdma -n 2 --check --rules "$1" --check-exit 7 --json json ./rules "$2" >out 2>&1
    echo $? $(awk -f "$here/pairs.awk" json)
}
lines() { grep -n "/\*$1\*/" rules.c | cut -d: -f1 | xargs; }
for rules in unified separate mpi2; do
    says "$rules: two sums of one process are no error" [ "$(verdict $rules same)" = 0 ]
    says "$rules: nor is what a flush separates" [ "$(verdict $rules flushed)" = 0 ]
done
says "unified: disjoint bytes do not count" [ "$(verdict unified disjoint)" = "0 separate $(lines disjoint)" ]
says "separate: they do" [ "$(verdict separate disjoint)" = "7 separate $(lines disjoint)" ]
says "mpi2: they do" [ "$(verdict mpi2 disjoint)" = "7 separate $(lines disjoint)" ]
says "unified: accumulates of one process are ordered" [ "$(verdict unified ordered)" = 0 ]
says "separate: they are" [ "$(verdict separate ordered)" = 0 ]
says "mpi2: they are not" [ "$(verdict mpi2 ordered)" = "7 error $(lines ordered)" ]
says "check takes the same rules" eval '! "$sidewinder" check -n 2 -m rdma --rules mpi2 ./rules ordered >out &&
    grep -q "^1 error: " out && "$sidewinder" check -n 2 -m rdma ./rules ordered >out'
finish
