/* The transpose of transpose.h with MPI windows: one put for each target, all of them between two
 * fences. */
#include "transpose.h"

static MPI_Win win;

static void allocate(MPI_Aint bytes)
{
    MPI_Win_allocate(bytes, sizeof *b, MPI_INFO_NULL, MPI_COMM_WORLD, &b, &win);
}
static void begin(void) { MPI_Win_fence(MPI_MODE_NOPRECEDE, win); }
static void release(void) { MPI_Win_free(&win); }

static void exchange(void)
{
    for (int step = 0; step < ranks; step++) {
        int target = (rank + step) % ranks; /* not everybody to the same target at once */
        MPI_Put(block_for(target), rows, columns, target, block_at(), 1, block, win);
    }
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED, win);
}

int main(int argc, char **argv)
{
    static const struct transpose_interface windows = {"transpose", allocate, begin, exchange,
                                                       release};
    return transpose(argc, argv, &windows);
}
