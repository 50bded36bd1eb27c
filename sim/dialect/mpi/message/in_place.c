/* MPI_Alltoallv and MPI_Alltoallw in place: SimGrid's copy of what they send has no room for gaps
 * between elements (its smpi_pmpi_coll.cpp). Where there are some, what a rank sends is packed
 * here. */
#include "dialect/mpi/message/pending.h"

#include <limits.h>

/* What the ranks' blocks hold, as bytes; types: each its own, whose displacements are bytes. */
struct sent {
    int *bytes, *from;
    MPI_Datatype *type; /* MPI_BYTE for each */
    char *all;          /* NULL: too much */
};

static struct dialect_type *type_of(int i, MPI_Datatype type, const MPI_Datatype *types)
{
    return dialect_type_find(types ? types[i] : type);
}

static void pack(struct sent *s, const void *buf, const int *counts, const int *at,
                 MPI_Datatype type, const MPI_Datatype *types, int ranks)
{
    uint64_t sum = 0;
    for (int i = 0; i < ranks; i++) {
        const struct dialect_type *its = type_of(i, type, types);
        s->type[i] = MPI_BYTE;
        s->from[i] = (int)MIN(sum, INT_MAX);
        s->bytes[i] = its && counts[i] > 0 ? (int)MIN(counts[i] * its->one.bytes, INT_MAX) : 0;
        sum += (uint64_t)s->bytes[i];
    }
    if (sum >= INT_MAX) return;
    s->all = g_malloc(sum + 1);
    for (int i = 0; i < ranks; i++) {
        const struct dialect_type *its = type_of(i, type, types);
        if (s->bytes[i] == 0) continue;
        struct dialect_layout map;
        dialect_layout_init(&map, its, counts[i]);
        op_pack(&map.layout, dialect_address(buf) + at[i] * (types ? 1 : its->extent),
                s->all + s->from[i]);
        dialect_layout_clear(&map);
    }
}

/* SimGrid has what it needs of the arrays when the call returns, and of the bytes when the request
 * is complete. */
static int in_place(struct dialect_call *call, void *to, const int *counts, const int *at,
                    MPI_Datatype type, const MPI_Datatype *types)
{
    const int ranks = dialect_size_of(call->comm);
    g_autofree int *bytes = g_new(int, ranks), *from = g_new(int, ranks);
    g_autofree MPI_Datatype *sent_types = g_new(MPI_Datatype, ranks);
    struct sent s = {bytes, from, sent_types, NULL};
    pack(&s, to, counts, at, type, types, ranks);
    int code;
    if (!s.all)
        code = MPI_ERR_COUNT;
    else if (types && call->request)
        code = PMPI_Ialltoallw(s.all, s.bytes, s.from, s.type, to, counts, at, types, call->comm,
                               call->request);
    else if (types)
        code = PMPI_Alltoallw(s.all, s.bytes, s.from, s.type, to, counts, at, types, call->comm);
    else if (call->request)
        code = PMPI_Ialltoallv(s.all, s.bytes, s.from, MPI_BYTE, to, counts, at, type, call->comm,
                               call->request);
    else
        code = PMPI_Alltoallv(s.all, s.bytes, s.from, MPI_BYTE, to, counts, at, type, call->comm);
    if (code == MPI_SUCCESS && call->request)
        dialect_pending_new(call->rank, *call->request, call->name)->copy = s.all;
    else
        g_free(s.all);
    return code;
}

int dialect_alltoallv(struct dialect_call *call, const void *send, const int *sends,
                      const int *from, MPI_Datatype sent_type, void *to, const int *counts,
                      const int *at, MPI_Datatype type)
{
    if (send == MPI_IN_PLACE && counts && at && !dialect_dense(type))
        return in_place(call, to, counts, at, type, NULL);
    if (call->request)
        return PMPI_Ialltoallv(send, sends, from, sent_type, to, counts, at, type, call->comm,
                               call->request);
    return PMPI_Alltoallv(send, sends, from, sent_type, to, counts, at, type, call->comm);
}

int dialect_alltoallw(struct dialect_call *call, const void *send, const int *sends,
                      const int *from, const MPI_Datatype *sent_types, void *to, const int *counts,
                      const int *at, const MPI_Datatype *types)
{
    if (send == MPI_IN_PLACE && counts && at && types)
        return in_place(call, to, counts, at, MPI_DATATYPE_NULL, types);
    if (call->request)
        return PMPI_Ialltoallw(send, sends, from, sent_types, to, counts, at, types, call->comm,
                               call->request);
    return PMPI_Alltoallw(send, sends, from, sent_types, to, counts, at, types, call->comm);
}
