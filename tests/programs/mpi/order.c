/* "The default ordering is strict ordering, which guarantees that overlapping updates from the same
 * source to a remote location are committed in program order and that reads (e.g., with
 * MPI_GET_ACCUMULATE) and writes (e.g., with MPI_ACCUMULATE) are executed and committed in program
 * order" (MPI-3 11.7.2). Long ones and short ones behind each other, which may travel in different
 * ways: replace, then sum, then product. */
#include "check.h"

enum { LONGEST = 4096, SIZES = 3 };

static const int size[SIZES] = {1, 200, LONGEST};
static double *window, five[LONGEST], two[LONGEST], old[LONGEST];
static MPI_Win win;

static void accumulate(const double *from, int n, MPI_Op op)
{
    MPI_Accumulate(from, n, MPI_DOUBLE, 1, 0, n, MPI_DOUBLE, op, win);
}

static void replace_sum_product(int first, int second, int fetches)
{
    accumulate(five, first, MPI_REPLACE);
    if (fetches)
        MPI_Get_accumulate(two, second, MPI_DOUBLE, old, second, MPI_DOUBLE, 1, 0, second,
                           MPI_DOUBLE, MPI_SUM, win);
    else
        accumulate(two, second, MPI_SUM);
    accumulate(two, 1, MPI_PROD);
}

/* How many elements of the target's window, and of what was fetched, are wrong. */
static int wrong(int first, int second, int fetches)
{
    int bad = 0;
    for (int i = 0; check_rank == 1 && i < LONGEST; i++) {
        double expected = (i < first ? 5 : 1) + (i < second ? 2 : 0);
        bad += window[i] != (i == 0 ? 2 * expected : expected);
    }
    for (int i = 0; check_rank == 0 && fetches && i < second; i++)
        bad += old[i] != (i < first ? 5 : 1);
    return bad;
}

static int epoch(int locks, int first, int second, int fetches)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, check_rank, 0, win);
    for (int i = 0; i < LONGEST; i++) window[i] = 1;
    MPI_Win_unlock(check_rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (locks && check_rank == 0) MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    if (!locks) MPI_Win_fence(0, win);
    if (check_rank == 0) replace_sum_product(first, second, fetches);
    if (locks && check_rank == 0) MPI_Win_unlock(1, win);
    if (!locks) MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, check_rank, 0, win);
    int bad = wrong(first, second, fetches);
    MPI_Win_unlock(check_rank, win);
    return bad;
}

int main(int argc, char **argv)
{
    int bad[2][2] = {{0}};
    check_begin(&argc, &argv, 2);
    MPI_Win_allocate(LONGEST * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &window, &win);
    for (int i = 0; i < LONGEST; i++) five[i] = 5, two[i] = 2;
    for (int locks = 0; locks < 2; locks++)
        for (int fetches = 0; fetches < 2; fetches++)
            for (int a = 0; a < SIZES; a++)
                for (int b = 0; b < SIZES; b++)
                    bad[locks][fetches] += epoch(locks, size[a], size[b], fetches);
    check(bad[0][0] == 0,
          "accumulates of one origin to one target are performed in its order, between fences");
    check(bad[1][0] == 0,
          "accumulates of one origin to one target are performed in its order, under a lock");
    check(bad[0][1] + bad[1][1] == 0,
          "MPI_Get_accumulate fetches what the accumulates before it have left");
    MPI_Win_free(&win);
    return check_end();
}
