/* One request: what completing it does to the program's buffers, and the calls on a single one. */
#include "world/clock/clock.h"
#include "sync/heard/heard.h"
#include "sync/inquiry/inquiry.h"
#include "dialect/mpi/hooks/hooks.h"
#include "dialect/mpi/message/pending.h"

#include <limits.h>
#include <math.h>

/* Its window may have been freed since: then it is complete. */
static bool in_flight(const struct dialect_pending *p)
{
    return p->target != MPI_PROC_NULL && dialect_win_find(dialect_win_handle(p->win)) == p->win;
}

double dialect_operation_at(const struct dialect_pending *p)
{
    return !in_flight(p) ? 0 : sync_complete_at(p->win->sync, p->win->win_rank, p->target);
}

void dialect_settle_operation(struct world_rank *r, struct dialect_pending *p, MPI_Request request)
{
    if (!p || !p->win) return;
    if (in_flight(p)) sync_flush(p->win->sync, p->win->win_rank, r->proc, p->target);
    PMPI_Grequest_complete(request);
    p->win = NULL;
}

void dialect_settle_if_complete(struct world_rank *r, struct dialect_pending *p,
                                MPI_Request request)
{
    if (p && p->win && dialect_operation_at(p) <= world_now())
        dialect_settle_operation(r, p, request);
}

void dialect_settle_servicer(struct world_rank *r, struct dialect_pending *p, MPI_Request request)
{
    p->error = dialect_servicer_end(r, p->comm, p->servicer);
    p->servicer = NULL;
    PMPI_Grequest_complete(request);
}

void dialect_pending_store(struct world_rank *r, struct dialect_pending *p,
                           const MPI_Status *status)
{
    int bytes = INT_MAX, cancelled = 0;
    bool look = false;
    if (p->send || p->stored) return;
    p->stored = true;
    if (p->receive) {
        PMPI_Test_cancelled(status, &cancelled);
        if (!cancelled && p->beyond == 0) dialect_not_partitioned(r, p->call, status);
        if (!cancelled) look = dialect_received(r, p->comm, status, p->to == MPI_ANY_SOURCE);
        if (look) dialect_watch(r, status, sizeof *status);
        if (cancelled || PMPI_Get_count(status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes < 0)
            return;
    }
    if (p->fold) dialect_fold_store(p->fold);
    const char *from = p->stage;
    for (guint i = 0; i < p->spans->len; i++) {
        const struct dialect_span *span = &g_array_index(p->spans, struct dialect_span, i);
        struct dialect_layout map;
        dialect_layout_init(&map, span->type, span->count);
        if (p->receive) dialect_layout_limit(&map, (uint64_t)bytes);
        if (from) {
            op_unpack(&map.layout, dialect_address(span->addr), from);
            from += map.layout.bytes;
        }
        dialect_store_pieces(r, span->addr, &map.layout, p->call);
        if (look) dialect_watch_buffer(r, span->addr, &map.layout);
        dialect_layout_clear(&map);
    }
}

void dialect_fill_status(const struct dialect_pending *p, MPI_Status *status)
{
    *status =
        (MPI_Status){.MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG, .MPI_ERROR = p->error};
    PMPI_Status_set_cancelled(status, p->cancelled);
}

void dialect_pending_complete(struct world_rank *r, MPI_Request request, const MPI_Status *status)
{
    struct dialect_pending *p = dialect_pending_of(r, request);
    if (!p) return;
    dialect_meeting_over(r, p->comm, p->meeting);
    p->meeting = NULL;
    dialect_pending_store(r, p, status);
    p->stored = p->started = p->cancelled = false;
    p->used = p->persistent && (p->send || p->receive) && p->to != MPI_PROC_NULL;
    if (check_on) dialect_met_by(r, p->comm, p->met_by, p->tag);
    if (p->number) dialect_requested(r, p->number);
    p->number = 0;
    if (!p->persistent) g_hash_table_remove(dialect_rank(r)->pending, request);
}

/* ---- requests that can only wait ------------------------------------------------- */

bool dialect_waits_for_message(struct world_rank *r, MPI_Request request)
{
    const struct dialect_pending *p = dialect_pending_of(r, request);
    return p && p->receive && !p->persistent && !p->seen && !p->cancelled && !p->matched &&
           p->to != MPI_PROC_NULL && dialect_comm_find(r, p->comm);
}

bool dialect_nothing_came(struct world_rank *r, int count, const MPI_Request *requests)
{
    int active = 0;
    for (int i = 0; i < count; i++) {
        if (requests[i] == MPI_REQUEST_NULL) continue;
        if (!dialect_waits_for_message(r, requests[i])) return false;
        active++;
    }
    return active > 0 && sync_message_none_due(r->proc, active);
}

/* ---- calls on one request -------------------------------------------------------------------- */

int MPI_Request_free(MPI_Request *request)
{
    DIALECT_NO_NULL(request, MPI_ERR_REQUEST);
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    DIALECT_NO_THREAD(r);
    struct dialect_pending *p = request ? dialect_pending_of(r, *request) : NULL;
    MPI_Request was = request ? *request : MPI_REQUEST_NULL;
    if (p && p->again && p->inner != MPI_REQUEST_NULL) MPI_Request_free(&p->inner);
    if (p && p->before != MPI_REQUEST_NULL) MPI_Request_free(&p->before), p->copy = NULL;
    bool gone = p && dialect_pending_gone(p);
    if (p && p->servicer) sync_servicer_detach(p->servicer);
    if (p && p->asked && dialect_asked_leave(p, was)) {
        *request = MPI_REQUEST_NULL;
        if (r) world_leave(r);
        return MPI_SUCCESS;
    }
    /* what it stands for goes on */
    if (p && (p->servicer || p->win)) PMPI_Grequest_complete(was);
    if (p && p->number && !p->win) dialect_requested(r, p->number);
    if (p) p->servicer = NULL, p->win = NULL;
    int code = MPI_SUCCESS;
    if (p && p->seen) dialect_pending_left(r, p, was, MPI_STATUS_IGNORE);
    /* "Ongoing communication will be allowed to complete" (MPI-3.1 3.7.3): with the request of a
     * long message SMPI gives up the message. So that request is never given back. */
    const bool ongoing = was != MPI_REQUEST_NULL && !(p && (p->persistent || p->generalised));
    if (gone || ongoing)
        *request = MPI_REQUEST_NULL;
    else
        code = PMPI_Request_free(request);
    if (code != MPI_SUCCESS && r)
        code = dialect_refused(r, MPI_COMM_NULL, __func__, code);
    else if (p) {
        p->stage = NULL, p->fold = NULL; /* SMPI may still write there, */
        if (ongoing) p->op = NULL;       /* or compute */
        g_hash_table_remove(dialect_rank(r)->pending, was);
    }
    if (r) world_leave(r);
    return code;
}
