/* MPI_Gather and its kin where elements have gaps, or lie in each other's, as the columns of a
 * matrix do. SimGrid's algorithms take memory for elements by their extent, and store behind it. So
 * they are given bytes, and each rank packs and unpacks its own.
 */
#include "dialect/mpi/message/message.h"

#include <limits.h>
#include <string.h>

bool dialect_dense(MPI_Datatype handle)
{
    const struct dialect_type *type = dialect_type_find(handle);
    return !type || type->one.bytes == 0 ||
           (type->one.pieces == 1 && type->one.piece[0].offset == 0 && type->lb == 0 &&
            (uint64_t)type->extent == type->one.bytes);
}

static char *packed(const void *buf, int64_t count, MPI_Datatype handle)
{
    struct dialect_layout map;
    dialect_layout_init(&map, dialect_type_find(handle), count);
    char *bytes = g_malloc(map.layout.bytes + 1);
    op_pack(&map.layout, dialect_address(buf), bytes);
    dialect_layout_clear(&map);
    return bytes;
}

static void unpack(const char *bytes, void *buf, int64_t count, MPI_Datatype handle)
{
    struct dialect_layout map;
    dialect_layout_init(&map, dialect_type_find(handle), count);
    op_unpack(&map.layout, dialect_address(buf), bytes);
    dialect_layout_clear(&map);
}

/* Do so many elements fit a count of bytes? */
static bool fits(int64_t count, MPI_Datatype handle)
{
    const struct dialect_type *type = dialect_type_find(handle);
    return type && count >= 0 && (uint64_t)count * type->one.bytes <= INT_MAX;
}

/* What one rank gives. */
struct part {
    char *own; /* in bytes; NULL: the program's buffer as it is */
    const void *send;
    int count;
    MPI_Datatype type;
};

static struct part part_of(const void *send, int count, MPI_Datatype type, bool bytes)
{
    struct part p = {NULL, send, count, type};
    if (send == MPI_IN_PLACE || !bytes || !fits(count, type)) return p;
    p.own = packed(send, count, type);
    p.send = p.own;
    p.count = (int)dialect_bytes(count, type);
    p.type = MPI_BYTE;
    return p;
}

/* Where the parts of all come from: one behind the other, in bytes. */
struct parts {
    int ranks, *count, *at;
    char *all;
};

static bool parts_init(struct parts *p, int ranks, const int *counts, int each, MPI_Datatype type)
{
    int64_t total = 0;
    for (int i = 0; i < ranks; i++) {
        int count = counts ? counts[i] : each;
        if (count < 0) return false;
        total += count;
    }
    if (!fits(total, type)) return false;
    *p = (struct parts){ranks, g_new(int, ranks), g_new(int, ranks), NULL};
    for (int i = 0, at = 0; i < ranks; at += p->count[i++]) {
        p->at[i] = at;
        p->count[i] = (int)dialect_bytes(counts ? counts[i] : each, type);
    }
    p->all = g_malloc(dialect_bytes(total, type) + 1);
    return true;
}

/* Of this rank, where it is in place. */
static void parts_own(struct parts *p, int rank, const void *buf, int64_t count, MPI_Datatype type)
{
    g_autofree char *own = packed(buf, count, type);
    memcpy(p->all + p->at[rank], own, (size_t)p->count[rank]);
}

static void parts_end(struct parts *p, int code, void *buf, const int *counts, const int *displs,
                      int each, MPI_Datatype type)
{
    for (int i = 0; code == MPI_SUCCESS && i < p->ranks; i++)
        unpack(p->all + p->at[i], dialect_at(buf, displs ? displs[i] : (int64_t)i * each, type),
               counts ? counts[i] : each, type);
    g_free(p->count);
    g_free(p->at);
    g_free(p->all);
}

int dialect_gather(const void *send, int sent, MPI_Datatype sent_type, void *to, int count,
                   MPI_Datatype type, int root, MPI_Comm comm)
{
    const int me = dialect_rank_in(comm);
    struct part p = part_of(send, sent, sent_type, !dialect_dense(sent_type));
    struct parts all;
    bool here = me == root && !dialect_dense(type) &&
                parts_init(&all, dialect_size_of(comm), NULL, count, type);
    if (here && send == MPI_IN_PLACE)
        parts_own(&all, me, dialect_at(to, (int64_t)me * count, type), count, type);
    int code =
        here ? PMPI_Gather(p.send, p.count, p.type, all.all, all.count[0], MPI_BYTE, root, comm)
             : PMPI_Gather(p.send, p.count, p.type, to, count, type, root, comm);
    if (here) parts_end(&all, code, to, NULL, NULL, count, type);
    g_free(p.own);
    return code;
}

int dialect_gatherv(const void *send, int sent, MPI_Datatype sent_type, void *to, const int *counts,
                    const int *displs, MPI_Datatype type, int root, MPI_Comm comm)
{
    const int me = dialect_rank_in(comm);
    struct part p = part_of(send, sent, sent_type, !dialect_dense(sent_type));
    struct parts all;
    bool here = me == root && !dialect_dense(type) && counts && displs &&
                parts_init(&all, dialect_size_of(comm), counts, 0, type);
    if (here && send == MPI_IN_PLACE)
        parts_own(&all, me, dialect_at(to, displs[me], type), counts[me], type);
    int code = here ? PMPI_Gatherv(p.send, p.count, p.type, all.all, all.count, all.at, MPI_BYTE,
                                   root, comm)
                    : PMPI_Gatherv(p.send, p.count, p.type, to, counts, displs, type, root, comm);
    if (here) parts_end(&all, code, to, counts, displs, 0, type);
    g_free(p.own);
    return code;
}

/* Its MPI_Allgather and MPI_Alltoall pass on in the one type what they have of the other. */
static bool as_bytes(const void *send, int sent, MPI_Datatype sent_type, MPI_Datatype type)
{
    return !dialect_dense(type) ||
           (send != MPI_IN_PLACE && sent_type != type && fits(sent, sent_type));
}

int dialect_allgather(const void *send, int sent, MPI_Datatype sent_type, void *to, int count,
                      MPI_Datatype type, MPI_Comm comm)
{
    const int me = dialect_rank_in(comm);
    struct parts all;
    bool here = me >= 0 && as_bytes(send, sent, sent_type, type) &&
                parts_init(&all, dialect_size_of(comm), NULL, count, type);
    struct part p = part_of(send, sent, sent_type, here);
    if (here && send == MPI_IN_PLACE)
        parts_own(&all, me, dialect_at(to, (int64_t)me * count, type), count, type);
    int code = here ? PMPI_Allgather(p.send, p.count, p.type, all.all, all.count[0], MPI_BYTE, comm)
                    : PMPI_Allgather(p.send, p.count, p.type, to, count, type, comm);
    if (here) parts_end(&all, code, to, NULL, NULL, count, type);
    g_free(p.own);
    return code;
}

int dialect_allgatherv(const void *send, int sent, MPI_Datatype sent_type, void *to,
                       const int *counts, const int *displs, MPI_Datatype type, MPI_Comm comm)
{
    const int me = dialect_rank_in(comm);
    struct parts all;
    bool here = me >= 0 && counts && displs && as_bytes(send, sent, sent_type, type) &&
                parts_init(&all, dialect_size_of(comm), counts, 0, type);
    struct part p = part_of(send, sent, sent_type, here);
    if (here && send == MPI_IN_PLACE)
        parts_own(&all, me, dialect_at(to, displs[me], type), counts[me], type);
    int code =
        here ? PMPI_Allgatherv(p.send, p.count, p.type, all.all, all.count, all.at, MPI_BYTE, comm)
             : PMPI_Allgatherv(p.send, p.count, p.type, to, counts, displs, type, comm);
    if (here) parts_end(&all, code, to, counts, displs, 0, type);
    g_free(p.own);
    return code;
}

int dialect_scatter(const void *send, int sent, MPI_Datatype sent_type, void *to, int count,
                    MPI_Datatype type, int root, MPI_Comm comm)
{
    const int64_t given =
        dialect_rank_in(comm) == root ? (int64_t)sent * dialect_size_of(comm) : -1;
    const bool out = given >= 0 && !dialect_dense(sent_type) && fits(given, sent_type);
    g_autofree char *own = out ? packed(send, given, sent_type) : NULL;
    if (out) sent = (int)dialect_bytes(sent, sent_type), sent_type = MPI_BYTE, send = own;
    const bool here = to != MPI_IN_PLACE && !dialect_dense(type) && fits(count, type);
    const int bytes = here ? (int)dialect_bytes(count, type) : 0;
    g_autofree char *got = here ? packed(to, count, type) : NULL;
    int code = here ? PMPI_Scatter(send, sent, sent_type, got, bytes, MPI_BYTE, root, comm)
                    : PMPI_Scatter(send, sent, sent_type, to, count, type, root, comm);
    if (here && code == MPI_SUCCESS) unpack(got, to, count, type);
    return code;
}

int dialect_alltoall_gaps(const void *send, int sent, MPI_Datatype sent_type, void *to, int count,
                          MPI_Datatype type, MPI_Comm comm)
{
    const int ranks = dialect_size_of(comm);
    const int64_t all = (int64_t)count * ranks, given = (int64_t)sent * ranks;
    const bool in_place = send == MPI_IN_PLACE;
    if (!as_bytes(send, sent, sent_type, type) || !fits(all, type) ||
        (!in_place && !fits(given, sent_type)))
        return dialect_alltoall(send, sent, sent_type, to, count, type, comm);
    g_autofree char *got = packed(to, all, type);
    g_autofree char *own = in_place ? NULL : packed(send, given, sent_type);
    int code =
        dialect_alltoall(in_place ? send : own, in_place ? 0 : (int)dialect_bytes(sent, sent_type),
                         MPI_BYTE, got, (int)dialect_bytes(count, type), MPI_BYTE, comm);
    if (code == MPI_SUCCESS) unpack(got, to, all, type);
    return code;
}

/* ---- buffered sends: SimGrid wants room for the gaps, too; MPI_Pack_size has none for them ------
 */

int dialect_bsend(const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    if (to == MPI_PROC_NULL || dialect_dense(type) || !fits(count, type))
        return PMPI_Bsend(buf, count, type, to, tag, comm);
    g_autofree char *own = packed(buf, count, type);
    return PMPI_Bsend(own, (int)dialect_bytes(count, type), MPI_BYTE, to, tag, comm);
}

int dialect_ibsend(const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request *request)
{
    if (to == MPI_PROC_NULL || dialect_dense(type) || !fits(count, type))
        return PMPI_Ibsend(buf, count, type, to, tag, comm, request);
    g_autofree char *own = packed(buf, count, type);
    return PMPI_Ibsend(own, (int)dialect_bytes(count, type), MPI_BYTE, to, tag, comm, request);
}
