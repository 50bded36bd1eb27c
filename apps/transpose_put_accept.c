/* The transpose of transpose.h with PUT/ACCEPT: every rank accepts a block from every rank, itself
 * too, and puts as many. It accepts before any rank puts, as one posts receives before sends, so no
 * block waits (transpose_put_accept_late.c: all do). */
#include "transpose.h"
#include "put_accept.h"

enum { TAG = 1 };
static MPI_Aint room;
static MPI_Request blocks;

static void allocate(MPI_Aint bytes)
{
    room = bytes;
    PA_Rma_malloc(&b, bytes);
}

static void begin(void)
{
    PA_Iaccept(b, room, sizeof *b, TAG, MPI_COMM_WORLD, ranks, &blocks);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void release(void) { PA_Rma_free(b); }

static void exchange(void)
{
    for (int step = 0; step < ranks; step++) {
        int target = (rank + step) % ranks; /* not everybody to the same target at once */
        PA_Put(block_for(target), rows, columns, target, block_at(), 1, block, TAG, MPI_COMM_WORLD);
    }
    MPI_Wait(&blocks, MPI_STATUS_IGNORE); /* for those that come and for those put */
}

int main(int argc, char **argv)
{
    static const struct transpose_interface put_accept = {"transpose_put_accept", allocate, begin,
                                                          exchange, release};
    return transpose(argc, argv, &put_accept);
}
