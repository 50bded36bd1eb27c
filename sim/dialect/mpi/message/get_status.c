/* get_status: MPI_Request_get_status: is the request complete, without freeing it?
 *
 * SMPI 3.32 answers yes for every request of its own, whether or not its message has come, and can
 * only test and free one. So it is tested here, and one that was complete stays in our table, with
 * its status, until the program completes it. (places.c keeps its handle.)
 */
#include "sync/inquiry/inquiry.h"
#include "dialect/mpi/message/pending.h"

void dialect_pending_saw(struct world_rank *r, MPI_Request request, const MPI_Status *status,
                         bool stays)
{
    struct dialect_pending *p = dialect_pending_of(r, request);
    if (!p) p = dialect_pending_new(r, request, "MPI_Request_get_status");
    p->seen = true;
    p->status = *status;
    p->persistent = stays;
    if (!dialect_pending_gone(p)) return;
    dialect_rank(r)->gone++;
    dialect_hold_places(r);
}

/* One of SMPI's own. */
static int see(struct world_rank *r, MPI_Request request, int *flag, MPI_Status *status)
{
    MPI_Request after = request;
    int code = PMPI_Test(&after, flag, status);
    if (code == MPI_SUCCESS && *flag && request != MPI_REQUEST_NULL)
        dialect_pending_saw(r, request, status, after != MPI_REQUEST_NULL);
    return code;
}

/* True: it is complete, and *status says how. */
static bool complete(struct world_rank *r, struct dialect_pending *p, MPI_Request request,
                     MPI_Status *status, int *code)
{
    int flag = 0;
    if (p && p->seen) {
        *status = p->status;
        return true;
    }
    if (!p || !p->generalised) {
        *code = see(r, request, &flag, status);
        return flag;
    }
    dialect_settle_if_complete(r, p, request);
    bool done =
        p->servicer ? sync_servicer_try(p->servicer, false) : !p->win && !dialect_asked_open(p);
    if (done && p->servicer) dialect_settle_servicer(r, p, request);
    if (done && p->asked)
        dialect_asked_status(p, status);
    else if (done)
        dialect_fill_status(p, status);
    if (!done && p->servicer) sync_servicer_rest(p->servicer);
    if (!done) sync_match_polled(r->proc);
    return done;
}

int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    DIALECT_NO_NULL(flag, MPI_ERR_ARG);
    struct world_rank *r = world_enter_polling(__func__, DIALECT_PC, false);
    DIALECT_NO_THREAD(r);
    MPI_Status ours;
    int code = MPI_SUCCESS;
    if (!r) return PMPI_Request_get_status(request, flag, status);
    if (status == MPI_STATUS_IGNORE) status = &ours;
    struct dialect_pending *outer = dialect_pending_of(r, request);
    if (outer && outer->again) request = outer->inner;
    if (outer && outer->persistent && !outer->again && !outer->started)
        return *flag = 1, dialect_fill_status(outer, status), world_leave(r), code;
    if (!dialect_before_over(outer, false)) return *flag = 0, world_leave(r), code;
    *flag = !dialect_nothing_came(r, 1, &request) &&
            complete(r, dialect_pending_of(r, request), request, status, &code);
    struct dialect_pending *p = dialect_pending_of(r, request);
    if (code != MPI_SUCCESS && !(p && p->generalised))
        code = dialect_refused(r, MPI_COMM_NULL, __func__, code);
    else if (*flag && p) {
        if (check_on) check_test(r->rank);
        dialect_pending_store(r, p, status);
        if (p->number) dialect_requested(r, p->number);
        if (check_on) check_tested(r->rank);
        dialect_watch(r, flag, sizeof *flag);
        dialect_came(status, p->shift, p->beyond);
    }
    if (!*flag) world_in_vain(r);
    world_leave(r);
    return code;
}
