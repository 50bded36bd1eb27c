/* MPI_Cancel. */
#include "world/clock/clock.h"
#include "sync/heard/heard.h"
#include "sync/inquiry/inquiry.h"
#include "dialect/mpi/message/pending.h"

/* SMPI cancels what has met its message, too, which ends the run. */
static bool too_late(struct world_rank *r, const struct dialect_pending *p, MPI_Request request)
{
    MPI_Request after = request;
    MPI_Status status;
    int flag = 0;
    do {
        if (PMPI_Test(&after, &flag, &status) != MPI_SUCCESS) return false;
    } while (!flag && p && p->receive && world_now() < sync_message_last(r->proc));
    if (flag) dialect_pending_saw(r, request, &status, after != MPI_REQUEST_NULL);
    /* a long message that has met its other side is on its way, and comes to its end */
    return flag || !sync_message_queued(request);
}

/* "If a request is marked for cancellation, then a MPI_WAIT call for that request is guaranteed to
 * return" (MPI-3.1 3.8.4): it is complete now. SMPI's MPI_Wait would show that it was cancelled,
 * the calls on several requests do not. */
static int over(struct world_rank *r, MPI_Request request)
{
    MPI_Request after = request;
    MPI_Status status;
    const int code = PMPI_Wait(&after, &status);
    if (code == MPI_SUCCESS) dialect_pending_saw(r, request, &status, after != MPI_REQUEST_NULL);
    return code;
}

static int cancel(struct world_rank *r, struct dialect_pending *p, MPI_Request *request)
{
    if (r && too_late(r, p, *request)) return MPI_SUCCESS;
    if (p) p->cancelled = true;
    int code = PMPI_Cancel(request);
    if (code == MPI_SUCCESS && r) code = over(r, *request);
    return code;
}

int MPI_Cancel(MPI_Request *request)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    DIALECT_NO_THREAD(r);
    struct dialect_pending *p = request ? dialect_pending_of(r, *request) : NULL;
    int code = MPI_SUCCESS;
    if (!request || *request == MPI_REQUEST_NULL)
        code = MPI_ERR_REQUEST;
    else if (p && (p->seen || p->matched))
        code = MPI_SUCCESS;
    else if (!p || !p->generalised)
        code = cancel(r, p, request);
    else if (p->asked)
        code = dialect_asked_cancel(p);
    /* complete, or an operation on its way: nothing is left to cancel */
    else if (!p->servicer)
        code = MPI_SUCCESS;
    else if (sync_servicer_cancel(p->servicer)) {
        p->servicer = NULL;
        p->cancelled = true;
        PMPI_Grequest_complete(*request);
    }
    if (code != MPI_SUCCESS && r) code = dialect_refused(r, MPI_COMM_NULL, __func__, code);
    if (r) world_leave(r);
    return code;
}
