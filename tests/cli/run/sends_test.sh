#!/bin/bash
# For whom a blocking send waits: a long message, and a synchronous one, leave when their receive has begun.
. "$(dirname "$0")/../../lib.sh"
cat >"$work/long.c" <<'C'
#include <mpi.h>
static double part[20000];
static volatile double sink;
int main(int argc, char **argv)
{
    int rank, n = argc > 1 ? 1 : 20000;
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int s = 0; s < 5; s++) {
        if (rank == 0 && n > 1) MPI_Send(part, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        if (rank == 0 && n == 1) MPI_Ssend(part, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        if (rank != 1) continue;
        for (int i = 0; i < 100000; i++) x = x * 0.5 + i;
        sink = x;
        MPI_Recv(part, n, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
}
C
"$sidewinder" cc -O2 -g -o "$work/long" "$work/long.c"
for how in "" synchronous; do
    "$sidewinder" run -m now -n 2 "$work/long" $how 2>&1 | sed -n '/^What to look/,/^Caches/p' |
        tr -s ' \n' ' ' >"$work/out"
    says "a ${how:-long} send waits for its receiver" \
        grep -q "in MPI_S*[Ss]end at long.c:1[12]: rank 1 came later, to long.c:16, and had computed" "$work/out"
    says "and no cause of it is unknown" eval '! grep -q "cause is not known" "$work/out"'
done
finish
