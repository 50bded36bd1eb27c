/* Lab 9: four ranks count to four. usage: lab9 shared|exclusive|atomic */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static MPI_Win win;

static void count_by_get_and_put(int lock)
{
    int count;
    MPI_Win_lock(lock, 0, 0, win);
    MPI_Get(&count, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    count++;
    MPI_Put(&count, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
}

static void count_by_fetch_and_op(void)
{
    int one = 1, before;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 0, MPI_SUM, win);
    MPI_Win_unlock(0, win);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "shared";
    int rank, *counter;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *counter, sizeof *counter, MPI_INFO_NULL, MPI_COMM_WORLD, &counter,
                     &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    *counter = 0;
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);

    if (strcmp(how, "atomic") == 0)
        count_by_fetch_and_op();
    else
        count_by_get_and_put(strcmp(how, "exclusive") ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE);

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    if (rank == 0) printf("%s: counted %d\n", how, *counter);
    MPI_Win_unlock(rank, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
