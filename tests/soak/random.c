/* Random one-sided programs whose outcome is known: random SEED EPOCHS fence|pscw|lock.
 *
 * Every rank draws the same sequence of epochs. In an epoch each cell of each window is left alone,
 * put to by one rank, accumulated to by any, or got by any; so the standard allows exactly one
 * outcome, whatever the machine. After each epoch (synchronised as 11.7 asks before local accesses)
 * every rank compares its window, by loads, and what it got. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 61, RANKS_MAX = 64 };

static uint64_t state;
static unsigned draw(unsigned n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % n;
}

enum act { NOTHING, PUT, ADD, GET, ACTS };
static enum act act[RANKS_MAX][CELLS];
static int by[RANKS_MAX][CELLS]; /* who puts or gets */
static long expected[RANKS_MAX][CELLS], got[RANKS_MAX][CELLS];

static void open_epoch(const char *how, MPI_Group all, MPI_Win win)
{
    if (*how == 'f') MPI_Win_fence(0, win);
    if (*how == 'p') {
        MPI_Win_post(all, 0, win);
        MPI_Win_start(all, 0, win);
    }
}

static void close_epoch(const char *how, int me, MPI_Win win)
{
    if (*how == 'f') MPI_Win_fence(0, win);
    if (*how == 'p') {
        MPI_Win_complete(win);
        MPI_Win_wait(win);
    }
    if (*how == 'l') { /* everybody is done; now what they did becomes visible here */
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, win);
        MPI_Win_unlock(me, win);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int me, ranks, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 4 || ranks > RANKS_MAX) {
        if (me == 0)
            fprintf(stderr, "usage: random SEED EPOCHS fence|pscw|lock   (at most %d ranks)\n",
                    RANKS_MAX);
        MPI_Finalize();
        return 2;
    }
    state = strtoull(argv[1], NULL, 10);
    const char *how = argv[3];
    long *cell;
    MPI_Win win;
    MPI_Group all;
    MPI_Win_allocate(CELLS * sizeof *cell, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &cell,
                     &win);
    MPI_Win_get_group(win, &all);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, win);
    memset(cell, 0, CELLS * sizeof *cell);
    MPI_Win_unlock(me, win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int epoch = 0; epoch < atoi(argv[2]); epoch++) {
        for (int t = 0; t < ranks; t++)
            for (int c = 0; c < CELLS; c++) {
                act[t][c] = (enum act)draw(ACTS);
                by[t][c] = (int)draw((unsigned)ranks);
            }
        long sent[RANKS_MAX][CELLS];
        open_epoch(how, all, win);
        for (int t = 0; t < ranks; t++) {
            if (*how == 'l') MPI_Win_lock(MPI_LOCK_SHARED, t, 0, win);
            for (int c = 0; c < CELLS; c++) {
                sent[t][c] = 1000L * epoch + 10 * c + t + 1;
                if (act[t][c] == PUT && by[t][c] == me)
                    MPI_Put(&sent[t][c], 1, MPI_LONG, t, c, 1, MPI_LONG, win);
                if (act[t][c] == ADD && (me + by[t][c]) % 2)
                    MPI_Accumulate(&sent[t][c], 1, MPI_LONG, t, c, 1, MPI_LONG, MPI_SUM, win);
                if (act[t][c] == GET && by[t][c] == me)
                    MPI_Get(&got[t][c], 1, MPI_LONG, t, c, 1, MPI_LONG, win);
            }
            if (*how == 'l') MPI_Win_unlock(t, win);
        }
        close_epoch(how, me, win);
        for (int t = 0; t < ranks; t++)
            for (int c = 0; c < CELLS; c++) {
                if (act[t][c] == GET && by[t][c] == me && got[t][c] != expected[t][c]) wrong++;
                if (act[t][c] == PUT) expected[t][c] = sent[t][c];
                if (act[t][c] == ADD)
                    for (int r = 0; r < ranks; r++)
                        expected[t][c] += (r + by[t][c]) % 2 ? sent[t][c] : 0;
            }
        for (int c = 0; c < CELLS; c++) wrong += cell[c] != expected[me][c];
        /* nobody changes what another still compares */
        if (*how == 'l') MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Group_free(&all);
    MPI_Win_free(&win);
    if (wrong) printf("rank %d: %d values are wrong\n", me, wrong);
    MPI_Finalize();
    return wrong > 0;
}
