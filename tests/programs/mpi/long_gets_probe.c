/* Each rank gets 64 KiB of every other, four times. Argument: how far apart they begin. */
#include <mpi.h>
#include <sidewinder.h>
#include <stdlib.h>

enum { BYTES = 65536 };
static char here[BYTES];

int main(int argc, char **argv)
{
    int rank, ranks;
    char *memory;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    sw_compute((rank * 2654435761u >> 7) % 1000 * (double)atoi(argv[1]) / 100);
    for (int i = 0; i < 4; i++)
        for (int far = 1; far < ranks; far++) {
            MPI_Get(here, BYTES, MPI_BYTE, (rank + far) % ranks, 0, BYTES, MPI_BYTE, win);
            MPI_Win_flush((rank + far) % ranks, win);
        }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
