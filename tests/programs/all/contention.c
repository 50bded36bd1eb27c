/* Ranks 1 to ORIGINS each have TIMES operations of BYTES in flight at rank 0, each to a place of
 * its own (accumulates: to one word). Prints from when they begin until the last is complete. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, times = atoi(argv[4]), origins = atoi(argv[2]), bytes = atoi(argv[3]);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char kind = argv[1][0];
    const MPI_Aint apart = bytes < 128 ? 128 : bytes, place = (rank - 1) * apart;
    char *window, *mine = memset(aligned_alloc(128, apart), 0, apart);
    MPI_Win win;
    MPI_Win_allocate(rank ? 0 : origins * apart, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    double elapsed[2];
    for (int round = 0; round < 2; round++) { /* the first opens epochs and fills caches */
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime(), end = begin, first, last;
        for (int i = 0; rank > 0 && rank <= origins && i < (round ? times : 1); i++) {
            if (kind == 'p') MPI_Put(mine, bytes, MPI_BYTE, 0, place, bytes, MPI_BYTE, win);
            if (kind == 'g') MPI_Get(mine, bytes, MPI_BYTE, 0, place, bytes, MPI_BYTE, win);
            if (kind == 'a') MPI_Accumulate(mine, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win);
        }
        if (rank > 0 && rank <= origins) MPI_Win_flush(0, win), end = MPI_Wtime();
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
