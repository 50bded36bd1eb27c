/* Matched probes (MPI-3.1 3.8.2), which SMPI lacks: what a probe has found is received at once, so
 * that no other call can, into memory of ours, and MPI_Mrecv or MPI_Imrecv stores it where the
 * program wants it. A long message so begins to come when it is found.
 */
#include "dialect/mpi/message/matched.h"
#include "dialect/mpi/message/pending.h"

#include <inttypes.h>

struct matched {
    MPI_Request request;
    char *stage;
    int bytes;
    MPI_Comm comm;
    int source, tag, shift;
    bool any;
    int number; /* in Fortran */
};

static GPtrArray *live; /* by number; NULL: received */

static struct matched *find(MPI_Message message)
{
    for (guint i = 0; live && message && i < live->len; i++)
        if (live->pdata[i] == message) return live->pdata[i];
    return NULL;
}

static void matched_free(struct matched *m)
{
    live->pdata[m->number] = NULL;
    g_free(m->stage);
    g_free(m);
}

int dialect_matched(struct world_rank *r, MPI_Comm comm, MPI_Status *status, bool any, int shift,
                    MPI_Message *message)
{
    *message = MPI_MESSAGE_NO_PROC;
    if (status->MPI_SOURCE == MPI_PROC_NULL) return MPI_SUCCESS;
    struct matched *m = g_new0(struct matched, 1);
    PMPI_Get_count(status, MPI_BYTE, &m->bytes);
    m->stage = g_malloc((size_t)m->bytes + 1);
    m->comm = comm;
    m->source = status->MPI_SOURCE;
    m->tag = status->MPI_TAG;
    m->any = any;
    m->shift = shift;
    dialect_receives(r, comm, m->source, m->tag);
    dialect_hold_places(r);
    int code = PMPI_Irecv(m->stage, m->bytes, MPI_BYTE, m->source, m->tag, comm, &m->request);
    if (code != MPI_SUCCESS) {
        g_free(m->stage);
        g_free(m);
        return code;
    }
    if (!live) live = g_ptr_array_new();
    m->number = (int)live->len;
    for (guint i = 0; i < live->len; i++)
        if (!live->pdata[i]) m->number = (int)i;
    if (m->number == (int)live->len) g_ptr_array_add(live, NULL);
    live->pdata[m->number] = m;
    *message = m;
    dialect_came_across(status, shift);
    return MPI_SUCCESS;
}

/* ---- partitioned ones that probes have found, of all ranks, the oldest first ----------------- */

struct aside {
    const struct world_rank *rank;
    MPI_Message message;
};
static GArray *set_aside;

int dialect_set_aside(struct world_rank *r, MPI_Comm comm, MPI_Status *status)
{
    struct aside one = {.rank = r};
    const int code = dialect_matched(r, comm, status, false, 0, &one.message);
    if (!set_aside) set_aside = g_array_new(FALSE, FALSE, sizeof one);
    if (code == MPI_SUCCESS) g_array_append_val(set_aside, one);
    return code;
}

bool dialect_aside(const struct world_rank *r, MPI_Comm comm, int source, int tag, int shift,
                   MPI_Message *message)
{
    for (guint i = 0; set_aside && i < set_aside->len; i++) {
        const struct aside *one = &g_array_index(set_aside, struct aside, i);
        struct matched *m = one->message;
        if (one->rank != r || m->comm != comm || m->source != source || m->tag != tag) continue;
        m->shift = shift;
        *message = m;
        g_array_remove_index(set_aside, i);
        return true;
    }
    return false;
}

/* ---- receiving it ---------------------------------------------------------------------------- */

/* NULL: it is none, or does not fit: *code. */
static struct matched *take(struct world_rank *r, const char *call, MPI_Message *message,
                            const struct dialect_type *type, int count, int *code)
{
    struct matched *m = find(*message);
    const uint64_t room = type && count > 0 ? (uint64_t)count * type->one.bytes : 0;
    if (!m)
        *code = dialect_error(r, MPI_COMM_NULL, call, MPI_ERR_REQUEST,
                              "no message of MPI_Mprobe, or one that has been received");
    else if (!type || count < 0)
        *code = dialect_error(r, m->comm, call, type ? MPI_ERR_COUNT : MPI_ERR_TYPE,
                              type ? "the count is negative" : "invalid datatype handle");
    else if ((uint64_t)m->bytes > room)
        *code = dialect_error(r, m->comm, call, MPI_ERR_TRUNCATE,
                              "the message has %d bytes, the buffer %" PRIu64, m->bytes, room);
    else {
        *message = MPI_MESSAGE_NULL;
        return m;
    }
    return NULL;
}

static void store(struct world_rank *r, const struct matched *m, void *buf, int count,
                  const struct dialect_type *type, const MPI_Status *status)
{
    const bool look = dialect_received(r, m->comm, status, m->any);
    struct dialect_layout map;
    dialect_layout_init(&map, type, count);
    dialect_layout_limit(&map, (uint64_t)m->bytes);
    op_unpack(&map.layout, dialect_address(buf), m->stage);
    dialect_store_pieces(r, buf, &map.layout, "MPI_Mrecv");
    if (look) dialect_watch(r, status, sizeof *status);
    if (look) dialect_watch_buffer(r, buf, &map.layout);
    dialect_layout_clear(&map);
}

static void nobody(MPI_Message *message, MPI_Status *status)
{
    *message = MPI_MESSAGE_NULL;
    if (status != MPI_STATUS_IGNORE)
        *status = (MPI_Status){.MPI_SOURCE = MPI_PROC_NULL, .MPI_TAG = MPI_ANY_TAG};
}

int MPI_Mrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    DIALECT_NO_THREAD(r);
    const struct dialect_type *type = dialect_type_find(datatype);
    MPI_Status ours;
    int code = MPI_SUCCESS;
    if (!r) return MPI_ERR_OTHER;
    if (*message == MPI_MESSAGE_NO_PROC)
        nobody(message, status);
    else {
        struct matched *m = take(r, __func__, message, type, count, &code);
        if (status == MPI_STATUS_IGNORE) status = &ours;
        if (m) code = PMPI_Wait(&m->request, status);
        if (m && code == MPI_SUCCESS) store(r, m, buf, count, type, status);
        if (m) dialect_came_across(status, m->shift);
        if (m && code != MPI_SUCCESS) code = dialect_refused(r, m->comm, __func__, code);
        if (m) matched_free(m);
    }
    world_leave(r);
    return code;
}

/* A request that is complete at once. */
static int complete(MPI_Request *request)
{
    return PMPI_Irecv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, request);
}

int MPI_Imrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message,
               MPI_Request *request)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    DIALECT_NO_THREAD(r);
    struct dialect_type *type = dialect_type_find(datatype);
    int code = MPI_SUCCESS;
    if (!r) return MPI_ERR_OTHER;
    if (*message == MPI_MESSAGE_NO_PROC) {
        nobody(message, MPI_STATUS_IGNORE);
        dialect_hold_places(r);
        code = complete(request);
    } else {
        struct matched *m = take(r, __func__, message, type, count, &code);
        if (m) {
            *request = m->request;
            struct dialect_call call = {
                .rank = r, .name = __func__, .comm = m->comm, .request = request};
            struct dialect_pending *p = dialect_pending_new(r, *request, __func__);
            p->receive = p->matched = true;
            p->to = m->any ? MPI_ANY_SOURCE : m->source;
            p->tag = m->tag;
            p->comm = m->comm;
            p->shift = m->shift;
            p->stage = g_steal_pointer(&m->stage);
            dialect_later(&call, buf, count, type);
            dialect_holds(&call, MPI_PROC_NULL, 0);
            matched_free(m);
        }
    }
    world_leave(r);
    return code;
}

/* ---- its number in Fortran ------------------------------------------------------------------- */

enum { NULL_NUMBER = -1, NO_PROC_NUMBER = -2 };

MPI_Fint MPI_Message_c2f(MPI_Message message)
{
    const struct matched *m = find(message);
    return m ? m->number : message == MPI_MESSAGE_NO_PROC ? NO_PROC_NUMBER : NULL_NUMBER;
}

MPI_Message MPI_Message_f2c(MPI_Fint message)
{
    if (message == NO_PROC_NUMBER) return MPI_MESSAGE_NO_PROC;
    return live && message >= 0 && message < (int)live->len ? live->pdata[message]
                                                            : MPI_MESSAGE_NULL;
}
