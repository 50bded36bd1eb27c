/* Lab 3: the barrier that does not help. Rank 0 puts an array of ones into rank 1's window, all
 * ranks meet in MPI_Barrier, rank 1 counts the ones it can load. The word says when rank 0 ends its
 * epoch: late (after the barrier), early (before it), or fence (both ranks call MPI_Win_fence
 * instead of the barrier). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *when = argc > 1 ? argv[1] : "late";
    int n = argc > 2 ? atoi(argv[2]) : 1000, fence = strcmp(when, "fence") == 0,
        early = strcmp(when, "early") == 0;
    int rank, seen = 0, *window, *ones = malloc((size_t)n * sizeof *ones);
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(n * (MPI_Aint)sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &window, &win);
    for (int i = 0; i < n; i++) window[i] = 0, ones[i] = 1;
    MPI_Win_fence(fence ? MPI_MODE_NOPRECEDE : MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, win);

    /* 0; and now a cache holds what it can of the window */
    for (int i = 0; i < n; i++) seen += window[i];
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        if (!fence) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Put(ones, n, MPI_INT, 1, 0, n, MPI_INT, win);
        if (early) MPI_Win_unlock(1, win); /* the put is complete at rank 1 when this returns */
    }
    if (fence)
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    else
        MPI_Barrier(MPI_COMM_WORLD); /* the processes have met; nothing is said about puts */

    if (rank == 1) {
        for (int i = 0; i < n; i++) seen += window[i];
        printf("%s: rank 1 sees %d of %d\n", when, seen, n);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && !fence && !early) MPI_Win_unlock(1, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    free(ones);
    return 0;
}
