/* Blocks between ranks, as one MPI_Ialltoallv of bytes: SimGrid sends a message for each pair of
 * ranks that have bytes for each other, and none for the others (its smpi_nbc_impl.cpp). Blocks for
 * one rank are packed one behind the other.
 */
#include "dialect/mpi/message/exchange.h"
#include "dialect/mpi/message/pending.h"

#include <limits.h>
#include <string.h>

struct dialect_block dialect_block_of(const struct dialect_blocks *b, int i, int rank)
{
    const int64_t count = b->counts ? b->counts[i] : b->count;
    const MPI_Datatype type = b->types ? b->types[i] : b->type;
    void *at = b->same    ? (void *)b->buf
               : b->bytes ? dialect_address(b->buf) + b->bytes[i]
               : b->types ? dialect_address(b->buf) + b->displs[i]
                          : dialect_at(b->buf, b->displs ? b->displs[i] : i * count, type);
    return (struct dialect_block){rank, at, count, type};
}

/* The bytes of one direction, by rank. */
struct side {
    int *count, *at;
    int total;
};

static uint64_t bytes_of(const struct dialect_block *b)
{
    return b->rank == MPI_PROC_NULL ? 0 : dialect_bytes(b->count, b->type);
}

static int side_init(struct side *s, const struct dialect_block *block, int blocks, int ranks)
{
    uint64_t total = 0;
    *s = (struct side){g_new0(int, ranks), g_new0(int, ranks), 0};
    for (int i = 0; i < blocks; i++) {
        if (block[i].rank == MPI_PROC_NULL) continue;
        if (block[i].count < 0) return MPI_ERR_COUNT;
        if (!dialect_type_find(block[i].type)) return MPI_ERR_TYPE;
        total += bytes_of(&block[i]);
        if (total > INT_MAX) return MPI_ERR_COUNT;
        s->count[block[i].rank] += (int)bytes_of(&block[i]);
    }
    for (int i = 1; i < ranks; i++) s->at[i] = s->at[i - 1] + s->count[i - 1];
    s->total = (int)total;
    return MPI_SUCCESS;
}

static void side_clear(struct side *s)
{
    g_free(s->count);
    g_free(s->at);
}

/* Blocks in the order of their bytes: by rank, and of one rank in the order given. */
static int by_rank(gconstpointer a, gconstpointer b)
{
    const struct dialect_block *x = *(const struct dialect_block *const *)a;
    const struct dialect_block *y = *(const struct dialect_block *const *)b;
    return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1) : (x < y ? -1 : x > y);
}

static GPtrArray *in_order(const struct dialect_block *block, int blocks)
{
    GPtrArray *order = g_ptr_array_new();
    for (int i = 0; i < blocks; i++)
        if (bytes_of(&block[i]) > 0) g_ptr_array_add(order, (void *)&block[i]);
    g_ptr_array_sort(order, by_rank);
    return order;
}

static void pack(struct dialect_call *call, const struct dialect_exchange *x, char *at)
{
    g_autoptr(GPtrArray) order = in_order(x->out, x->outs);
    for (guint i = 0; i < order->len; i++) {
        const struct dialect_block *b = order->pdata[i];
        struct dialect_layout map;
        dialect_read(call, b->buf, b->count, b->type);
        dialect_layout_init(&map, dialect_type_find(b->type), b->count);
        op_pack(&map.layout, dialect_address(b->buf), at);
        at += map.layout.bytes;
        dialect_layout_clear(&map);
    }
}

static void unpack(struct dialect_call *call, const struct dialect_exchange *x, const char *at)
{
    g_autoptr(GPtrArray) order = in_order(x->in, x->ins);
    for (guint i = 0; i < order->len; i++) {
        const struct dialect_block *b = order->pdata[i];
        struct dialect_layout map;
        dialect_layout_init(&map, dialect_type_find(b->type), b->count);
        op_unpack(&map.layout, dialect_address(b->buf), at);
        dialect_store_pieces(call->rank, b->buf, &map.layout, call->name);
        at += map.layout.bytes;
        dialect_layout_clear(&map);
    }
}

/* The request's completion unpacks. */
static void later(struct dialect_call *call, const struct dialect_exchange *x, char *stage)
{
    g_autoptr(GPtrArray) order = in_order(x->in, x->ins);
    struct dialect_pending *p = dialect_pending_new(call->rank, *call->request, call->name);
    p->stage = stage;
    p->comm = call->comm;
    for (guint i = 0; i < order->len; i++) {
        const struct dialect_block *b = order->pdata[i];
        dialect_later(call, b->buf, b->count, dialect_type_find(b->type));
    }
}

void dialect_meet_from(struct dialect_call *call, const int *counts)
{
    struct check_comm c;
    if (!dialect_comm_checked(call->rank, call->comm, &c)) return;
    call->flow = CHECK_EACH;
    call->meeting = check_meet(call->rank->rank, &c, CHECK_EACH, 0, true);
    check_meet_takes(call->meeting, &c, counts);
}

static int go(struct dialect_call *call, const struct dialect_exchange *x, const struct side *out,
              const struct side *in)
{
    /* what comes, and behind it what goes */
    char *stage = g_malloc((size_t)in->total + (size_t)out->total + 1), *given = stage + in->total;
    MPI_Request own, *request = call->request ? call->request : &own;
    dialect_meet_from(call, in->count);
    pack(call, x, given);
    world_settle(call->rank);
    dialect_hold_places(call->rank);
    int code = PMPI_Ialltoallv(given, out->count, out->at, MPI_BYTE, stage, in->count, in->at,
                               MPI_BYTE, call->comm, request);
    if (code == MPI_SUCCESS && !call->request) code = PMPI_Wait(request, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS && call->request && *request != MPI_REQUEST_NULL) {
        later(call, x, stage);
        stage = NULL;
    } else if (code == MPI_SUCCESS)
        unpack(call, x, stage);
    g_free(stage);
    dialect_met(call);
    if (code == MPI_SUCCESS && call->request) dialect_holds(call, MPI_PROC_NULL, 0);
    return code;
}

int dialect_exchange(struct dialect_call *call, const struct dialect_exchange *x)
{
    const int ranks = dialect_size_of(call->comm);
    struct side out, in = {0};
    int code = side_init(&out, x->out, x->outs, ranks);
    if (code == MPI_SUCCESS) code = side_init(&in, x->in, x->ins, ranks);
    if (code == MPI_SUCCESS) code = go(call, x, &out, &in);
    side_clear(&out);
    side_clear(&in);
    return code;
}
