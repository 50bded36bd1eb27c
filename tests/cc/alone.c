/* Prints how it was started: with the arguments, as which rank of how many. Ends with exit code 3.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, ranks;
    printf("before\n");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    printf("rank %d of %d with %s\n", rank, ranks, argc > 1 ? argv[argc - 1] : "nothing");
    MPI_Finalize();
    return 3;
}
