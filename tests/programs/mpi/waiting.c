/* Rank 1 waits for a message that rank 0 sends after 10 ms: in MPI_Probe, or with an argument in a
 * loop on MPI_Iprobe. Prints how long after it was sent it was seen. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        usleep(10000);
        double sent = MPI_Wtime();
        MPI_Send(&sent, 1, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Status status;
        double sent;
        int there = argc == 1;
        if (there) MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
        while (!there) MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &there, &status);
        double seen = MPI_Wtime();
        MPI_Recv(&sent, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%.9g\n", seen - sent);
    }
    MPI_Finalize();
    return 0;
}
