#!/bin/bash
# "It is shown by provenance of the pair's own bytes: which write a read returned, which survived": what each error did
# on a machine is what the program prints there.
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
"$sidewinder" cc -O1 -g "$tests/../apps/races/two_writers.c" -o two_writers || wrong "two_writers is compiled"
cat >read.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, *base, one = 1, got = 0, late = argc > 1;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    *base = 0;
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 1)
        for (double t = MPI_Wtime(); late && MPI_Wtime() < t + 1e-3;) continue;
    if (rank == 2)
        for (double t = MPI_Wtime(); !late && MPI_Wtime() < t + 1e-3;) continue;
    if (rank == 1) MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    if (rank == 2) MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
    if (rank == 2) printf("got %d\n", got);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O1 -g read.c -o read || wrong "read is compiled"

# effect MACHINE PROGRAM [ARGUMENT]: the cell of the table.
effect() {
    "$sidewinder" check -n 4 -m "$1" "${@:2}" |
        awk '$1 == 1 && /\.c:/ { sub(/.*\.c:[0-9]+ +/, ""); print; exit }'
}
for machine in t3d smp rdma; do
    printed=$("$sidewinder" run -q -m $machine -n 4 ./two_writers | grep -o '[0-9][0-9]*')
    says "$machine: of all puts, that comes last whose value stays" \
        [ "$(effect $machine ./two_writers)" = "rank $printed's comes last" ]
    says "$machine: a get before the put reads the old value" [ "$(effect $machine ./read late)" = "old value read" ]
    says "$machine: a get behind it reads the new one" [ "$(effect $machine ./read)" = "new value read" ]
done
finish
