/* Fetch-and-increment registers as counters. Arguments: what to do, and for a mistake which. */
#include "check.h"
#include "sidewinder.h"

#include <stdint.h>

static int rank, ranks;

static MPI_Win counter(MPI_Aint bytes, void **base)
{
    MPI_Info info;
    MPI_Win win = MPI_WIN_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, SW_COUNTER, "true");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (MPI_Win_allocate(bytes, 1, info, MPI_COMM_WORLD, base, &win) != MPI_SUCCESS)
        win = MPI_WIN_NULL;
    MPI_Info_free(&info);
    return win;
}

static int64_t fetch(MPI_Win win, int64_t value, MPI_Op op)
{
    int64_t old = -1;
    MPI_Fetch_and_op(&value, &old, MPI_INT64_T, 0, 0, op, win);
    MPI_Win_flush(0, win);
    return old;
}

/* All but rank 0 add to one counter; every number is given out once. */
static void count(int times)
{
    void *base;
    MPI_Win win = counter(rank ? 0 : sizeof(int64_t), &base);
    MPI_Win_lock_all(0, win);
    if (rank == 0) fetch(win, 1000, MPI_REPLACE);
    MPI_Barrier(MPI_COMM_WORLD);
    int64_t sum = 0, all, last = 999;
    double begin = MPI_Wtime(), end, first, took;
    int rising = 1;
    for (int i = 0; rank > 0 && i < times; i++) {
        int64_t mine = fetch(win, 1, MPI_SUM);
        rising &= mine > last;
        sum += last = mine;
    }
    end = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(&sum, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&begin, &first, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&end, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    int64_t n = (int64_t)(ranks - 1) * times;
    check(rising, "each rank's numbers rise");
    check(all == n * 1000 + n * (n - 1) / 2, "each number is given out once");
    check(fetch(win, 0, MPI_NO_OP) == 1000 + n, "MPI_NO_OP reads how many there were");
    if (rank == 0) printf("registers=%d\nseconds=%.9g\n", sw_counters(), took - first);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

/* As many windows at a time as there are registers, and again when they are free. */
static void most(void)
{
    void *base;
    MPI_Win win[3], more;
    for (int round = 0; round < 2; round++) {
        int n = 0;
        while (n < 3 && (win[n] = counter(sizeof(int32_t), &base)) != MPI_WIN_NULL) n++;
        check(n == sw_counters(), "there are as many counters as registers, each time");
        for (int i = 0; i < n; i++) MPI_Win_free(&win[i]);
    }
    more = counter(0, &base);
    check(more != MPI_WIN_NULL, "a member without an integer needs no register");
    MPI_Win_free(&more);
    check(counter(12, &base) == MPI_WIN_NULL, "a counter is one integer");
}

/* Each is an error, which names what is allowed. */
static void wrong(const char *how)
{
    void *base;
    int64_t one = 1, two = 2, old;
    MPI_Win win = counter(sizeof(int64_t), &base);
    MPI_Win_lock_all(0, win);
    switch (how[0]) {
    case 'p': MPI_Put(&one, 1, MPI_INT64_T, 0, 0, 1, MPI_INT64_T, win); break;
    case 'a': MPI_Accumulate(&one, 1, MPI_INT64_T, 0, 0, 1, MPI_INT64_T, MPI_SUM, win); break;
    case 't': MPI_Fetch_and_op(&two, &old, MPI_INT64_T, 0, 0, MPI_SUM, win); break;
    case 'm': MPI_Fetch_and_op(&one, &old, MPI_INT64_T, 0, 0, MPI_MAX, win); break;
    case 'f': MPI_Fetch_and_op(&one, &old, MPI_DOUBLE, 0, 0, MPI_NO_OP, win); break;
    case 's': MPI_Fetch_and_op(&one, &old, MPI_INT32_T, 0, 0, MPI_SUM, win); break;
    case 'c': MPI_Compare_and_swap(&one, &two, &old, MPI_INT64_T, 0, 0, win); break;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    rank = check_rank;
    ranks = check_ranks;
    if (strcmp(argv[1], "count") == 0) count(atoi(argv[2]));
    if (strcmp(argv[1], "most") == 0) most();
    if (strcmp(argv[1], "wrong") == 0) wrong(argv[2]);
    return check_end();
}
