/* All ranks at two targets at once: puts, gets, accumulates, and messages beside them. Prints how
 * many values are wrong. "The outcome of concurrent accumulates to the same location, with the same
 * operation and predefined datatype, is as if the accumulates were done at that location in some
 * serial order": no sum is lost, and what one rank fetches of a sum that only grows never becomes
 * smaller. */
#include <mpi.h>
#include <stdio.h>

enum { WORDS = 64, TIMES = 4 };

int main(int argc, char **argv)
{
    int rank, ranks, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    /* a slot of each origin; WORDS that all add to; WORDS that nobody writes */
    long *win_base;
    MPI_Win win;
    MPI_Win_allocate((MPI_Aint)((ranks + 2) * WORDS * sizeof(long)), sizeof(long), MPI_INFO_NULL,
                     MPI_COMM_WORLD, &win_base, &win);
    for (int i = 0; i < (ranks + 2) * WORDS; i++)
        win_base[i] = i < (ranks + 1) * WORDS ? 0 : rank * 1000L + i;
    MPI_Barrier(MPI_COMM_WORLD);
    long out[2][WORDS], got[2][WORDS], add[WORDS], old[WORDS];
    int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks, sent, came;
    MPI_Win_lock_all(0, win);
    long last = 0;
    for (int t = 1; t <= TIMES; t++) {
        for (int i = 0; i < WORDS; i++) add[i] = 1 + i;
        sent = rank * 100 + t;
        MPI_Request r[2];
        MPI_Irecv(&came, 1, MPI_INT, left, t, MPI_COMM_WORLD, &r[0]);
        MPI_Isend(&sent, 1, MPI_INT, right, t, MPI_COMM_WORLD, &r[1]);
        for (int target = 0; target < 2; target++) {
            for (int i = 0; i < WORDS; i++) out[target][i] = rank * 10000L + t * 100 + i + target;
            MPI_Put(out[target], WORDS, MPI_LONG, target, (MPI_Aint)rank * WORDS, WORDS, MPI_LONG,
                    win);
            MPI_Accumulate(add, WORDS, MPI_LONG, target, (MPI_Aint)ranks * WORDS, WORDS, MPI_LONG,
                           MPI_SUM, win);
            MPI_Get(got[target], WORDS, MPI_LONG, target, (MPI_Aint)(ranks + 1) * WORDS, WORDS,
                    MPI_LONG, win);
            MPI_Get_accumulate(add, 1, MPI_LONG, &old[target], 1, MPI_LONG, target,
                               (MPI_Aint)ranks * WORDS, 1, MPI_LONG, MPI_SUM, win);
        }
        MPI_Win_flush_all(win);
        if (old[0] < last) wrong++;
        last = old[0];
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        if (came != left * 100 + t) wrong++;
        for (int target = 0; target < 2; target++)
            for (int i = 0; i < WORDS; i++)
                wrong += got[target][i] != target * 1000L + (ranks + 1) * WORDS + i;
        long back[WORDS];
        for (int target = 0; target < 2; target++) {
            MPI_Get(back, WORDS, MPI_LONG, target, (MPI_Aint)rank * WORDS, WORDS, MPI_LONG, win);
            MPI_Win_flush(target, win);
            for (int i = 0; i < WORDS; i++) wrong += back[i] != out[target][i];
        }
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank < 2) {
        MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
        for (int o = 0; o < ranks; o++)
            for (int i = 0; i < WORDS; i++)
                wrong += win_base[o * WORDS + i] != o * 10000L + TIMES * 100 + i + rank;
        for (int i = 0; i < WORDS; i++)
            wrong += win_base[ranks * WORDS + i] !=
                     (long)ranks * TIMES * (1 + i) + (i == 0 ? (long)ranks * TIMES : 0);
        MPI_Win_unlock(rank, win);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d ranks: %d wrong\n", ranks, wrong);
    MPI_Win_free(&win);
    MPI_Finalize();
    return wrong != 0;
}
