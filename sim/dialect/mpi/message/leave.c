/* Messages within a node. SMPI carries any number of them at once, each at net.local_bandwidth; but
 * a processor copies one at a time: a rank's next one begins when the last one is copied. Left out:
 * messages of collectives and of MPI_Start, and what copies of several processors take from each
 * other on the bus. */
#include "world/access/access.h"
#include "dialect/mpi/message/message.h"

void dialect_copies(const struct dialect_call *call, int64_t count, MPI_Datatype handle, int target)
{
    const struct dialect_type *type = dialect_type_find(handle);
    const struct dialect_comm *comm =
        type && count > 0 && target >= 0 ? dialect_comm_find(call->rank, call->comm) : NULL;
    if (comm && target < comm->ranks->members)
        world_message_copied(call->rank, comm->ranks->world_rank[target],
                             (uint64_t)count * type->one.bytes);
}
