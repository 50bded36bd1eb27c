/* Lab 10: rank 1 puts, all meet, rank 0 loads. usage: lab10 [sync] */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, before, *base, *model, flag, seven = 7, sync = argc > 1;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &flag);
    MPI_Win_lock_all(0, win);
    *base = 0;
    MPI_Win_sync(win);
    before = *base; /* the cache holds it now */
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 1) {
        MPI_Put(&seven, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win); /* the put is complete at rank 0 */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (sync) MPI_Win_sync(win); /* and now it is in rank 0's private copy */
    if (rank == 0)
        printf("%s: rank 0 sees %d, then %d\n", *model == MPI_WIN_UNIFIED ? "unified" : "separate",
               before, *base);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
