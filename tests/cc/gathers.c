/* Rank 0 adds up elements of its window through a list of indices, a loop of which gcc makes
 * gathers. Rank 1 puts, in the same epoch, an element that is not in the list; with an argument one
 * that is. 2 ranks. */
#include "check.h"

enum { N = 4000 };
static int list[N];
static double sums[N];

static __attribute__((noinline)) void gather(double *restrict to, const double *restrict from,
                                             const int *restrict at)
{
    for (int i = 0; i < N; i++) to[i] = from[at[i]];
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    double *window, one = 1;
    MPI_Win win;
    MPI_Win_allocate(2 * N * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window,
                     &win);
    for (int i = 0; i < N; i++) {
        list[i] = 2 * (i * 7 % N);
        window[2 * i] = i;
        window[2 * i + 1] = -1;
    }
    MPI_Win_fence(0, win);
    if (check_rank == 1) MPI_Put(&one, 1, MPI_DOUBLE, 0, argc > 1 ? 20 : 21, 1, MPI_DOUBLE, win);
    if (check_rank == 0) gather(sums, window, list);
    MPI_Win_fence(0, win);
    int wrong = 0;
    for (int i = 0; i < N; i++) wrong += check_rank == 0 && sums[i] != list[i] / 2;
    check(wrong == 0 || argc > 1, "each element is the one of the list");
    MPI_Win_free(&win);
    return check_end();
}
