/* The buffer of a put is overwritten before the put is complete: which value leaves? */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, *base, out;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    if (rank == 0) {
        out = 1;
        MPI_Put(&out, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /*1*/
        out = 2;                                          /*2*/
        MPI_Put(&out, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (rank == 1) printf("rank 1 has %d and %d\n", base[0], base[1]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
