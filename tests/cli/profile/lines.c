/* A program whose dearest lines are known: one misses, one divides, one waits, one reads old bytes;
 * and memcpy, sw_compute and two functions of one file. */
#include <mpi.h>
#include <sidewinder.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1 << 16, STEPS = 20000, LATE = 3 };
double far[N], copy[N]; /* not static: their values are nobody's to guess */
static volatile double sum;

static __attribute__((noinline)) void misses(void)
{
    double s = 0;
    for (int i = 0; i < N; i += 8) s += far[i]; /* misses */
    sum = s;
}

static __attribute__((noinline)) void divides(void)
{
    double s = 3;
    for (int i = 1; i < STEPS; i++) s = s / 1.0001 + i; /* divides */
    sum = s;
}

static __attribute__((noinline)) void copies(void)
{
    memcpy(copy, far, sizeof copy); /* copies */
    sw_compute_seconds(1e-5);       /* asks */
}

int main(int argc, char **argv)
{
    MPI_Win win;
    int rank, *base, one = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    base[0] = 0;
    MPI_Win_fence(0, win);
    misses();
    divides();
    copies();
    for (int i = 0; rank == 1 && i < LATE; i++) divides();
    MPI_Win_fence(0, win); /* waits */
    MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
