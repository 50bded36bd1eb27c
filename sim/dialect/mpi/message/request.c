/* Requests: what happens to buffers when a nonblocking call completes.
 *
 * A pending receive remembers its buffer until a wait or test completes it. One into a window is
 * staged: SMPI writes at the message's arrival, and a load of the same line meanwhile would
 * overwrite its bytes with the image's. A request-based operation (MPI-3) is a generalised request
 * that a wait completes by flushing its target.
 */
#include "world/place/place.h"
#include "dialect/mpi/hooks/hooks.h"
#include "dialect/mpi/message/again.h"

#include <limits.h>
#include <string.h>

static void again_free(struct dialect_again *again)
{
    if (!again) return;
    for (struct dialect_type **type = again->held; *type; type++) dialect_type_unref(*type);
    g_free(again->held);
    g_free((MPI_Datatype *)again->types);
    g_free((MPI_Datatype *)again->sent_types);
    dialect_held_over(again->held_comm);
    g_free(again->parts);
    g_free(again);
}

static void pending_free(void *data)
{
    struct dialect_pending *p = data;
    for (guint i = 0; i < p->spans->len; i++)
        dialect_type_unref(g_array_index(p->spans, struct dialect_span, i).type);
    g_array_free(p->spans, TRUE);
    g_free(p->stage);
    g_free(p->asked);
    g_free(p->copy);
    again_free(p->again);
    dialect_fold_free(p->fold);
    dialect_held_over(p->op);
    g_free(p);
}

struct dialect_pending *dialect_pending_of(struct world_rank *r, MPI_Request request)
{
    GHashTable *table = r ? dialect_rank(r)->pending : NULL;
    return table && request != MPI_REQUEST_NULL ? g_hash_table_lookup(table, request) : NULL;
}

void dialect_pending_add(struct world_rank *r, MPI_Request request, struct dialect_pending *p)
{
    struct dialect_rank *state = dialect_rank(r);
    if (!state->pending) state->pending = g_hash_table_new_full(NULL, NULL, NULL, pending_free);
    g_hash_table_replace(state->pending, request, p);
}

struct dialect_pending *dialect_pending_new(struct world_rank *r, MPI_Request request,
                                            const char *call)
{
    struct dialect_pending *p = g_new0(struct dialect_pending, 1);
    p->call = call;
    p->spans = g_array_new(FALSE, FALSE, sizeof(struct dialect_span));
    p->met_by = MPI_PROC_NULL;
    p->before = MPI_REQUEST_NULL;
    dialect_pending_add(r, request, p);
    return p;
}

static void add_span(struct dialect_pending *p, void *buf, int64_t count, struct dialect_type *type)
{
    struct dialect_span span = {buf, count, dialect_type_ref(type)};
    g_array_append_val(p->spans, span);
}

uint64_t dialect_pending_hold(struct world_rank *r, const struct dialect_pending *p,
                              const struct dialect_span *span, uint64_t number)
{
    struct dialect_layout map;
    dialect_layout_init(&map, span->type, span->count);
    number = dialect_hold(r, p->call, span->addr, &map.layout,
                          p->send ? CHECK_CALL_LOAD : CHECK_CALL_STORE, number);
    dialect_layout_clear(&map);
    return number;
}

void dialect_later(struct dialect_call *call, void *buf, int64_t count, struct dialect_type *type)
{
    struct dialect_pending *p = dialect_pending_of(call->rank, *call->request);
    if (*call->request == MPI_REQUEST_NULL) return;
    if (!p || p->call != call->name)
        p = dialect_pending_new(call->rank, *call->request, call->name);
    add_span(p, buf, count, type);
    if (!check_on) return;
    call->held = dialect_pending_hold(
        call->rank, p, &g_array_index(p->spans, struct dialect_span, p->spans->len - 1),
        call->held);
}

void dialect_holds(const struct dialect_call *call, int met_by, int tag)
{
    if (!check_on || *call->request == MPI_REQUEST_NULL) return;
    if (call->held == 0 && met_by < 0) return;
    struct dialect_pending *p = dialect_pending_of(call->rank, *call->request);
    if (!p || p->call != call->name)
        p = dialect_pending_new(call->rank, *call->request, call->name);
    p->number = call->held;
    p->comm = call->comm;
    p->met_by = met_by;
    p->tag = tag;
}

void dialect_pending_reduces(struct world_rank *r, struct dialect_pending *p, MPI_Op op)
{
    if (dialect_reduce_op_find(op)) p->op = dialect_held_by(r, op);
}

void dialect_reduces(const struct dialect_call *call, MPI_Op op)
{
    if (!call->request || *call->request == MPI_REQUEST_NULL || !dialect_reduce_op_find(op)) return;
    struct dialect_pending *p = dialect_pending_of(call->rank, *call->request);
    if (!p || p->call != call->name)
        p = dialect_pending_new(call->rank, *call->request, call->name);
    dialect_pending_reduces(call->rank, p, op);
}

void dialect_meets_later(const struct dialect_call *call)
{
    struct dialect_pending *p = dialect_pending_of(call->rank, *call->request);
    if (*call->request == MPI_REQUEST_NULL) return;
    if (!p || p->call != call->name)
        p = dialect_pending_new(call->rank, *call->request, call->name);
    p->meeting = call->meeting;
    p->comm = call->comm;
}

void dialect_starts(const struct dialect_call *call, const void *buf, int count,
                    MPI_Datatype handle, int to, int tag)
{
    struct dialect_type *type = dialect_type_find(handle);
    if (!type || *call->request == MPI_REQUEST_NULL) return;
    struct dialect_pending *p = dialect_pending_of(call->rank, *call->request);
    if (p && p->again) return; /* what it begins is looked at then */
    p = dialect_pending_new(call->rank, *call->request, call->name);
    p->persistent = p->send = true;
    p->comm = call->comm;
    p->to = to;
    p->tag = tag;
    add_span(p, (void *)buf, count, type);
}

void dialect_requests_free(struct dialect_rank *state)
{
    if (state->pending) g_hash_table_destroy(state->pending);
    state->pending = NULL;
    g_clear_pointer(&state->channels, g_hash_table_unref);
}

/* ---- receives -------------------------------------------------------------------------------- */

static bool in_a_window(struct world_rank *r, const char *buf, const struct op_layout *map)
{
    for (const struct dialect_win *w = dialect_rank(r)->windows; w; w = w->next)
        if (sync_win_touches(w->sync, w->win_rank, buf + map->low, buf + map->high)) return true;
    return dialect_hooks_expose(r, buf + map->low, buf + map->high);
}

typedef int (*receive_call)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static int receive(const char *name, uintptr_t pc, receive_call go, bool persistent, void *buf,
                   int count, MPI_Datatype handle, int src, int tag, MPI_Comm comm,
                   MPI_Request *request)
{
    if (!request) return dialect_null(name, pc, comm, MPI_ERR_REQUEST, "request");
    struct world_rank *r = world_enter(name, pc);
    DIALECT_NO_THREAD(r);
    const MPI_Comm given = comm;
    int code, shift = r ? dialect_across(r, &comm, name, NULL, &src, &code) : 0;
    if (shift < 0) return code;
    if (r && !persistent) dialect_receives(r, comm, src, tag);
    struct dialect_type *type = count >= 0 ? dialect_type_find(handle) : NULL;
    void *stage = NULL;
    if (r && type && buf != MPI_BOTTOM) {
        struct dialect_layout map;
        dialect_layout_init(&map, type, count);
        if (map.layout.bytes <= INT_MAX &&
            (dialect_comes_in_part(type) || in_a_window(r, buf, &map.layout)))
            stage = g_malloc(map.layout.bytes + 1);
        dialect_hold_places(r);
        if (stage) code = go(stage, (int)map.layout.bytes, MPI_BYTE, src, tag, comm, request);
        dialect_layout_clear(&map);
    }
    if (r) dialect_hold_places(r);
    if (!stage) code = go(buf, count, handle, src, tag, comm, request);
    if (code != MPI_SUCCESS) {
        g_free(stage);
        if (r) code = dialect_refused(r, given, name, code);
    } else if (r && type && *request != MPI_REQUEST_NULL) {
        struct dialect_pending *p = dialect_pending_new(r, *request, name);
        p->persistent = persistent;
        p->receive = true;
        p->to = src;
        p->tag = tag;
        p->comm = comm;
        p->shift = shift;
        p->stage = stage;
        add_span(p, buf, count, type);
        if (!persistent && src != MPI_PROC_NULL)
            p->number =
                dialect_pending_hold(r, p, &g_array_index(p->spans, struct dialect_span, 0), 0);
    }
    if (r) world_leave(r);
    return code;
}

int MPI_Irecv(void *buf, int count, MPI_Datatype datatype, int src, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    return receive(__func__, DIALECT_PC, PMPI_Irecv, false, buf, count, datatype, src, tag, comm,
                   request);
}

int MPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int src, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    return receive(__func__, DIALECT_PC, PMPI_Recv_init, true, buf, count, datatype, src, tag, comm,
                   request);
}

/* ---- request-based operations ---------------------------------------------------------------- */

static int query(void *extra, MPI_Status *status)
{
    const bool *cancelled = extra;
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, cancelled && *cancelled);
    return MPI_SUCCESS;
}

static int release(void *extra) { return (void)extra, MPI_SUCCESS; }
static int cancel(void *extra, int complete) { return (void)extra, (void)complete, MPI_SUCCESS; }

int dialect_operation_request(struct dialect_win *w, int target, uint64_t number,
                              MPI_Request *request)
{
    dialect_hold_places(w->rank);
    int code = PMPI_Grequest_start(query, release, cancel, NULL, request);
    if (code != MPI_SUCCESS)
        return dialect_refused(w->rank, MPI_COMM_NULL, "MPI_Grequest_start", code);
    struct dialect_pending *p = dialect_pending_new(w->rank, *request, "MPI_Rput");
    p->win = w;
    p->target = target;
    p->number = number;
    p->generalised = true;
    return MPI_SUCCESS;
}

/* ---- servicers of PUT/ACCEPT ----------------------------------------------------------------- */

int dialect_servicer_request(struct world_rank *rank, MPI_Comm comm, struct sync_servicer *servicer,
                             MPI_Request *request)
{
    struct dialect_pending *p = g_new0(struct dialect_pending, 1);
    p->before = MPI_REQUEST_NULL;
    p->call = sync_servicer_call(servicer);
    p->spans = g_array_new(FALSE, FALSE, sizeof(struct dialect_span));
    p->servicer = servicer;
    p->generalised = true;
    p->comm = comm;
    dialect_hold_places(rank);
    int code = PMPI_Grequest_start(query, release, cancel, &p->cancelled, request);
    if (code != MPI_SUCCESS) {
        pending_free(p);
        return dialect_refused(rank, comm, "MPI_Grequest_start", code);
    }
    dialect_pending_add(rank, *request, p);
    return MPI_SUCCESS;
}

int dialect_servicer_end(struct world_rank *r, MPI_Comm comm, struct sync_servicer *servicer)
{
    const char *call = sync_servicer_call(servicer);
    g_autofree char *error = sync_servicer_end(servicer, world_site(r));
    return error ? dialect_error(r, comm, call, MPI_ERR_DISP, "%s", error) : MPI_SUCCESS;
}
