/* A message leaves. Whoever probes at its target hears of it. Within a node SMPI carries any number
 * of them at once, each at net.local_bandwidth; but a processor copies one at a time: a rank's next
 * one begins when the last one is copied. Left out: messages of collectives,
 * copies of MPI_Start's, and what copies of several processors take from each other on the bus. */
#include "sync/heard/heard.h"
#include "world/access/access.h"
#include "dialect/mpi/message/message.h"

void dialect_leaves(struct dialect_call *call, const void *buf, int64_t count, MPI_Datatype handle,
                    int target)
{
    /* "A communication with process MPI_PROC_NULL has no effect." (MPI-3.1 3.11) */
    if (target == MPI_PROC_NULL) return;
    dialect_read(call, buf, count, handle);
    const struct dialect_comm *comm =
        call->rank && target >= 0 ? dialect_comm_find(call->rank, call->comm) : NULL;
    if (!comm || target >= comm->ranks->members) return;
    const int to = comm->ranks->world_rank[target];
    call->bytes = dialect_bytes(count, handle);
    if (call->bytes > 0) world_message_copied(call->rank, to, call->bytes);
    sync_message_leaves(call->rank->proc, to, call->bytes);
}
