/* Collective calls begin and end: what they order and whom they wait for follows their data. */
#include "check/check.h"
#include "sync/late/late.h"
#include "dialect/mpi/message/pending.h"

static bool late_in(const struct dialect_call *call, struct sync_context *in)
{
    const struct dialect_comm *comm =
        call->rank && !call->request ? dialect_comm_find(call->rank, call->comm) : NULL;
    if (comm) *in = dialect_context_of(comm);
    return comm != NULL;
}

void dialect_meet(struct dialect_call *call, enum check_flow flow, int root, int64_t count,
                  MPI_Datatype type)
{
    struct check_comm c;
    struct sync_context in;
    call->flow = flow;
    call->root = root;
    call->bytes = dialect_bytes(count, type);
    call->waits = late_in(call, &in) && root >= 0 && root < in.members;
    if (call->waits) sync_late_enters(call->rank->proc, &in);
    if (!dialect_comm_checked(call->rank, call->comm, &c)) return;
    bool bytes = count > 0 && !dialect_no_bytes(type);
    call->meeting = check_meet(call->rank->rank, &c, flow, root, bytes);
}

void dialect_takes(const struct dialect_call *call, const int *counts)
{
    struct check_comm c;
    if (call->meeting && dialect_comm_checked(call->rank, call->comm, &c))
        check_meet_takes(call->meeting, &c, counts);
}

static enum sync_late_flow late_flow(enum check_flow flow)
{
    static const enum sync_late_flow of[] = {[CHECK_ALL] = SYNC_LATE_ALL,
                                             [CHECK_FROM_ROOT] = SYNC_LATE_FROM_ROOT,
                                             [CHECK_TO_ROOT] = SYNC_LATE_TO_ROOT,
                                             [CHECK_UPWARD] = SYNC_LATE_UPWARD,
                                             [CHECK_EACH] = SYNC_LATE_ALL};
    return of[flow];
}

void dialect_root_came(struct dialect_call *call)
{
    if (!call->meeting || call->request) return;
    dialect_meeting_over(call->rank, call->comm, call->meeting);
    call->meeting = NULL;
}

void dialect_met(const struct dialect_call *call)
{
    struct sync_context in;
    if (call->waits && late_in(call, &in))
        sync_late_has(call->rank->proc, &in, late_flow(call->flow), call->root, call->bytes);
    if (!call->meeting) return;
    if (call->request)
        dialect_meets_later(call);
    else
        dialect_meeting_over(call->rank, call->comm, call->meeting);
}

/* SimGrid's MPI_Ibarrier lets a rank pass once rank 0 has come (its smpi_nbc_impl.cpp: rank 0 sends
 * before it has received). So each rank hears from each. */
int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    static char one, some;
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    DIALECT_NO_THREAD(r);
    if (!r) return PMPI_Ibarrier(comm, request);
    struct dialect_call call = {.rank = r, .name = __func__, .request = request};
    call.comm = dialect_bridge(r, comm);
    dialect_meet(&call, CHECK_ALL, 0, 1, MPI_BYTE);
    world_settle(r);
    dialect_hold_places(r);
    int code = PMPI_Iallreduce(&one, &some, 1, MPI_BYTE, MPI_BOR, call.comm, request);
    if (code != MPI_SUCCESS) code = dialect_refused(r, comm, __func__, code);
    dialect_met(&call);
    if (code == MPI_SUCCESS) dialect_holds(&call, MPI_PROC_NULL, 0);
    world_leave(r);
    return code;
}
