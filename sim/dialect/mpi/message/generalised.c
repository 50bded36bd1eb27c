/* Generalised requests of the program's own. SMPI 3.32 completes them in an array whether or not
 * they are, and keeps their status to itself. So it gives the handle, and all else is done here.
 */
#include "dialect/mpi/message/pending.h"

struct dialect_asked {
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *release;
    MPI_Grequest_cancel_function *cancel;
    void *extra;
    bool complete, left; /* left: MPI_Request_free came first */
};

static int query(void *extra, MPI_Status *status) { return (void)extra, (void)status, MPI_SUCCESS; }
static int release(void *extra) { return (void)extra, MPI_SUCCESS; }
static int cancel(void *extra, int complete) { return (void)extra, (void)complete, MPI_SUCCESS; }

int MPI_Grequest_start(MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn,
                       MPI_Grequest_cancel_function *cancel_fn, void *extra_state,
                       MPI_Request *request)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    DIALECT_NO_THREAD(r);
    if (!r) return PMPI_Grequest_start(query_fn, free_fn, cancel_fn, extra_state, request);
    dialect_hold_places(r);
    int code = PMPI_Grequest_start(query, release, cancel, NULL, request);
    if (code == MPI_SUCCESS) {
        struct dialect_pending *p = dialect_pending_new(r, *request, __func__);
        p->generalised = true;
        p->asked = g_new(struct dialect_asked, 1);
        *p->asked = (struct dialect_asked){query_fn, free_fn, cancel_fn, extra_state, false, false};
    } else
        code = dialect_refused(r, MPI_COMM_NULL, __func__, code);
    world_leave(r);
    return code;
}

int MPI_Grequest_complete(MPI_Request request)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    if (!r) return MPI_ERR_OTHER;
    const struct dialect_pending *p = dialect_pending_of(r, request);
    int code = MPI_SUCCESS;
    if (!p || !p->asked)
        code = dialect_error(r, MPI_COMM_NULL, __func__, MPI_ERR_REQUEST,
                             "it was not made by MPI_Grequest_start, or has been completed");
    else {
        p->asked->complete = true;
        if (p->asked->left) code = MPI_Request_free(&request);
    }
    world_leave(r);
    return code;
}

bool dialect_asked_open(const struct dialect_pending *p)
{
    return p && p->asked && !p->asked->complete;
}

void dialect_asked_status(const struct dialect_pending *p, MPI_Status *status)
{
    MPI_Status ours;
    if (status == MPI_STATUS_IGNORE) status = &ours;
    *status = (MPI_Status){.MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG};
    p->asked->query(p->asked->extra, status);
}

void dialect_asked_end(const struct dialect_pending *p, MPI_Request request)
{
    p->asked->release(p->asked->extra);
    PMPI_Grequest_complete(request);
}

bool dialect_asked_leave(const struct dialect_pending *p, MPI_Request request)
{
    p->asked->left = !p->asked->complete;
    if (!p->asked->left) dialect_asked_end(p, request);
    return p->asked->left;
}

int dialect_asked_cancel(const struct dialect_pending *p)
{
    return p->asked->cancel(p->asked->extra, p->asked->complete);
}
