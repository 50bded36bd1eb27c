/* What does it cost to read what others have put? Round after round every rank puts into the window
 * of its right neighbour and then adds up its own, and a private array besides.
 *
 *   whole    the whole window is put in every round
 *   edge     only its first 64 bytes are
 *   rare     the whole window, in every 8th round
 *   unread   the whole window is put in every round, but only its first 64 bytes are read
 *
 *   barrier  all puts are done and a barrier is passed before anyone reads; nothing informs the
 * cache. MPI allows that where the window's memory is unified; elsewhere the reader may find old
 * values, which are counted sync     the same, and MPI_Win_sync before reading: right everywhere
 *   fence    fences instead */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum pattern { WHOLE, EDGE, RARE, UNREAD, PATTERNS };
enum way { BARRIER, SYNC, FENCE, WAYS };
static const char *const pattern_name[PATTERNS] = {"whole", "edge", "rare", "unread"},
                         *const way_name[WAYS] = {"barrier", "sync", "fence"};
enum { EDGE_WORDS = 8, RARE_ROUNDS = 8, OWN_WORDS = 512 };

static int find(const char *word, const char *const *name, int names)
{
    int i = 0;
    while (i < names && strcmp(word, name[i]) != 0) i++;
    return i;
}

static MPI_Win win;

static void to_others(enum way way) /* what was put is there, for all that read memory */
{
    if (way == FENCE) {
        MPI_Win_fence(0, win);
        return;
    }
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (way == SYNC) MPI_Win_sync(win);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    enum pattern pattern = argc > 1 ? (enum pattern)find(argv[1], pattern_name, PATTERNS) : WHOLE;
    enum way way = argc > 2 ? (enum way)find(argv[2], way_name, WAYS) : SYNC;
    int bytes = argc > 3 ? atoi(argv[3]) : 4096, rounds = argc > 4 ? atoi(argv[4]) : 16;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 5 || pattern == PATTERNS || way == WAYS || bytes < 64 || bytes % 8 != 0 ||
        bytes > 1 << 24 || rounds < 1) {
        if (rank == 0)
            fprintf(stderr, "usage: sharing [whole|edge|rare|unread] [barrier|sync|fence] [bytes "
                            "of a window, 4096, at least 64] [rounds, 16]\n");
        MPI_Finalize();
        return 2;
    }
    int words = bytes / 8, right = (rank + 1) % ranks,
        read = pattern == UNREAD ? EDGE_WORDS : words;
    double *window, *out = malloc((size_t)bytes), own[OWN_WORDS], sum = 0;
    MPI_Win_allocate(bytes, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    for (int i = 0; i < words; i++) window[i] = out[i] = 0;
    for (int i = 0; i < OWN_WORDS; i++) own[i] = i;
    MPI_Win_fence(way == FENCE ? 0 : MPI_MODE_NOSUCCEED, win);
    if (way != FENCE) MPI_Win_lock_all(MPI_MODE_NOCHECK, win);

    long old = 0;
    double elapsed = 0;
    int put_in = -1; /* the round of the last put of all words */
    for (int round = 0; round < rounds + RARE_ROUNDS; round++) { /* the first warm up */
        int put = pattern == RARE   ? (round % RARE_ROUNDS ? 0 : words)
                  : pattern == EDGE ? EDGE_WORDS
                                    : words;
        for (int i = 0; i < put; i++) out[i] = round;
        if (put == words) put_in = round;
        MPI_Barrier(MPI_COMM_WORLD); /* all have read what they wanted, and begin together */
        double start = MPI_Wtime();
        if (put > 0) MPI_Put(out, put, MPI_DOUBLE, right, 0, put, MPI_DOUBLE, win);
        to_others(way);
        double seen = 0;
        for (int i = 0; i < read; i++) seen += window[i];
        for (int i = 0; i < OWN_WORDS; i++) sum += own[i];
        if (round >= RARE_ROUNDS) elapsed += MPI_Wtime() - start;
        double expected = pattern == EDGE ? (double)EDGE_WORDS * round : (double)read * put_in;
        if (round >= RARE_ROUNDS) old += seen != expected;
        if (way == FENCE) MPI_Win_fence(0, win);
    }
    if (way != FENCE) MPI_Win_unlock_all(win);

    MPI_Allreduce(MPI_IN_PLACE, &old, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &elapsed, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    int wrong = way != BARRIER && old > 0;
    wrong |= sum != (double)(rounds + RARE_ROUNDS) * OWN_WORDS * (OWN_WORDS - 1) / 2;
    if (rank == 0)
        printf("sharing %s %s: %d bytes, %.3f us a round, %ld of %ld sums of old values: %s\n",
               pattern_name[pattern], way_name[way], bytes, elapsed / rounds / ranks * 1e6, old,
               (long)rounds * ranks, wrong ? "WRONG" : "ok");
    MPI_Win_free(&win);
    free(out);
    MPI_Finalize();
    return wrong;
}
