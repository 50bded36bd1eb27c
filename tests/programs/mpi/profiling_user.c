/* A program whose library calls MPI (profiling_library.c). */
#include <mpi.h>
#include <stdio.h>

void exchange(int *number, int rank);

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int number = 8 + rank;
    exchange(&number, rank);
    printf("rank %d: %d\n", rank, number);
    MPI_Finalize();
    return 0;
}
