/* MPI_Start: what a persistent request does each time. */
#include "dialect/mpi/message/pending.h"

#include <string.h>

static uint64_t bytes_of(const struct dialect_pending *p)
{
    uint64_t bytes = 0;
    for (guint i = 0; i < p->spans->len; i++) {
        const struct dialect_span *span = &g_array_index(p->spans, struct dialect_span, i);
        bytes += (uint64_t)span->count * span->type->one.bytes;
    }
    return bytes;
}

static int make_send(const struct dialect_pending *p, const struct dialect_span *span,
                     MPI_Request *request)
{
    const int n = (int)span->count;
    const MPI_Datatype type = span->type->handle;
    if (strcmp(p->call, "MPI_Bsend_init") == 0)
        return PMPI_Bsend_init(span->addr, n, type, p->to, p->tag, p->comm, request);
    if (strcmp(p->call, "MPI_Rsend_init") == 0)
        return PMPI_Rsend_init(span->addr, n, type, p->to, p->tag, p->comm, request);
    if (strcmp(p->call, "MPI_Ssend_init") == 0)
        return PMPI_Ssend_init(span->addr, n, type, p->to, p->tag, p->comm, request);
    return PMPI_Send_init(span->addr, n, type, p->to, p->tag, p->comm, request);
}

static int make_again(const struct dialect_pending *p, MPI_Request *request)
{
    const struct dialect_span *span = &g_array_index(p->spans, struct dialect_span, 0);
    if (p->send) return make_send(p, span, request);
    if (!p->stage)
        return PMPI_Recv_init(span->addr, (int)span->count, span->type->handle, p->to, p->tag,
                              p->comm, request);
    return PMPI_Recv_init(p->stage, (int)bytes_of(p), MPI_BYTE, p->to, p->tag, p->comm, request);
}

/* SMPI 3.32 keeps in a receive who sent its last short message, and gives that request back once
 * more when the next message is long or synchronous: by then it is somebody else's memory. A short
 * message that waits to be received is known by its send's request, which numbers it anew at the
 * next start: it is never received. So each round gets a new one, in the same place where the
 * allocator has it still. The first that is made keeps communicator and datatype alive, which the
 * program may have freed.
 *
 * Left out: a copy of the handle, where the last message has not been received by the next start.
 */
static void renew(struct world_rank *r, struct dialect_pending *p, MPI_Request *request)
{
    MPI_Request was = *request, first, again;
    p->used = false;
    if (make_again(p, &first) != MPI_SUCCESS) return;
    PMPI_Request_free(&was);
    if (make_again(p, &again) == MPI_SUCCESS)
        PMPI_Request_free(&first);
    else
        again = first;
    if (again == *request) return;
    g_hash_table_steal(dialect_rank(r)->pending, *request);
    *request = again;
    dialect_pending_add(r, again, p);
}

static void load(struct world_rank *r, MPI_Request *request)
{
    struct dialect_pending *p = dialect_pending_of(r, *request);
    if (p && p->used) renew(r, p, request);
    if (p && p->send) dialect_restarted(r, p->comm, bytes_of(p), p->to, p->tag);
    if (p) p->seen = p->cancelled = false, p->started = true;
    if (p && p->receive) dialect_receives(r, p->comm, p->to, p->tag);
    if (p && p->to == MPI_PROC_NULL) return; /* no effect (MPI-3.1 3.11) */
    for (guint i = 0; p && check_on && i < p->spans->len; i++)
        p->number =
            dialect_pending_hold(r, p, &g_array_index(p->spans, struct dialect_span, i), p->number);
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
    struct dialect_pending *p = r && request ? dialect_pending_of(r, *request) : NULL;
    if (p && p->again) return dialect_again_start(p);
    return p && p->to == MPI_PROC_NULL ? PMPI_Startall(1, request) : PMPI_Start(request);
}

int MPI_Start(MPI_Request *request)
{
    DIALECT_NO_NULL(request, MPI_ERR_REQUEST);
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    DIALECT_NO_THREAD(r);
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
    DIALECT_NO_THREAD(r);
    for (int i = 0; r && i < count; i++) load(r, &requests[i]);
    if (r) world_settle(r);
    int code = PMPI_Startall(count, requests);
    for (int i = 0; r && code == MPI_SUCCESS && i < count; i++) {
        struct dialect_pending *p = dialect_pending_of(r, requests[i]);
        if (p && p->again) code = dialect_again_start(p);
    }
    if (code != MPI_SUCCESS && r) code = dialect_refused(r, MPI_COMM_NULL, __func__, code);
    if (r) world_leave(r);
    return code;
}
