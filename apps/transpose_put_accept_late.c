/* The transpose of transpose.h with PUT/ACCEPT, the simple way: every rank puts a block to every
 * rank, itself too, and then accepts as many. No rank accepts before all its own blocks are put, so
 * most of those that come must wait. */
#include "transpose.h"
#include "put_accept.h"

enum { TAG = 1 };
static MPI_Aint room;

static void allocate(MPI_Aint bytes)
{
    room = bytes;
    PA_Rma_malloc(&b, bytes);
}

static void begin(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void release(void) { PA_Rma_free(b); }

static void exchange(void)
{
    for (int step = 0; step < ranks; step++) {
        int target = (rank + step) % ranks; /* not everybody to the same target at once */
        PA_Put(block_for(target), rows, columns, target, block_at(), 1, block, TAG, MPI_COMM_WORLD);
    }
    PA_Accept(b, room, sizeof *b, TAG, MPI_COMM_WORLD, ranks);
}

int main(int argc, char **argv)
{
    static const struct transpose_interface put_accept = {"transpose_put_accept_late", allocate,
                                                          begin, exchange, release};
    return transpose(argc, argv, &put_accept);
}
