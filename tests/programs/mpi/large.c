/* One accumulate of so many million bytes (the argument) by each rank: every element is right. The
 * caches' transactions on the bus are booked one by one, far ahead of the clock, each rank's among
 * the other's. */
#include "check.h"

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    int n = atoi(argv[1]) * 1000000 / (int)sizeof(long);
    long *window, *add = malloc((size_t)n * sizeof *add), bad = 0;
    MPI_Win win;
    MPI_Win_allocate(n * (MPI_Aint)sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &window, &win);
    for (long i = 0; i < n; i++) add[i] = check_rank + i;
    MPI_Win_fence(0, win);
    MPI_Accumulate(add, n, MPI_LONG, (check_rank + 1) % check_ranks, 0, n, MPI_LONG, MPI_SUM, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    int from = (check_rank + check_ranks - 1) % check_ranks;
    for (long i = 0; i < n; i++) bad += window[i] != from + i;
    check(bad == 0, "millions of bytes are accumulated");
    MPI_Win_free(&win);
    free(add);
    return check_end();
}
