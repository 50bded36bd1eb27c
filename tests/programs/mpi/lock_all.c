/* MPI_Win_lock_all (MPI-3 11.5.3): "starts an RMA access epoch to all processes in win, with a lock
 * type of MPI_LOCK_SHARED". A lock may be taken as late as the first operation: "the call
 * MPI_WIN_LOCK may not block, while the call to MPI_PUT blocks until a lock is acquired"
 * (MPI-2 11.4.3). Prints what an epoch with one put costs. */
#include "check.h"

enum { ROUNDS = 5 };

static MPI_Win win;
static long *window;

/* Odd ranks update under exclusive locks, by get and put; even ones under lock_all, by an atomic
 * operation. */
static void update(void)
{
    long value, one = 1;
    if (check_rank % 2) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
        MPI_Win_flush(0, win);
        value++;
        MPI_Put(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
        MPI_Win_unlock(0, win);
    } else {
        MPI_Win_lock_all(0, win);
        MPI_Fetch_and_op(&one, &value, MPI_LONG, 0, 0, MPI_SUM, win);
        MPI_Win_unlock_all(win);
    }
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    MPI_Win_allocate(2 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window,
                     &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, check_rank, 0, win);
    window[0] = window[1] = 0;
    MPI_Win_unlock(check_rank, win);
    MPI_Barrier(MPI_COMM_WORLD);

    for (int i = 0; i < ROUNDS; i++) update();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, check_rank, 0, win);
    check(check_rank != 0 || window[0] == (long)ROUNDS * check_ranks,
          "no update under an exclusive lock is lost while others hold the shared locks of "
          "MPI_Win_lock_all");
    MPI_Win_unlock(check_rank, win);

    double start = MPI_Wtime();
    long mine = check_rank;
    MPI_Win_lock_all(0, win);
    MPI_Put(&mine, 1, MPI_LONG, (check_rank + 1) % check_ranks, 1, 1, MPI_LONG, win);
    MPI_Win_unlock_all(win);
    double mean = (MPI_Wtime() - start) / check_ranks;
    MPI_Allreduce(MPI_IN_PLACE, &mean, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, check_rank, 0, win);
    check(window[1] == (check_rank + check_ranks - 1) % check_ranks,
          "a put under MPI_Win_lock_all is there after MPI_Win_unlock_all");
    MPI_Win_unlock(check_rank, win);
    if (check_rank == 0) printf("epoch=%.9f\n", mean * 1e6);
    MPI_Win_free(&win);
    return check_end();
}
