/* Every rank has TIMES operations of BYTES in flight, by a PATTERN: ring and gets to its neighbour,
 * all to each other in turn, fetch to the neighbour's word, word to rank 0's.
 * Prints from when they begin until the last is complete. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks, bytes;
static char *mine;
static MPI_Win win;

static void put(int target)
{
    MPI_Put(mine, bytes, MPI_BYTE, target, (MPI_Aint)rank * bytes, bytes, MPI_BYTE, win);
}

static void operate(char pattern, int i)
{
    const int next = (rank + 1) % ranks, to = pattern == 'f' ? next : 0;
    long one = 1, old;
    switch (pattern) {
    case 'r': put(next); break;
    case 'a': put((rank + 1 + i % (ranks - 1)) % ranks); break;
    case 'g':
        MPI_Get(mine, bytes, MPI_BYTE, next, (MPI_Aint)rank * bytes, bytes, MPI_BYTE, win);
        break;
    default: MPI_Fetch_and_op(&one, &old, MPI_LONG, to, 0, MPI_SUM, win); MPI_Win_flush(to, win);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int times = atoi(argv[3]);
    char *window;
    double elapsed = 0;
    bytes = atoi(argv[2]);
    mine = calloc(1, (size_t)bytes);
    MPI_Win_allocate((MPI_Aint)ranks * bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    for (int round = 0; round < 2; round++) { /* the first opens epochs and fills caches */
        MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime(), first, last, end;
        for (int i = 0; i < (round ? times : 1); i++) operate(*argv[1], i);
        MPI_Win_flush_all(win);
        end = MPI_Wtime();
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_unlock_all(win);
        MPI_Reduce(&begin, &first, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
        MPI_Reduce(&end, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        elapsed = last - first;
    }
    if (rank == 0) printf("%.9g\n", elapsed);
    free(mine);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
