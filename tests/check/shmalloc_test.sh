#!/bin/bash
# "SHMALLOC's ... rules, in the same form": conflicts that no barrier of the get/put communicator separates, by both
# lines, on every machine; what one process does itself is in order.
. "$(dirname "$0")/../lib.sh"
cat >"$work/getput.c" <<'C'
#include <mpi.h>
#include <shmalloc.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, one = 1, two = 2, got, seen = 0, *window;
    MPI_Comm comm;
    const char *name = argc > 1 ? argv[1] : "";
    int race = argc > 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    SHM_Shmalloc(&window, 64, MPI_COMM_WORLD, &comm);
    if (!strcmp(name, "load")) {
        if (rank == 0) SHM_Put(&one, 1, MPI_INT, 0, 1, comm); /* load */
        if (!race) MPI_Barrier(comm);
        if (rank == 1) seen = window[0]; /* load */
    }
    if (!strcmp(name, "puts")) {
        if (rank == 0) SHM_Put(&one, 1, MPI_INT, 0, 1, comm); /* puts */
        if (!race) MPI_Barrier(comm);
        if (rank == 2) SHM_Put(&two, 1, MPI_INT, 0, 1, comm); /* puts */
    }
    if (!strcmp(name, "get")) {
        if (rank == 1) window[0] = 3; /* get */
        if (!race) MPI_Barrier(comm);
        if (rank == 0) SHM_Get(&got, 1, MPI_INT, 0, 1, comm); /* get */
    }
    if (!strcmp(name, "order") && rank == 0) {
        SHM_Put(&one, 1, MPI_INT, 0, 1, comm);
        one = 5;
        SHM_Put(&two, 1, MPI_INT, 0, 1, comm);
        SHM_Get(&got, 1, MPI_INT, 0, 1, comm);
        seen = got;
    }
    MPI_Barrier(comm);
    if (strcmp(name, "order")) MPI_Comm_free(&comm);
    MPI_Finalize();
    return seen == 99;
}
C
cd "$work" || exit 1
"$sidewinder" cc -O1 -g getput.c -o getput || wrong "getput.c is compiled"
at() { grep -n "/\* $1 \*/" getput.c | cut -d: -f1 | xargs; }
# blamed MACHINE ARGUMENT...: class and lines
blamed() {
    local machine=$1
    shift
    "$sidewinder" run -m "$machine" -n 3 -q --check --json json ./getput "$@" || echo "the run ends with $?"
    awk -v notes=1 -f "$here/pairs.awk" json
}
for machine in t3d smp now rdma; do
    for name in load puts get; do
        says "$machine: $name without a barrier is blamed for its lines" \
            [ "$(blamed $machine $name race)" = "error $(at $name)" ]
        says "$machine: ... in the proposal's words" grep -q 'SHMALLOC: MPI_BARRIER' json
        says "$machine: $name with one is not" [ -z "$(blamed $machine $name)" ]
    done
    says "$machine: one process's own operations are in order, and their buffers free" [ -z "$(blamed $machine order)" ]
done
finish
