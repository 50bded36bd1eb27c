/* Locks exclude and share. "MPI_LOCK_EXCLUSIVE or MPI_LOCK_SHARED: accesses that are protected by
 * an exclusive lock will not be concurrent at the window site with other accesses to the same
 * window that are lock protected" (MPI-2 11.4.3). Every rank notes when it held the lock, by
 * MPI_Wtime. */
#include "check.h"
#include "sidewinder.h"

enum { ROUNDS = 4, WORK = 3000 }; /* cycles of work while holding: some 20 microseconds */

struct held {
    double from, to;
};

static long *window;
static MPI_Win win;
static int rank, ranks;

static struct held hold(int type, int target)
{
    struct held h;
    long one = 1;
    MPI_Win_lock(type, target, 0, win);
    h.from = MPI_Wtime();
    MPI_Accumulate(&one, 1, MPI_LONG, target, 0, 1, MPI_LONG, MPI_SUM, win);
    sw_compute(WORK);
    h.to = MPI_Wtime();
    MPI_Win_unlock(target, win);
    return h;
}

/* How many pairs of holdings, of different ranks, overlap? all[] is everybody's, rank by rank. */
static int overlaps(const struct held *all, int each)
{
    int pairs = 0;
    for (int i = 0; i < ranks * each; i++)
        for (int k = 0; k < i; k++)
            if (i / each != k / each && all[i].from < all[k].to && all[k].from < all[i].to) pairs++;
    return pairs;
}

static int overlaps_of(const struct held *mine, int each)
{
    struct held *all = malloc(sizeof *all * (size_t)(each * ranks));
    MPI_Allgather(mine, 2 * each, MPI_DOUBLE, all, 2 * each, MPI_DOUBLE, MPI_COMM_WORLD);
    int pairs = overlaps(all, each);
    free(all);
    return pairs;
}

static void everybody(int type, const char *sentence, int (*as_expected)(int))
{
    struct held mine[ROUNDS];
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < ROUNDS; i++) mine[i] = hold(type, 0);
    check(as_expected(overlaps_of(mine, ROUNDS)), sentence);
}

static int none(int pairs) { return pairs == 0; }
static int some(int pairs) { return pairs > 0; }

/* Rank 1 holds shared for long; rank 2 asks for the exclusive lock meanwhile. And the other way
 * round. */
static void one_waits(int first, int second, int waits, const char *sentence)
{
    struct held mine = {0, 0};
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Win_lock(first, 0, 0, win);
        mine.from = MPI_Wtime();
        MPI_Send(NULL, 0, MPI_BYTE, 2, 0, MPI_COMM_WORLD);
        sw_compute(100000);
        mine.to = MPI_Wtime();
        MPI_Win_unlock(0, win);
    }
    if (rank == 2) {
        MPI_Recv(NULL, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(second, 0, 0, win);
        mine.from = mine.to = MPI_Wtime();
        MPI_Win_unlock(0, win);
    }
    struct held *all = malloc(sizeof *all * (size_t)ranks);
    MPI_Allgather(&mine, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, MPI_COMM_WORLD);
    check((all[2].from >= all[1].to) == waits, sentence);
    free(all);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 3);
    rank = check_rank, ranks = check_ranks;
    MPI_Win_allocate(sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    *window = 0;
    MPI_Win_unlock(rank, win);

    everybody(MPI_LOCK_EXCLUSIVE, "no two exclusive holders overlap", none);
    everybody(MPI_LOCK_SHARED, "shared holders overlap", some);
    one_waits(MPI_LOCK_SHARED, MPI_LOCK_EXCLUSIVE, 1,
              "an exclusive lock waits for a shared holder");
    one_waits(MPI_LOCK_EXCLUSIVE, MPI_LOCK_SHARED, 1,
              "a shared lock waits for an exclusive holder");
    one_waits(MPI_LOCK_EXCLUSIVE, MPI_LOCK_EXCLUSIVE, 1,
              "an exclusive lock waits for an exclusive holder");
    one_waits(MPI_LOCK_SHARED, MPI_LOCK_SHARED, 0,
              "a shared lock does not wait for a shared holder");

    /* the owner takes part like anybody else */
    struct held mine[ROUNDS];
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < ROUNDS; i++) mine[i] = hold(MPI_LOCK_EXCLUSIVE, 1);
    check(overlaps_of(mine, ROUNDS) == 0,
          "no two exclusive holders overlap, the window's owner among them");
    /* locks of different targets are different locks */
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < ROUNDS; i++) mine[i] = hold(MPI_LOCK_EXCLUSIVE, rank);
    check(overlaps_of(mine, ROUNDS) > 0,
          "exclusive locks of different targets are held at the same time");

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    long expected = rank == 0 ? 2L * ROUNDS * ranks : rank == 1 ? (long)ROUNDS * ranks : 0;
    long seen = *window;
    MPI_Win_unlock(rank, win);
    check(seen == expected + ROUNDS, "every update made under a lock is there");

    MPI_Win_free(&win);
    return check_end();
}
