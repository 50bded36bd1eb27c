/* Lab 1: a stale read. Rank 0 puts 1 into x of rank 1, which has loaded x before. What does rank 1
 * load afterwards? One word on the command line chooses what rank 1 does first: nothing, lock, or
 * invalidate. */
#include <mpi.h>
#include <sidewinder.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *cure = argc > 1 ? argv[1] : "nothing";
    int rank, x = 0, one = 1;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&x, sizeof x, sizeof x, MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    if (rank == 1) printf("rank 1 loads x before the put: %d\n", x);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_unlock(1, win); /* the put is complete: x is 1 in rank 1's memory */
    }
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 1) {
        /* MPI's way: synchronise the own window */
        if (strcmp(cure, "lock") == 0) MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        /* the machine's way: drop x from the cache */
        if (strcmp(cure, "invalidate") == 0) sw_invalidate(&x, sizeof x);
        printf("rank 1 loads x after it (%s): %d\n", cure, x);
        if (strcmp(cure, "lock") == 0) MPI_Win_unlock(1, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
