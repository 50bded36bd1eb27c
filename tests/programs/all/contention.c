/* ORIGINS ranks behind the TARGETS first ones (one if not given) each have TIMES operations of each
 * of KINDS, of BYTES each, in flight at each target, each kind to a place of the origin's own
 * (accumulates: to one word). Prints from when they begin until the last is complete.
 *
 * contention KINDS ORIGINS BYTES TIMES [TARGETS]     KINDS: put, get, acc, put+get, ... */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, times = atoi(argv[4]), origins = atoi(argv[2]), bytes = atoi(argv[3]);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const bool put = strstr(argv[1], "put"), get = strstr(argv[1], "get"),
               acc = strstr(argv[1], "acc");
    const int targets = argc > 5 ? atoi(argv[5]) : 1, kinds = put + get + acc;
    const bool origin = rank >= targets && rank < targets + origins;
    const MPI_Aint apart = bytes < 128 ? 128 : bytes, all = origins * apart;
    const MPI_Aint place = (rank - targets) * apart, got = put * all, word = (put + get) * all;
    char *window, *mine = memset(aligned_alloc(128, kinds * apart), 0, kinds * apart);
    char *into = mine + put * apart, *add = into + get * apart;
    MPI_Win win;
    MPI_Win_allocate(rank < targets ? kinds * all : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window,
                     &win);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    double elapsed[2];
    for (int round = 0; round < 2; round++) { /* the first opens epochs and fills caches */
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime(), end = begin, first, last;
        for (int i = 0; origin && i < (round ? times : 1); i++) {
            for (int to = 0; to < targets; to++) {
                if (put) MPI_Put(mine, bytes, MPI_BYTE, to, place, bytes, MPI_BYTE, win);
                if (get) MPI_Get(into, bytes, MPI_BYTE, to, got + place, bytes, MPI_BYTE, win);
                if (acc) MPI_Accumulate(add, 1, MPI_LONG, to, word, 1, MPI_LONG, MPI_SUM, win);
            }
        }
        for (int to = 0; origin && to < targets; to++) MPI_Win_flush(to, win), end = MPI_Wtime();
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Reduce(&begin, &first, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
        MPI_Reduce(&end, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        elapsed[round] = last - first;
    }
    if (rank == 0) printf("%.9g\n", elapsed[1]);
    MPI_Win_unlock_all(win);
    free(mine);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
