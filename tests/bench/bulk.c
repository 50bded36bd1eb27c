/* Long transfers: put|get TIMES BYTES: rank 0 puts to, or gets from, rank 1 between fences. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int put = strcmp(argv[1], "put") == 0, times = atoi(argv[2]), bytes = atoi(argv[3]);
    int rank;
    char *memory, *here = malloc(bytes);
    MPI_Win win;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memset(here, rank + 1, bytes);
    MPI_Win_fence(0, win);
    for (int i = 0; i < times; i++) {
        if (rank == 0 && put) MPI_Put(here, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, win);
        if (rank == 0 && !put) MPI_Get(here, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, win);
        MPI_Win_fence(0, win);
    }
    MPI_Win_free(&win);
    free(here);
    MPI_Finalize();
    return 0;
}
