/* Ordinary messages of BYTES: TIMES there and back, then TIMES one behind the other. Prints the
 * seconds of one way, and of one of those that follow each other. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, bytes = atoi(argv[1]), times = atoi(argv[2]);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *memory = calloc(1, (size_t)bytes + 1);
    const MPI_Comm all = MPI_COMM_WORLD;
    MPI_Barrier(all);
    double begin = MPI_Wtime();
    for (int i = 0; i < times; i++) {
        if (rank == 0) MPI_Send(memory, bytes, MPI_BYTE, 1, 0, all);
        if (rank < 2) MPI_Recv(memory, bytes, MPI_BYTE, 1 - rank, 0, all, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(memory, bytes, MPI_BYTE, 0, 0, all);
    }
    double way = (MPI_Wtime() - begin) / times / 2;
    MPI_Barrier(all);
    begin = MPI_Wtime();
    for (int i = 0; i < times; i++) {
        if (rank == 0) MPI_Send(memory, bytes, MPI_BYTE, 1, 0, all);
        if (rank == 1) MPI_Recv(memory, bytes, MPI_BYTE, 0, 0, all, MPI_STATUS_IGNORE);
    }
    if (rank == 1) printf("%.9g\n", (MPI_Wtime() - begin) / times);
    MPI_Barrier(all);
    if (rank == 0) printf("%.9g\n", way);
    free(memory);
    MPI_Finalize();
    return 0;
}
