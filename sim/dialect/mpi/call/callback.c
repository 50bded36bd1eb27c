/* Functions of the program's that a call of MPI calls, and that run in the program's own time:
 * those of attributes and errors. */
#include "dialect/mpi/call/call.h"
#include "world/access/access.h"

struct world_rank *dialect_callback_begin(void)
{
    static const struct world_argument none[2];
    struct world_rank *r = world_here();
    if (r) world_callback_begin(r, none);
    return r;
}

int dialect_callback_end(struct world_rank *rank, int code)
{
    if (rank) world_callback_end(rank);
    return code;
}
