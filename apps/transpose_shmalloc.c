/* The transpose of transpose.h with SHMALLOC get/put: what a put brings lies contiguous at the
 * target, so each block arrives in a place of its own, and its owner copies it to where it belongs.
 */
#include "transpose.h"
#include <shmalloc.h>
#include <string.h>

static double *arrived; /* a block from each rank, one behind the other */
static MPI_Comm comm;

static void allocate(MPI_Aint bytes)
{
    SHM_Shmalloc(&arrived, bytes, MPI_COMM_WORLD, &comm);
    b = malloc((size_t)bytes);
}

static void begin(void) { MPI_Barrier(comm); }

static void release(void)
{
    MPI_Comm_free(&comm);
    free(b);
}

static void exchange(void)
{
    size_t numbers = (size_t)rows * (size_t)rows;
    for (int step = 0; step < ranks; step++) {
        int target = (rank + step) % ranks; /* not everybody to the same target at once */
        SHM_Put(block_for(target), rows, columns, (MPI_Aint)((size_t)rank * numbers * sizeof *b),
                target, comm);
    }
    MPI_Barrier(comm);
    for (int from = 0; from < ranks; from++)
        for (int i = 0; i < rows; i++)
            memcpy(&b[i * n + from * rows], &arrived[(size_t)from * numbers + (size_t)(i * rows)],
                   (size_t)rows * sizeof *b);
}

int main(int argc, char **argv)
{
    static const struct transpose_interface shmalloc = {"transpose_shmalloc", allocate, begin,
                                                        exchange, release};
    return transpose(argc, argv, &shmalloc);
}
