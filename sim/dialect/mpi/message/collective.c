/* Collective calls begin and end, as the check hears of it: what they order follows their data. */
#include "check/check.h"
#include "dialect/mpi/message/pending.h"

void dialect_meet(struct dialect_call *call, enum check_flow flow, int root, int64_t count,
                  MPI_Datatype type)
{
    struct check_comm c;
    if (!dialect_comm_checked(call->rank, call->comm, &c)) return;
    bool bytes = count > 0 && !dialect_no_bytes(type);
    call->meeting = check_meet(call->rank->rank, &c, flow, root, bytes);
}

void dialect_met(const struct dialect_call *call)
{
    if (!call->meeting) return;
    if (call->request)
        dialect_meets_later(call);
    else
        dialect_meeting_over(call->rank, call->comm, call->meeting);
}
