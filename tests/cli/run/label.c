/* A program whose ranks print whole lines, parts of lines, and nothing at the end of the last. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    printf("begun ");
    MPI_Barrier(MPI_COMM_WORLD); /* the others print in between */
    printf("by %d\ntwo\n", rank);
    fprintf(stderr, "error of %d\n", rank);
    fflush(stdout);
    if (write(1, "raw\n", 4) != 4) return 1;
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 1 && strcmp(argv[1], "crash") == 0) {
        printf("unflushed of %d", rank);
        if (rank == 1) *(volatile int *)(size_t)(argc - 2) = 1;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    printf("no end of %d", rank);
    MPI_Finalize();
    return 0;
}
