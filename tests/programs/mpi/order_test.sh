#!/bin/bash
# "Messages are nonovertaking" (MPI-3.1, 3.5; the sentences are in order.c): short and long ones, with one tag and with
# several, received by their tag, by any, from any rank, and probed.
. "$(dirname "$0")/../../lib.sh"
build order
sampled "three machines and one order of lengths, not all"
for machine in $(if thorough; then "$sidewinder" machines | awk '/^[a-z]/ {print $1}'; else echo t3d smp rdma; fi); do
    for seed in 1 $(thorough && echo 2 3); do passes $machine 4 order $seed; done
done
passes t3d 2 order 4

# A long message costs its sender's processor what one that is sent by MPI_Isend costs.
cat >"$work/long.c" <<'END'
#include <mpi.h>
#include <stdio.h>
static char bytes[65536];
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double took[2];
    for (int again = 0; again < 4; again++) {
        const int way = again % 2;
        MPI_Request request = MPI_REQUEST_NULL;
        if (rank == 0) MPI_Irecv(bytes, sizeof bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        double begun = MPI_Wtime();
        if (rank == 1 && way == 0) MPI_Send(bytes, sizeof bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        if (rank == 1 && way == 1) MPI_Isend(bytes, sizeof bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        took[way] = MPI_Wtime() - begun;
    }
    if (rank == 1) printf("%.9f %.9f\n", took[0] * 1e6, took[1] * 1e6);
    MPI_Finalize();
    return 0;
}
END
"$sidewinder" cc -O1 "$work/long.c" -o "$work/long" || wrong "long messages are compiled"
run rdma 2 long
read -r blocking nonblocking <"$work/out"
says "rdma: MPI_Send of 64 KiB takes what MPI_Isend and a wait take ($blocking, $nonblocking us)" \
    holds "$blocking > 0.99 * $nonblocking && $blocking < 1.01 * $nonblocking"

# A longer message does not arrive sooner: one that waits for its receive costs the receiver what any other does.
# (A word is copied a nanosecond faster than two bytes.)
cat >"$work/longer.c" <<'END'
#include <mpi.h>
#include <stdio.h>
static char bytes[1 << 16];
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int k = 0; k < 34; k++) { /* all lengths twice: the second time the program's lines are in its caches */
        const int size = 1 << k % 17;
        double begun = 0;
        for (int way = 0; way < 8; way++) {
            if (way == 2) begun = MPI_Wtime();
            if (rank == way % 2) MPI_Send(bytes, size, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD);
            if (rank != way % 2) MPI_Recv(bytes, size, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        if (rank == 0 && k >= 17) printf("%d %.3f\n", size, (MPI_Wtime() - begun) / 6 * 1e6);
    }
    MPI_Finalize();
    return 0;
}
END
"$sidewinder" cc -O1 "$work/longer.c" -o "$work/longer" || wrong "longer messages are compiled"
for machine in t3d now $(thorough && echo smp rdma cxl-pool clump challenge now-ethernet); do
    run $machine 2 longer
    sooner=$(awk 'NR > 1 && $2 < 0.99 * last {printf "%s bytes %s us, %s before; ", $1, $2, last}
        {last = $2}' "$work/out")
    says "$machine: no message of twice the length is there sooner ${sooner:+($sooner)}" test "$status$sooner" = 0
done
finish
