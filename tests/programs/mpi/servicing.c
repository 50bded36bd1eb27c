/* Who does the target's part of a put, and when? Rank 0 puts under a lock into rank 1, which
 * computes `ms` milliseconds outside MPI meanwhile. Prints how long both took, in seconds. */
#include "check.h"
#include "sidewinder.h"

int main(int argc, char **argv)
{
    double ms = argc > 1 ? atof(argv[1]) : 10;
    int puts = argc > 2 ? atoi(argv[2]) : 1;
    static long cell[64];
    long value = 42;
    MPI_Win win;
    check_begin(&argc, &argv, 2);
    MPI_Win_create(cell, sizeof cell, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    /* cycles of one millisecond, measured: the program does not know the clock */
    double start = MPI_Wtime();
    sw_compute(1e5);
    double cycles_per_ms = 1e5 / (MPI_Wtime() - start) * 1e-3;

    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    if (check_rank == 0) {
        sw_compute(cycles_per_ms * 0.1); /* rank 1 has left the barrier by now */
        double called = MPI_Wtime();
        for (int i = 0; i < puts; i++) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
            MPI_Put(&value, 1, MPI_LONG, 1, i % 64, 1, MPI_LONG, win);
            MPI_Win_unlock(1, win);
        }
        printf("origin=%.9f\n", (MPI_Wtime() - called) / puts), fflush(stdout);
    }
    if (check_rank == 1) {
        sw_compute(cycles_per_ms * ms);
        printf("target=%.9f\n", MPI_Wtime() - start), fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, check_rank, 0, win);
    long seen = cell[0];
    MPI_Win_unlock(check_rank, win);
    check(check_rank != 1 || seen == 42, "the put arrived");
    MPI_Win_free(&win);
    return check_end();
}
