/* Reductions between the two groups of an intercommunicator that scatter, or have a request: each
 * rank that takes gets the whole vector of each of the other group, and applies the operation.
 */
#include "dialect/mpi/message/between.h"
#include "dialect/mpi/message/pending.h"

#include <limits.h>

/* What this rank gives, and what it takes. */
struct reduction {
    const void *send;
    void *to;
    int64_t count; /* of the whole vector */
    int64_t skip;  /* of it, before what this rank takes */
    int64_t mine;
    int first, takers;  /* of the bridge, that take from this rank */
    int source, givers; /* that give to it */
};

static struct reduction between_all(const struct dialect_between *b, const void *send, void *to,
                                    int64_t count)
{
    const struct dialect_inter *inter = dialect_inter_of(b->rank, b->comm);
    const int first = inter->first, n = inter->remote_members;
    return (struct reduction){send, to, count, 0, count, first, n, first, n};
}

static int refuse(const struct dialect_between *b, int class, const char *why)
{
    return dialect_error(b->rank, b->comm, b->call, class, "%s", why);
}

/* NULL: *why. */
static struct dialect_fold *fold_of(const struct dialect_between *b, const struct reduction *x,
                                    MPI_Datatype handle, MPI_Op op, const char **why)
{
    struct dialect_type *type = dialect_type_find(handle);
    struct dialect_fold fold = {.op = dialect_reduce_op_find(op), .parts = x->givers, .to = x->to};
    *why = !type ? "invalid datatype handle" : "the operation is not defined for this datatype";
    if (!type) return NULL;
    if (!fold.op && !dialect_combine(op, type->basic, &fold.combine, &fold.arg)) return NULL;
    *why = "the count is negative, or the elements have more than 2^31 - 1 bytes";
    const uint64_t size = MAX(type->one.bytes, 1), all = (uint64_t)MAX(x->givers, x->takers);
    if (x->count < 0 || x->mine < 0 || (uint64_t)x->count > INT_MAX / size / MAX(all, 1))
        return NULL;
    fold.type = dialect_type_ref(type);
    fold.count = x->mine;
    fold.bytes = (int)((uint64_t)x->count * type->one.bytes);
    fold.skip = (int)((uint64_t)x->skip * type->one.bytes);
    fold.sent = g_malloc((gsize)fold.bytes + 1);
    fold.part = g_malloc((gsize)x->givers * (gsize)fold.bytes + 1);
    if (fold.op) fold.op->refs++;
    struct dialect_call call = {.rank = b->rank, .name = b->call, .comm = b->comm};
    dialect_read(&call, x->send, x->takers > 0 ? x->count : 0, handle);
    struct dialect_layout map;
    dialect_layout_init(&map, type, x->takers > 0 ? x->count : 0);
    op_pack(&map.layout, dialect_address(x->send), fold.sent);
    dialect_layout_clear(&map);
    return g_memdup2(&fold, sizeof fold);
}

static int go(struct dialect_call *call, const struct reduction *x, struct dialect_fold *fold)
{
    const int ranks = dialect_size_of(call->comm);
    g_autofree int *out = g_new0(int, ranks), *in = g_new0(int, ranks), *zero = g_new0(int, ranks),
                   *at = g_new0(int, ranks);
    for (int i = 0; i < x->takers; i++) out[x->first + i] = fold->bytes;
    for (int i = 0; i < x->givers; i++) {
        in[x->source + i] = fold->bytes;
        at[x->source + i] = i * fold->bytes;
    }
    dialect_meet_from(call, in);
    world_settle(call->rank);
    dialect_hold_places(call->rank);
    return PMPI_Ialltoallv(fold->sent, out, zero, MPI_BYTE, fold->part, in, at, MPI_BYTE,
                           call->comm, call->request);
}

static int reduce(const struct dialect_between *b, const struct reduction *x, MPI_Datatype type,
                  MPI_Op op)
{
    const char *why;
    struct dialect_fold *fold = fold_of(b, x, type, op, &why);
    if (!fold) return refuse(b, MPI_ERR_ARG, why);
    MPI_Request own, *request = b->request ? b->request : &own;
    struct dialect_call call = {.rank = b->rank,
                                .name = b->call,
                                .comm = dialect_bridge(b->rank, b->comm),
                                .request = request};
    int code = go(&call, x, fold);
    if (code == MPI_SUCCESS && !b->request) code = PMPI_Wait(request, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS && b->request) {
        struct dialect_pending *p = dialect_pending_new(b->rank, *request, b->call);
        p->comm = call.comm;
        p->fold = fold;
    } else {
        if (code == MPI_SUCCESS) dialect_fold_store(fold);
        dialect_fold_free(fold);
    }
    call.request = b->request;
    if (code == MPI_SUCCESS && x->givers > 0) dialect_write(&call, x->to, x->mine, type);
    dialect_met(&call);
    if (code == MPI_SUCCESS && b->request) dialect_holds(&call, MPI_PROC_NULL, 0);
    return code == MPI_SUCCESS ? code : dialect_refused(b->rank, b->comm, b->call, code);
}

int dialect_between_ireduce(const struct dialect_between *b, const void *send, void *to, int count,
                            MPI_Datatype type, MPI_Op op)
{
    struct reduction x = between_all(b, send, to, count);
    if (b->root == MPI_ROOT || b->root == MPI_PROC_NULL)
        x.takers = 0;
    else if (b->root < 0 || b->root >= x.takers)
        return refuse(b, MPI_ERR_ROOT, "the root is no rank of the remote group");
    else
        x.first += b->root, x.takers = 1;
    if (b->root != MPI_ROOT) x.givers = 0;
    return reduce(b, &x, type, op);
}

int dialect_between_iallreduce(const struct dialect_between *b, const void *send, void *to,
                               int count, MPI_Datatype type, MPI_Op op)
{
    const struct reduction x = between_all(b, send, to, count);
    return reduce(b, &x, type, op);
}

/* counts NULL: `count` for each rank of this group */
int dialect_between_reduce_scatter(const struct dialect_between *b, const void *send, void *to,
                                   const int *counts, int count, MPI_Datatype type, MPI_Op op)
{
    const int me = dialect_rank_in(b->comm), ranks = dialect_size_of(b->comm);
    struct reduction x = between_all(b, send, to, 0);
    x.mine = counts ? counts[me] : count;
    for (int i = 0; i < ranks; i++) {
        const int one = counts ? counts[i] : count;
        if (i < me) x.skip += one;
        x.count += one;
    }
    return reduce(b, &x, type, op);
}
