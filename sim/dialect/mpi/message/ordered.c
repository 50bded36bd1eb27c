/* Reductions in the order of ranks, for operations that do not commute.
 *
 * SimGrid's MPI_Scan and MPI_Exscan, and all its nonblocking reductions, apply the program's
 * operation in an order of their own (its colls_global.cpp and smpi_nbc_impl.cpp), so that only
 * those that commute get what they should. For others each rank receives the parts that its result
 * is made of, packed, and applies the operation here, rank after rank. As many messages go as in
 * SimGrid's own, which know no tree. Elements with gaps go the same way, since SimGrid's
 * nonblocking reductions take too little memory for them; and of no datatype that the program has
 * made do those apply the program's operation. Its MPI_Iexscan begins with zeros, whatever the
 * operation is: all of them are done here.
 */
#include "dialect/mpi/hooks/hooks.h"
#include "dialect/mpi/message/fold.h"
#include "dialect/mpi/message/pending.h"

#include <limits.h>
#include <string.h>

/* MPI's own operation on those elements. */
static bool predefined(MPI_Op op, const struct dialect_type *type, struct dialect_fold *fold)
{
    return type && !dialect_reduce_op_find(op) &&
           dialect_combine(op, type->basic, &fold->combine, &fold->arg);
}

bool dialect_in_order(const struct dialect_call *call, MPI_Op op, MPI_Datatype handle)
{
    const struct dialect_reduce_op *own = dialect_reduce_op_find(op);
    const struct dialect_type *type = dialect_type_find(handle);
    struct dialect_fold unused;
    if (!own) return strcmp(call->name, "MPI_Iexscan") == 0 && predefined(op, type, &unused);
    return type && (!own->commutes || !dialect_dense(handle) || (call->request && type->made));
}

/* send: of `sent` elements, from which each rank gets its parts; mine: elements of each part of
 * this rank's result. NULL: more than MPI can send as bytes. */
static struct dialect_fold *fold_new(const struct dialect_call *call, const void *send, void *to,
                                     int64_t sent, int64_t mine, MPI_Datatype handle, MPI_Op op)
{
    struct dialect_type *type = dialect_type_find(handle);
    int ranks = dialect_size_of(call->comm);
    if (mine < 0 || sent < 0 || (uint64_t)MAX(sent, mine) > INT_MAX / MAX(type->one.bytes, 1))
        return NULL;
    struct dialect_fold *fold = g_new0(struct dialect_fold, 1);
    *fold = (struct dialect_fold){.op = dialect_reduce_op_find(op),
                                  .type = dialect_type_ref(type),
                                  .count = mine,
                                  .parts = ranks,
                                  .bytes = (int)((uint64_t)mine * type->one.bytes),
                                  .to = dialect_address(to)};
    if (fold->op)
        fold->op->refs++;
    else
        predefined(op, type, fold);
    fold->sent = g_malloc((gsize)sent * type->one.bytes + 1);
    fold->part = g_malloc((gsize)ranks * (gsize)fold->bytes + 1);
    struct dialect_layout map;
    dialect_layout_init(&map, type, sent);
    op_pack(&map.layout, dialect_address(send == MPI_IN_PLACE ? to : send), fold->sent);
    dialect_layout_clear(&map);
    return fold;
}

static int too_much(const struct dialect_call *call)
{
    return dialect_error(call->rank, call->comm, call->name, MPI_ERR_COUNT,
                         "the count is negative, or the elements have more than 2^31 - 1 bytes");
}

/* The request's completion folds. */
static int later(const struct dialect_call *call, struct dialect_fold *fold, int code)
{
    if (code != MPI_SUCCESS) {
        dialect_fold_free(fold);
        return code;
    }
    struct dialect_pending *p = dialect_pending_new(call->rank, *call->request, call->name);
    p->comm = call->comm;
    p->fold = fold;
    return code;
}

/* ---- scans ----------------------------------------------------------------------------------- */

static int scan(struct dialect_call *call, const void *send, void *to, int count, MPI_Datatype type,
                MPI_Op op, int parts)
{
    struct dialect_fold *fold = fold_new(call, send, to, count, count, type, op);
    if (!fold) return too_much(call);
    fold->parts = parts;
    if (call->request)
        return later(call, fold,
                     PMPI_Iallgather(fold->sent, fold->bytes, MPI_BYTE, fold->part, fold->bytes,
                                     MPI_BYTE, call->comm, call->request));
    int code = PMPI_Allgather(fold->sent, fold->bytes, MPI_BYTE, fold->part, fold->bytes, MPI_BYTE,
                              call->comm);
    if (code == MPI_SUCCESS) dialect_fold_store(fold);
    dialect_fold_free(fold);
    return code;
}

int dialect_ordered_scan(struct dialect_call *call, const void *send, void *to, int count,
                         MPI_Datatype type, MPI_Op op)
{
    return scan(call, send, to, count, type, op, dialect_rank_in(call->comm) + 1);
}

int dialect_ordered_exscan(struct dialect_call *call, const void *send, void *to, int count,
                           MPI_Datatype type, MPI_Op op)
{
    return scan(call, send, to, count, type, op, dialect_rank_in(call->comm));
}

int dialect_ordered_allreduce(struct dialect_call *call, const void *send, void *to, int count,
                              MPI_Datatype type, MPI_Op op)
{
    return scan(call, send, to, count, type, op, dialect_size_of(call->comm));
}

/* ---- to one rank, to each rank a part -------------------------------------------------------- */

int dialect_ordered_reduce(struct dialect_call *call, const void *send, void *to, int count,
                           MPI_Datatype type, MPI_Op op, int root)
{
    struct dialect_fold *fold = fold_new(call, send, to, count, count, type, op);
    if (!fold) return too_much(call);
    if (dialect_rank_in(call->comm) != root) fold->parts = 0;
    return later(call, fold,
                 PMPI_Igather(fold->sent, fold->bytes, MPI_BYTE, fold->part, fold->bytes, MPI_BYTE,
                              root, call->comm, call->request));
}

/* counts NULL: `count` for each */
int dialect_ordered_scatter(struct dialect_call *call, const void *send, void *to,
                            const int *counts, int count, MPI_Datatype type, MPI_Op op)
{
    int ranks = dialect_size_of(call->comm), me = dialect_rank_in(call->comm);
    int64_t sum = counts ? dialect_sum(counts, call->comm) : (int64_t)count * ranks;
    struct dialect_fold *fold =
        fold_new(call, send, to, sum, counts ? counts[me] : count, type, op);
    if (!fold) return too_much(call);
    int size = (int)fold->type->one.bytes, at = 0;
    g_autofree int *sent = g_new(int, ranks), *sent_at = g_new(int, ranks),
                   *got = g_new(int, ranks), *got_at = g_new(int, ranks);
    for (int i = 0; i < ranks; i++) {
        sent[i] = (counts ? counts[i] : count) * size;
        sent_at[i] = at;
        at += sent[i];
        got[i] = fold->bytes;
        got_at[i] = i * fold->bytes;
    }
    return later(call, fold,
                 PMPI_Ialltoallv(fold->sent, sent, sent_at, MPI_BYTE, fold->part, got, got_at,
                                 MPI_BYTE, call->comm, call->request));
}
