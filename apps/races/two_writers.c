/* All ranks put to one word between two fences: one of them wins, nobody knows which. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, *base;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /*1*/ /*2*/
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (rank == 0) printf("rank %d was last\n", *base);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
