/* Prints for each rank how many environment variables it sees. */
#include <mpi.h>
#include <stdio.h>

extern char **environ;

int main(int argc, char **argv)
{
    int rank, variables = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (environ[variables]) variables++;
    printf("rank %d: %d variables\n", rank, variables);
    MPI_Finalize();
    return 0;
}
