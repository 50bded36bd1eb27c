/* Requests: what happens to buffers when a nonblocking call completes.
 *
 * A pending receive remembers its buffer until a wait or test completes it. One into a window is
 * staged: SMPI writes at the message's arrival, and a load of the same line meanwhile would
 * overwrite its bytes with the image's. A request-based operation (MPI-3) is a generalised request
 * that a wait completes by flushing its target.
 */
#include "dialect/mpi/hooks/hooks.h"
#include "dialect/mpi/message/pending.h"

#include <limits.h>
#include <string.h>

static void pending_free(void *data)
{
    struct dialect_pending *p = data;
    for (guint i = 0; i < p->spans->len; i++)
        dialect_type_unref(g_array_index(p->spans, struct dialect_span, i).type);
    g_array_free(p->spans, TRUE);
    g_free(p->stage);
    g_free(p->asked);
    dialect_fold_free(p->fold);
    g_free(p);
}

struct dialect_pending *dialect_pending_of(struct world_rank *r, MPI_Request request)
{
    GHashTable *table = r ? dialect_rank(r)->pending : NULL;
    return table && request != MPI_REQUEST_NULL ? g_hash_table_lookup(table, request) : NULL;
}

static void pending_add(struct world_rank *r, MPI_Request request, struct dialect_pending *p)
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
    pending_add(r, request, p);
    return p;
}

static void add_span(struct dialect_pending *p, void *buf, int64_t count, struct dialect_type *type)
{
    struct dialect_span span = {buf, count, dialect_type_ref(type)};
    g_array_append_val(p->spans, span);
}

/* For the check: all that a span names. */
static uint64_t hold(struct world_rank *r, const struct dialect_pending *p,
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
    call->held = hold(call->rank, p,
                      &g_array_index(p->spans, struct dialect_span, p->spans->len - 1), call->held);
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
    struct dialect_pending *p = dialect_pending_new(call->rank, *call->request, call->name);
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
            p->number = hold(r, p, &g_array_index(p->spans, struct dialect_span, 0), 0);
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
    pending_add(rank, *request, p);
    return MPI_SUCCESS;
}

int dialect_servicer_end(struct world_rank *r, MPI_Comm comm, struct sync_servicer *servicer)
{
    const char *call = sync_servicer_call(servicer);
    g_autofree char *error = sync_servicer_end(servicer);
    return error ? dialect_error(r, comm, call, MPI_ERR_DISP, "%s", error) : MPI_SUCCESS;
}

/* ---- persistent requests --------------------------------------------------------------------- */

static uint64_t bytes_of(const struct dialect_pending *p)
{
    uint64_t bytes = 0;
    for (guint i = 0; i < p->spans->len; i++) {
        const struct dialect_span *span = &g_array_index(p->spans, struct dialect_span, i);
        bytes += (uint64_t)span->count * span->type->one.bytes;
    }
    return bytes;
}

static int make_again(const struct dialect_pending *p, MPI_Request *request)
{
    const struct dialect_span *span = &g_array_index(p->spans, struct dialect_span, 0);
    if (!p->stage)
        return PMPI_Recv_init(span->addr, (int)span->count, span->type->handle, p->to, p->tag,
                              p->comm, request);
    return PMPI_Recv_init(p->stage, (int)bytes_of(p), MPI_BYTE, p->to, p->tag, p->comm, request);
}

/* SMPI 3.32 keeps in a receive who sent its last short message, and gives that request back once
 * more when the next message is long or synchronous: by then it is somebody else's memory. So each
 * round gets a new one, in the same place where the allocator has it still. The first that is made
 * keeps communicator and datatype alive, which the program may have freed. */
static void renew(struct world_rank *r, struct dialect_pending *p, MPI_Request *request)
{
    MPI_Request was = *request, first, again;
    p->received = false;
    if (make_again(p, &first) != MPI_SUCCESS) return;
    PMPI_Request_free(&was);
    if (make_again(p, &again) == MPI_SUCCESS)
        PMPI_Request_free(&first);
    else
        again = first;
    if (again == *request) return;
    g_hash_table_steal(dialect_rank(r)->pending, *request);
    *request = again;
    pending_add(r, again, p);
}

static void load(struct world_rank *r, MPI_Request *request)
{
    struct dialect_pending *p = dialect_pending_of(r, *request);
    if (p && p->received) renew(r, p, request);
    if (p && p->send) dialect_restarted(r, p->comm, bytes_of(p), p->to, p->tag);
    if (p) p->seen = false;
    if (p && p->receive) dialect_receives(r, p->comm, p->to, p->tag);
    if (p && p->to == MPI_PROC_NULL) return; /* no effect (MPI-3.1 3.11) */
    for (guint i = 0; p && check_on && i < p->spans->len; i++)
        p->number = hold(r, p, &g_array_index(p->spans, struct dialect_span, i), p->number);
    for (guint i = 0; p && p->send && i < p->spans->len; i++) {
        const struct dialect_span *span = &g_array_index(p->spans, struct dialect_span, i);
        struct dialect_layout map;
        dialect_layout_init(&map, span->type, span->count);
        dialect_load_pieces(r, span->addr, &map.layout);
        dialect_layout_clear(&map);
    }
}

/* SMPI ends the run where PMPI_Start begins a message to MPI_PROC_NULL. */
static int start(struct world_rank *r, MPI_Request *request)
{
    const struct dialect_pending *p = r && request ? dialect_pending_of(r, *request) : NULL;
    return p && p->to == MPI_PROC_NULL ? PMPI_Startall(1, request) : PMPI_Start(request);
}

int MPI_Start(MPI_Request *request)
{
    DIALECT_NO_NULL(request, MPI_ERR_REQUEST);
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    if (r && request) load(r, request);
    if (r) world_settle(r);
    int code = start(r, request);
    if (code != MPI_SUCCESS && r) code = dialect_refused(r, MPI_COMM_NULL, __func__, code);
    if (r) world_leave(r);
    return code;
}

int MPI_Startall(int count, MPI_Request *requests)
{
    if (count > 0) DIALECT_NO_NULL(requests, MPI_ERR_REQUEST);
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    for (int i = 0; r && i < count; i++) load(r, &requests[i]);
    if (r) world_settle(r);
    int code = PMPI_Startall(count, requests);
    if (code != MPI_SUCCESS && r) code = dialect_refused(r, MPI_COMM_NULL, __func__, code);
    if (r) world_leave(r);
    return code;
}
