/* False sharing: every rank counts in a word of its own at rank 0, once with the words side by side
 * and once with each in a line of its own. No word is ever shared; on a machine whose processors
 * keep lines coherent the lines are.
 *
 *   add      every rank adds to its word with MPI_Accumulate
 *   owner    rank 0 counts in the first word with plain loads and stores, computing a little in
 * between, while the others put their counts into their words; only rank 0's time is measured */
#include <mpi.h>
#include <sidewinder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWNER_CYCLES = 50 };

static double add(MPI_Win win, int rank, int stride, int updates)
{
    const long one = 1;
    MPI_Win_fence(0, win);
    double start = MPI_Wtime();
    for (int i = 0; i < updates; i++)
        MPI_Accumulate(&one, 1, MPI_LONG, 0, (MPI_Aint)rank * stride, 1, MPI_LONG, MPI_SUM, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    return MPI_Wtime() - start;
}

static double own(MPI_Win win, volatile long *words, int rank, int stride, int updates)
{
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    double start = MPI_Wtime();
    for (int i = 0; rank == 0 && i < updates; i++) {
        words[0]++;
        sw_compute(OWNER_CYCLES);
    }
    double elapsed = MPI_Wtime() - start;
    for (long i = 1; rank > 0 && i <= updates; i++) {
        MPI_Put(&i, 1, MPI_LONG, 0, (MPI_Aint)rank * stride, 1, MPI_LONG, win);
        MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    return elapsed;
}

/* Seconds for one of `updates` increments of this rank's word; the words lie `stride` longs apart.
 */
static double count(int owner, MPI_Win win, long *words, int rank, int ranks, int stride,
                    int updates, int *wrong)
{
    if (rank == 0)
        for (int i = 0; i < ranks * stride; i++) words[i] = 0;
    double elapsed =
        owner ? own(win, words, rank, stride, updates) : add(win, rank, stride, updates);
    /* where memory is not unified: look at what was put */
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    if (rank == 0)
        for (int r = 0; r < ranks; r++) *wrong |= words[r * stride] != updates;
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    return elapsed / updates;
}

int main(int argc, char **argv)
{
    int rank, ranks, updates = argc > 1 ? atoi(argv[1]) : 200,
                     line = argc > 2 ? atoi(argv[2]) : 128;
    int owner = argc > 3 && strcmp(argv[3], "owner") == 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 4 || (argc > 3 && !owner && strcmp(argv[3], "add") != 0) || updates < 1 ||
        line < (int)sizeof(long) || line % (int)sizeof(long) != 0) {
        if (rank == 0)
            fprintf(stderr, "usage: false_sharing [updates per rank, 200] [bytes to pad a word to, "
                            "128; a multiple of 8] [add|owner]\n");
        MPI_Finalize();
        return 2;
    }
    int stride = line / (int)sizeof(long);
    long *words;
    MPI_Win win;
    MPI_Aint bytes = rank == 0 ? (MPI_Aint)ranks * line : 0; /* only rank 0 provides memory */
    MPI_Win_allocate(bytes, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &words, &win);

    int wrong = 0;
    double warm = count(owner, win, words, rank, ranks, stride, 1, &wrong);
    double beside = count(owner, win, words, rank, ranks, 1, updates, &wrong);
    double padded = count(owner, win, words, rank, ranks, stride, updates, &wrong);
    (void)warm;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (rank == 0) {
        printf(owner ? "%d ranks: rank 0 counts in its own word, the others put beside it\n"
                     : "%d ranks, each adding to its own word at rank 0\n",
               ranks);
        printf("words side by side:         %9.3f us an update\n", beside * 1e6);
        printf("words padded to %4d bytes: %9.3f us an update\n", line, padded * 1e6);
        printf("false_sharing: padding makes it %.2f times as fast; every count is right: %s\n",
               beside / padded, wrong ? "WRONG" : "ok");
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return wrong;
}
