/* A longer put or get never takes less time than a shorter one; a put of a word is no atomic
 * operation. */
#include "check.h"

enum { WORDS = 4096, PUT = 0, GET = 1 };

static MPI_Win win;
static long *window, buffer[WORDS];

static double seconds(int kind, int words)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    if (check_rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        if (kind == PUT)
            MPI_Put(buffer, words, MPI_LONG, 1, 0, words, MPI_LONG, win);
        else
            MPI_Get(buffer, words, MPI_LONG, 1, 0, words, MPI_LONG, win);
        MPI_Win_unlock(1, win);
    }
    double end = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    return end - start;
}

int main(int argc, char **argv)
{
    int bad[2] = {0, 0};
    check_begin(&argc, &argv, 2);
    MPI_Win_allocate(sizeof buffer, sizeof *buffer, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    for (int i = 0; i < WORDS; i++) buffer[i] = i;
    for (int kind = PUT; kind <= GET; kind++) {
        double shorter = 0;
        for (int i = 0; i < 64; i++) seconds(kind, 1); /* its branches are known by then */
        for (int words = 1; words <= WORDS; words *= 2) {
            seconds(kind, words); /* whatever the caches held before, now they hold this */
            double longer = seconds(kind, words);
            bad[kind] += check_rank == 0 && longer < shorter * (1 - 1e-9);
            shorter = longer;
        }
    }
    check(bad[PUT] == 0, "a longer put never takes less time than a shorter one");
    check(bad[GET] == 0, "a longer get never takes less time than a shorter one");
    MPI_Win_free(&win);
    return check_end();
}
