/* The histogram of histogram.h with MPI windows: every increment is an accumulate, all of them in
 * one epoch. */
#include "histogram.h"

static long *bin;
static MPI_Win win;

static long *allocate(void)
{
    MPI_Win_allocate(bins * (MPI_Aint)sizeof *bin, sizeof *bin, MPI_INFO_NULL, MPI_COMM_WORLD, &bin,
                     &win);
    for (int i = 0; i < bins; i++) bin[i] = 0;
    return bin;
}

static void begin(void) { MPI_Win_fence(MPI_MODE_NOPRECEDE, win); }

static void increment(int owner, long where)
{
    static const long one = 1;
    MPI_Accumulate(&one, 1, MPI_LONG, owner, where, 1, MPI_LONG, MPI_SUM, win);
}

static void finish(void) { MPI_Win_fence(MPI_MODE_NOSUCCEED, win); }
static void release(void) { MPI_Win_free(&win); }

int main(int argc, char **argv)
{
    static const struct histogram_interface windows = {"histogram", allocate, begin,
                                                       increment,   finish,   release};
    return histogram(argc, argv, &windows);
}
