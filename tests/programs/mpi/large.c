/* One accumulate of 32 million bytes by each rank: every element is right. The caches' transactions
 * on the bus are booked one by one, far ahead of the clock, each rank's among the other's. */
#include "check.h"

enum { N = 4000000 };

int main(int argc, char **argv)
{
    long *window, *add = malloc(N * sizeof *add), bad = 0;
    MPI_Win win;
    check_begin(&argc, &argv, 2);
    MPI_Win_allocate(N * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window,
                     &win);
    for (long i = 0; i < N; i++) add[i] = check_rank + i;
    MPI_Win_fence(0, win);
    MPI_Accumulate(add, N, MPI_LONG, (check_rank + 1) % check_ranks, 0, N, MPI_LONG, MPI_SUM, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    int from = (check_rank + check_ranks - 1) % check_ranks;
    for (long i = 0; i < N; i++) bad += window[i] != from + i;
    check(bad == 0, "32 million bytes are accumulated");
    MPI_Win_free(&win);
    free(add);
    return check_end();
}
