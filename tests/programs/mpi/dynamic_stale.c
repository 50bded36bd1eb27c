/* A stale load of attached memory. 2 ranks. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    static volatile int cell = 1;
    int rank, two = 2;
    MPI_Aint there;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_name(win, "regions");
    MPI_Win_attach(win, (int *)&cell, sizeof cell);
    MPI_Get_address((int *)&cell, &there);
    MPI_Bcast(&there, 1, MPI_AINT, 1, MPI_COMM_WORLD);
    int before = cell; /* the line is in the cache */
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Put(&two, 1, MPI_INT, 1, there, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        printf("barrier: %d\n", cell);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        printf("locked: %d\n", cell);
        MPI_Win_unlock(1, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return before != 1;
}
