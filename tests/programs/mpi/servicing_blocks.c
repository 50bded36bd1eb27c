/* Rank 1 computes in blocks of 1 ms with one MPI call between; rank 0 gets under a lock, 50 us
 * after the one before. Prints how many blocks a locked get waits on average. */
#include "check.h"
#include "sidewinder.h"

int main(int argc, char **argv)
{
    enum { GETS = 10 };
    int done = 0, right = 1;
    long *cell, value;
    MPI_Win win;
    check_begin(&argc, &argv, 2);
    MPI_Win_allocate(sizeof *cell, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    *cell = 7;
    MPI_Win_fence(0, win);
    double start = MPI_Wtime();
    sw_compute(1e5);
    double cycles_per_ms = 1e5 / (MPI_Wtime() - start) * 1e-3, waited = 0;

    while (check_rank == 1 && !done) {
        sw_compute(cycles_per_ms);
        MPI_Iprobe(0, 0, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
    }
    for (int i = 0; check_rank == 0 && i < GETS; i++) {
        sw_compute(cycles_per_ms * 0.05);
        start = MPI_Wtime();
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Get(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
        MPI_Win_unlock(1, win);
        waited += MPI_Wtime() - start;
        right = right && value == 7;
    }
    if (check_rank == 0) {
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
        printf("blocks=%.3f\n", waited / GETS * 1e3), fflush(stdout);
    }
    if (check_rank == 1) MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(right, "every get returned the number");
    MPI_Win_free(&win);
    return check_end();
}
