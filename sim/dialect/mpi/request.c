/* Requests: what happens to buffers when a nonblocking call completes.
 *
 * A pending receive remembers its buffer until a wait or test completes it. One into a window is staged: SMPI
 * writes at the message's arrival, and a load of the same line meanwhile would overwrite its bytes with the image's. A request-based
 * operation (MPI-3) is a generalised request that a wait completes by flushing its target.
 */
#include "dialect/mpi/inside.h"

#include <limits.h>
#include <string.h>

struct span { void *addr; int64_t count; struct dialect_type *type; };

struct dialect_pending {
    const char *call;
    GArray *spans;
    bool persistent;
    bool send;                /* spans are loaded at MPI_Start; else stored at completion */
    bool receive;             /* as much is stored as the status says */
    bool stored;              /* MPI_Request_get_status saw it complete */
    void *stage;              /* SMPI's buffer */
    struct dialect_win *win;  /* request-based operation */
    int target;
};

static void pending_free(void *data)
{
    struct dialect_pending *p = data;
    for (guint i = 0; i < p->spans->len; i++) dialect_type_unref(g_array_index(p->spans, struct span, i).type);
    g_array_free(p->spans, TRUE);
    g_free(p->stage);
    g_free(p);
}

static struct dialect_pending *pending_of(struct world_rank *r, MPI_Request request)
{
    GHashTable *table = r ? dialect_rank(r)->pending : NULL;
    return table && request != MPI_REQUEST_NULL ? g_hash_table_lookup(table, request) : NULL;
}

static struct dialect_pending *pending_new(struct world_rank *r, MPI_Request request, const char *call)
{
    struct dialect_rank *state = dialect_rank(r);
    if (!state->pending) state->pending = g_hash_table_new_full(NULL, NULL, NULL, pending_free);
    struct dialect_pending *p = g_new0(struct dialect_pending, 1);
    p->call = call;
    p->spans = g_array_new(FALSE, FALSE, sizeof(struct span));
    g_hash_table_replace(state->pending, request, p);
    return p;
}

static void add_span(struct dialect_pending *p, void *buf, int64_t count, struct dialect_type *type)
{
    struct span span = {buf, count, dialect_type_ref(type)};
    g_array_append_val(p->spans, span);
}

void dialect_later(const struct dialect_call *call, void *buf, int64_t count, struct dialect_type *type)
{
    struct dialect_pending *p = pending_of(call->rank, *call->request);
    if (*call->request == MPI_REQUEST_NULL) return;
    if (!p || p->call != call->name) p = pending_new(call->rank, *call->request, call->name);
    add_span(p, buf, count, type);
}

void dialect_starts(const struct dialect_call *call, const void *buf, int count, MPI_Datatype handle)
{
    struct dialect_type *type = dialect_type_find(handle);
    if (!type || *call->request == MPI_REQUEST_NULL) return;
    struct dialect_pending *p = pending_new(call->rank, *call->request, call->name);
    p->persistent = p->send = true;
    add_span(p, (void *)buf, count, type);
}

void dialect_requests_free(struct dialect_rank *state)
{
    if (state->pending) g_hash_table_destroy(state->pending);
    state->pending = NULL;
}

/* ---- receives ---------------------------------------------------------------------------------------------*/

static bool in_a_window(struct world_rank *r, const char *buf, const struct op_layout *map)
{
    for (const struct dialect_win *w = dialect_rank(r)->windows; w; w = w->next)
        if (buf + map->low < (char *)w->base + w->bytes && buf + map->high > (char *)w->base) return true;
    return false;
}

typedef int (*receive_call)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static int receive(const char *name, uintptr_t pc, receive_call go, bool persistent, void *buf, int count, MPI_Datatype handle,
                   int src, int tag, MPI_Comm comm, MPI_Request *request)
{
    struct world_rank *r = world_enter(name, pc);
    struct dialect_type *type = count > 0 ? dialect_type_find(handle) : NULL;
    void *stage = NULL;
    int code;
    if (r && type && buf != MPI_BOTTOM) {
        struct dialect_layout map;
        dialect_layout_init(&map, type, count);
        if (map.layout.bytes <= INT_MAX && in_a_window(r, buf, &map.layout)) stage = g_malloc(map.layout.bytes + 1);
        if (stage) code = go(stage, (int)map.layout.bytes, MPI_BYTE, src, tag, comm, request);
        dialect_layout_clear(&map);
    }
    if (!stage) code = go(buf, count, handle, src, tag, comm, request);
    if (code != MPI_SUCCESS) {
        g_free(stage);
        if (r) code = dialect_refused(r, comm, name, code);
    } else if (r && type && *request != MPI_REQUEST_NULL) {
        struct dialect_pending *p = pending_new(r, *request, name);
        p->persistent = persistent;
        p->receive = true;
        p->stage = stage;
        add_span(p, buf, count, type);
    }
    if (r) world_leave(r);
    return code;
}

int MPI_Irecv(void *buf, int count, MPI_Datatype datatype, int src, int tag, MPI_Comm comm, MPI_Request *request)
{
    return receive(__func__, DIALECT_PC, PMPI_Irecv, false, buf, count, datatype, src, tag, comm, request);
}

int MPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int src, int tag, MPI_Comm comm, MPI_Request *request)
{
    return receive(__func__, DIALECT_PC, PMPI_Recv_init, true, buf, count, datatype, src, tag, comm, request);
}

/* ---- request-based operations --------------------------------------------------------------------------------*/

static int query(void *extra, MPI_Status *status)
{
    (void)extra;
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int release(void *extra) { return (void)extra, MPI_SUCCESS; }
static int cancel(void *extra, int complete) { return (void)extra, (void)complete, MPI_SUCCESS; }

int dialect_operation_request(struct dialect_win *w, int target, MPI_Request *request)
{
    int code = PMPI_Grequest_start(query, release, cancel, NULL, request);
    if (code != MPI_SUCCESS) return dialect_refused(w->rank, MPI_COMM_NULL, "MPI_Grequest_start", code);
    struct dialect_pending *p = pending_new(w->rank, *request, "MPI_Rput");
    p->win = w;
    p->target = target;
    return MPI_SUCCESS;
}

/* Completes a request-based operation, so that the call that follows finds its request complete. */
static void settle_operation(struct world_rank *r, struct dialect_pending *p, MPI_Request request)
{
    if (!p || !p->win) return;
    if (p->target != MPI_PROC_NULL) sync_flush(p->win->sync, p->win->member, r->proc, p->target);
    PMPI_Grequest_complete(request);
    p->win = NULL;
}

/* ---- completion ---------------------------------------------------------------------------------------------------*/

static void store(struct world_rank *r, struct dialect_pending *p, const MPI_Status *status)
{
    int bytes = INT_MAX, cancelled = 0;
    if (p->send || p->stored) return;
    if (p->receive) {
        PMPI_Test_cancelled(status, &cancelled);
        if (cancelled || PMPI_Get_count(status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes < 0) return;
    }
    for (guint i = 0; i < p->spans->len; i++) {
        const struct span *span = &g_array_index(p->spans, struct span, i);
        struct dialect_layout map;
        dialect_layout_init(&map, span->type, span->count);
        if (p->receive) dialect_layout_limit(&map, (uint64_t)bytes);
        if (p->stage) op_unpack(&map.layout, span->addr, p->stage);
        dialect_store_pieces(r, span->addr, &map.layout, p->call);
        dialect_layout_clear(&map);
    }
}

static void complete(struct world_rank *r, MPI_Request request, const MPI_Status *status)
{
    struct dialect_pending *p = pending_of(r, request);
    if (!p) return;
    store(r, p, status);
    p->stored = false;
    if (!p->persistent) g_hash_table_remove(dialect_rank(r)->pending, request);
}

/* What a call on several requests needs: the handles, which the call overwrites, and statuses even when the program wants none. */
struct several {
    struct world_rank *rank;
    int count;
    MPI_Request *request;     /* NULL: nothing is pending */
    MPI_Status *status;       /* the program's, or ours */
    MPI_Status *ours;
};

static void several_init(struct several *s, struct world_rank *r, int count, const MPI_Request *requests, MPI_Status *statuses)
{
    *s = (struct several){.rank = r, .count = MAX(count, 0), .status = statuses};
    if (!r || !dialect_rank(r)->pending || g_hash_table_size(dialect_rank(r)->pending) == 0 || count <= 0) return;
    s->request = g_memdup2(requests, (gsize)count * sizeof *requests);
    if (statuses == MPI_STATUSES_IGNORE) s->status = s->ours = g_new0(MPI_Status, count);
    for (int i = 0; i < count; i++) settle_operation(r, pending_of(r, requests[i]), requests[i]);
}

static void several_clear(struct several *s)
{
    g_free(s->request);
    g_free(s->ours);
}

/* SMPI leaves the handle of a generalised request in place. */
static void several_complete(struct several *s, int i, const MPI_Status *status, MPI_Request *requests)
{
    if (!s->request || i < 0 || i >= s->count) return;
    struct dialect_pending *p = pending_of(s->rank, s->request[i]);
    if (p && !p->persistent) requests[i] = MPI_REQUEST_NULL;
    complete(s->rank, s->request[i], status);
}

/* A call on several requests: `s` is set up, `code` is PMPI's; `after` runs when it succeeded. */
#define SEVERAL(n, statuses, call, after)                                          \
    struct world_rank *r = world_enter(__func__, DIALECT_PC);                      \
    struct several s;                                                              \
    several_init(&s, r, n, requests, statuses);                                    \
    int code = call;                                                               \
    if (code == MPI_SUCCESS) { after; }                                            \
    else if (r) code = dialect_refused(r, MPI_COMM_NULL, __func__, code);          \
    several_clear(&s);                                                             \
    if (r) world_leave(r);                                                         \
    return code

int MPI_Wait(MPI_Request *requests, MPI_Status *status)
{
    SEVERAL(1, status, PMPI_Wait(requests, s.status), several_complete(&s, 0, s.status, requests));
}

int MPI_Test(MPI_Request *requests, int *flag, MPI_Status *status)
{
    SEVERAL(1, status, PMPI_Test(requests, flag, s.status), if (*flag) several_complete(&s, 0, s.status, requests));
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status status[])
{
    SEVERAL(count, status, PMPI_Waitall(count, requests, s.status),
            for (int i = 0; i < s.count; i++) several_complete(&s, i, s.status ? &s.status[i] : NULL, requests));
}

int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses)
{
    SEVERAL(count, statuses, PMPI_Testall(count, requests, flag, s.status),
            for (int i = 0; *flag && i < s.count; i++) several_complete(&s, i, s.status ? &s.status[i] : NULL, requests));
}

int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
    SEVERAL(count, status, PMPI_Waitany(count, requests, index, s.status), several_complete(&s, *index, s.status, requests));
}

int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    SEVERAL(count, status, PMPI_Testany(count, requests, index, flag, s.status),
            if (*flag) several_complete(&s, *index, s.status, requests));
}

int MPI_Waitsome(int incount, MPI_Request requests[], int *outcount, int *indices, MPI_Status status[])
{
    SEVERAL(incount, status, PMPI_Waitsome(incount, requests, outcount, indices, s.status),
            for (int i = 0; i < *outcount; i++) several_complete(&s, indices[i], s.status ? &s.status[i] : NULL, requests));
}

int MPI_Testsome(int incount, MPI_Request requests[], int *outcount, int *indices, MPI_Status status[])
{
    SEVERAL(incount, status, PMPI_Testsome(incount, requests, outcount, indices, s.status),
            for (int i = 0; i < *outcount; i++) several_complete(&s, indices[i], s.status ? &s.status[i] : NULL, requests));
}

int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    struct dialect_pending *p = pending_of(r, request);
    MPI_Status ours;
    if (p && status == MPI_STATUS_IGNORE) status = &ours;
    settle_operation(r, p, request);
    int code = PMPI_Request_get_status(request, flag, status);
    if (code != MPI_SUCCESS) code = r ? dialect_refused(r, MPI_COMM_NULL, __func__, code) : code;
    else if (*flag && p) {
        store(r, p, status);
        p->stored = true;
    }
    if (r) world_leave(r);
    return code;
}

int MPI_Request_free(MPI_Request *request)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    struct dialect_pending *p = request ? pending_of(r, *request) : NULL;
    MPI_Request was = request ? *request : MPI_REQUEST_NULL;
    settle_operation(r, p, was);
    int code = PMPI_Request_free(request);
    if (code != MPI_SUCCESS && r) code = dialect_refused(r, MPI_COMM_NULL, __func__, code);
    else if (p) {
        p->stage = NULL;   /* SMPI may still write there */
        g_hash_table_remove(dialect_rank(r)->pending, was);
    }
    if (r) world_leave(r);
    return code;
}

/* ---- persistent requests -----------------------------------------------------------------------------------------*/

static void load(struct world_rank *r, MPI_Request request)
{
    const struct dialect_pending *p = pending_of(r, request);
    for (guint i = 0; p && p->send && i < p->spans->len; i++) {
        const struct span *span = &g_array_index(p->spans, struct span, i);
        struct dialect_layout map;
        dialect_layout_init(&map, span->type, span->count);
        dialect_load_pieces(r, span->addr, &map.layout);
        dialect_layout_clear(&map);
    }
}

int MPI_Start(MPI_Request *request)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    if (r && request) load(r, *request);
    if (r) world_settle(r);
    int code = PMPI_Start(request);
    if (code != MPI_SUCCESS && r) code = dialect_refused(r, MPI_COMM_NULL, __func__, code);
    if (r) world_leave(r);
    return code;
}

int MPI_Startall(int count, MPI_Request *requests)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    for (int i = 0; r && i < count; i++) load(r, requests[i]);
    if (r) world_settle(r);
    int code = PMPI_Startall(count, requests);
    if (code != MPI_SUCCESS && r) code = dialect_refused(r, MPI_COMM_NULL, __func__, code);
    if (r) world_leave(r);
    return code;
}
