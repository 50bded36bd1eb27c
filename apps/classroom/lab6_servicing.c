/* Lab 6: who does the work? Rank 1 computes in blocks of `grain` microseconds and calls MPI between
 * them; rank 0 gets one number from it again and again. How long does a get take, and how much
 * longer does rank 1's computation take? */
#include <mpi.h>
#include <sidewinder.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    double grain = argc > 1 ? atof(argv[1]) : 100, start, asked, waited = 0;
    int rank, done = 0, blocks = 0, gets = 50;
    long *window, value;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *window, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_fence(0, win);
    start = MPI_Wtime();
    sw_compute(100000);
    double us = 100000 / ((MPI_Wtime() - start) * 1e6); /* cycles in a microsecond */
    start = MPI_Wtime();
    if (rank == 1) {
        for (; !done; blocks++) {
            sw_compute(grain * us);
            /* any call of MPI lets the processor look around */
            MPI_Iprobe(0, 0, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
        }
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("a block of %.0f us takes %.0f us\n", grain, (MPI_Wtime() - start) * 1e6 / blocks);
    } else if (rank == 0) {
        for (int i = 0; i < gets; i++) {
            sw_compute(us * (30 + 17 * (i % 7))); /* not in step with rank 1 */
            asked = MPI_Wtime();
            MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
            MPI_Get(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
            MPI_Win_unlock(1, win);
            waited += MPI_Wtime() - asked;
        }
        printf("a locked get took %.0f us on average\n", waited / gets * 1e6);
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
