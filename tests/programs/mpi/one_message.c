/* One put of each size to the neighbour, nothing else on the network; its trail tells how long the
 * message took. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *memory = calloc(1, 1 << 20);
    MPI_Win win;
    MPI_Win_create(memory, 1 << 20, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int i = 1; i < argc; i++) {
        MPI_Win_fence(0, win);
        if (rank == 0) MPI_Put(memory, atoi(argv[i]), MPI_BYTE, 1, 0, atoi(argv[i]), MPI_BYTE, win);
        MPI_Win_fence(0, win);
    }
    MPI_Win_free(&win);
    free(memory);
    MPI_Finalize();
    return 0;
}
