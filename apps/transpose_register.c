/* The transpose of transpose.h with MPI windows and a registered datatype: every rank puts with it,
 * and every rank is a target. */
#include "transpose.h"
#include "type_register.h"

static MPI_Win win;

static void allocate(MPI_Aint bytes)
{
    MPI_Type_register(block, MPI_COMM_WORLD);
    MPI_Win_allocate(bytes, sizeof *b, MPI_INFO_NULL, MPI_COMM_WORLD, &b, &win);
}

static void begin(void) { MPI_Win_fence(MPI_MODE_NOPRECEDE, win); }

static void release(void)
{
    MPI_Win_free(&win);
    MPI_Type_dereg(block, MPI_COMM_WORLD);
}

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
    static const struct transpose_interface registered = {"transpose_register", allocate, begin,
                                                          exchange, release};
    return transpose(argc, argv, &registered);
}
