/* Four counters, a rank each, in memory that the ranks of a node share: in one cache line, each in
 * one of its own, or all of them the same word; others store their own by MPI_Put, or count in the
 * same word by MPI_Accumulate or C11's atomics. Prints the seconds of all ranks together. */
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 400, FAR = 32, MOST = 16 };

int main(int argc, char **argv)
{
    MPI_Win win;
    int rank, ranks, unit;
    MPI_Aint bytes;
    long *base;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int padded = strcmp(argv[1], "padded") == 0, same = strcmp(argv[1], "same") == 0;
    MPI_Win_allocate_shared(rank == 0 ? MOST * FAR * sizeof(long) : 0, sizeof(long), MPI_INFO_NULL,
                            MPI_COMM_WORLD, &base, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &base);
    volatile long *own = base + (same ? 0 : padded ? rank * FAR : rank);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    if (strcmp(argv[1], "put") == 0) {
        long one = 1;
        for (int i = 0; i < ROUNDS; i++)
            MPI_Put(&one, 1, MPI_LONG, 0, rank, 1, MPI_LONG, win); /* puts */
    } else if (strcmp(argv[1], "accumulate") == 0) {
        long one = 1;
        for (int i = 0; i < ROUNDS; i++)
            MPI_Accumulate(&one, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win); /* adds */
    } else if (strcmp(argv[1], "atomic") == 0) {
        for (int i = 0; i < ROUNDS; i++) atomic_fetch_add((_Atomic long *)base, 1);
    } else {
        for (int i = 0; i < ROUNDS; i++) *own = *own + 1; /* counts */
    }
    double mine = MPI_Wtime() - start, all;
    MPI_Win_unlock_all(win);
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%.9f\n", all);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
