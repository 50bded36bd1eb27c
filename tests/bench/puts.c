/* Many puts: fence EPOCHS PUTS BYTES (every rank puts to its neighbour between fences), lock EPOCHS
 * (rank 0 locks, puts 8 bytes, unlocks, one at a time). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int lock = strcmp(argv[1], "lock") == 0, epochs = atoi(argv[2]);
    int puts = lock ? 1 : atoi(argv[3]), bytes = lock ? 8 : atoi(argv[4]);
    int to = (rank + 1) % ranks;
    char *memory = calloc(puts, bytes), *origin = calloc(1, bytes);
    MPI_Win win;
    MPI_Win_create(memory, (MPI_Aint)puts * bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (!lock) MPI_Win_fence(0, win);
    for (int e = 0; e < epochs; e++) {
        if (lock && rank == 0) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, to, 0, win);
            MPI_Put(origin, bytes, MPI_BYTE, to, 0, bytes, MPI_BYTE, win);
            MPI_Win_unlock(to, win);
        }
        if (!lock) {
            for (int i = 0; i < puts; i++)
                MPI_Put(origin, bytes, MPI_BYTE, to, (MPI_Aint)i * bytes, bytes, MPI_BYTE, win);
            MPI_Win_fence(0, win);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
