/* Rank 0 computes, so many steps (30,000 are about a millisecond on now), while all others put to
 * it, so many times each, one put at a time; the third argument: microseconds that they let pass
 * between. Prints what rank 0 took. */
#define _DEFAULT_SOURCE /* usleep */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, steps = atoi(argv[1]), puts = atoi(argv[2]), between = atoi(argv[3]);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long *base, one = 1;
    MPI_Win win;
    MPI_Win_allocate(8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    double begin = MPI_Wtime();
    if (rank == 0) {
        double x = 0.5;
        for (int i = 0; i < steps; i++) x = 3.9 * x * (1 - x);
        if (x > 1) return 1;
        printf("%.9g\n", MPI_Wtime() - begin);
    }
    for (int i = 0; rank > 0 && i < puts; i++) {
        MPI_Put(&one, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win); /* the put */
        MPI_Win_flush(0, win);
        if (between) usleep(between);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
