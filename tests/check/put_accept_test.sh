#!/bin/bash
# "PUT/ACCEPT's conformance (an OFFER and an ACCEPT over one window at once included)": in every run, with both lines.
. "$(dirname "$0")/../lib.sh"
cat >"$work/both.c" <<'C'
#include <mpi.h>
#include <put_accept.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, one = 1, got = 0, board[8] = {0}, at;
    MPI_Request request;
    const char *name = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    at = strcmp(name, "over") == 0 ? 0 : 4;
    if (rank == 0) {
        PA_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, 2, MPI_COMM_WORLD);
        PA_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, 1, MPI_COMM_WORLD);
        PA_Accept(NULL, 0, 1, 2, MPI_COMM_WORLD, 0);
        PA_Offer(NULL, 0, 1, 1, MPI_COMM_WORLD, 0);
    } else if (strcmp(name, "after") == 0) {
        PA_Offer(board, sizeof board, 4, 1, MPI_COMM_WORLD, 1);
        PA_Accept(board, sizeof board, 4, 2, MPI_COMM_WORLD, 1);
    } else {
        PA_Ioffer(board, 4 * sizeof *board, 4, 1, MPI_COMM_WORLD, 1, &request); /* both */
        PA_Accept(board + at, 4 * sizeof *board, 4, 2, MPI_COMM_WORLD, 1);      /* both */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
C
cd "$work" || exit 1
"$sidewinder" cc -O1 -g both.c -o both || wrong "both.c is compiled"
lines=$(grep -n '/\* both \*/' both.c | cut -d: -f1 | xargs)
# blamed NAME: class and lines, on $machine
blamed() {
    "$sidewinder" run -m $machine -n 2 -q --json json ./both "$1" || echo "the run ends with $?"
    awk -f "$here/pairs.awk" json
}
for machine in t3d smp now rdma 'now --set serve.when=completion'; do
    says "$machine: an ACCEPT over what an OFFER has is blamed, with both lines" [ "$(blamed over)" = "error $lines" ]
    says "$machine: beside it is not" [ -z "$(blamed beside)" ]
    says "$machine: nor is one after the other" [ -z "$(blamed after)" ]
done
finish
