#!/bin/bash
# Of ranks that compute in turn, each behind a message of the one before, no wait has the cause: the report names what
# shows the whole way.
. "$(dirname "$0")/../../lib.sh"
cat >"$work/turns.c" <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, ranks;
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank > 0) MPI_Recv(&x, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 5000; i++) x = x * 0.999 + 0.1;
    if (rank + 1 < ranks) MPI_Send(&x, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
C
cd "$work" || exit 1
"$sidewinder" cc -O2 -g -o turns turns.c || wrong "turns.c is compiled"
"$sidewinder" run -m now -n 6 ./turns >/dev/null 2>report
says "of ranks that compute in turn the report names what shows the way" grep -q \
    "had waited for other ranks until then. 'sidewinder limits' shows along which calls they waited for one another\." \
    <(tr -s ' \n' ' ' <report)
"$sidewinder" limits -m now -n 6 ./turns >limits
says "limits shows it: each rank computes between its receive and its send" \
    grep -q "4 times *turns.c:9 -> turns.c:11: rank . and others, 100 % computation" limits
finish
