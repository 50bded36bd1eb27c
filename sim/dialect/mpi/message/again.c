/* Persistent collectives (MPI-4.0 6.13) and partitioned messages (partitioned.c). The handle is
 * that of a persistent receive from nobody; MPI_Start begins the nonblocking collective, or the
 * message, whose request stands in its place in each call that completes.
 */
#include "dialect/mpi/message/again.h"

static bool any; /* most programs have none */

/* Counts those that are datatypes. */
static int hold_all(struct dialect_type **held, const MPI_Datatype *types, int n)
{
    int before = 0;
    for (int i = 0; i < n; i++) {
        struct dialect_type *type = dialect_type_find(types[i]);
        if (type) held[before++] = dialect_type_ref(type);
    }
    return before;
}

static void hold(struct world_rank *r, struct dialect_again *a)
{
    const MPI_Datatype one[] = {a->type, a->sent_type};
    a->held = g_new0(struct dialect_type *, 2 + a->blocks + a->sent_blocks + 1);
    int n = hold_all(a->held, one, G_N_ELEMENTS(one));
    n += hold_all(a->held + n, a->types, a->blocks);
    hold_all(a->held + n, a->sent_types, a->sent_blocks);
    a->types = g_memdup2(a->types, (gsize)a->blocks * sizeof *a->types);
    a->sent_types = g_memdup2(a->sent_types, (gsize)a->sent_blocks * sizeof *a->sent_types);
    if (a->comm != MPI_COMM_WORLD) a->held_comm = dialect_held_by(r, a->comm);
}

int dialect_again_make(const char *call, const struct dialect_again *again, MPI_Request *request)
{
    if (!request) return dialect_null(call, again->pc, again->comm, MPI_ERR_REQUEST, "request");
    struct world_rank *r = world_enter(call, again->pc);
    if (!r) return MPI_ERR_OTHER;
    dialect_hold_places(r);
    int code = PMPI_Recv_init(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, request);
    if (code == MPI_SUCCESS) {
        struct dialect_pending *p = dialect_pending_new(r, *request, call);
        p->persistent = true;
        p->to = MPI_PROC_NULL;
        p->inner = MPI_REQUEST_NULL;
        p->again = g_memdup2(again, sizeof *again);
        hold(r, p->again);
        if (again->op) dialect_pending_reduces(r, p, again->op);
        any = true;
    } else
        code = dialect_refused(r, again->comm, call, code);
    world_leave(r);
    return code;
}

int dialect_again_start(struct dialect_pending *p)
{
    dialect_fortran_pc = p->again->pc;
    return p->again->go(p->again, &p->inner);
}

MPI_Request *dialect_again_hide(struct world_rank *r, int count, MPI_Request *requests)
{
    MPI_Request *outer = NULL;
    for (int i = 0; any && i < count; i++) {
        const struct dialect_pending *p = dialect_pending_of(r, requests[i]);
        if (!p || !p->again) continue;
        if (!outer) outer = g_memdup2(requests, (gsize)count * sizeof *requests);
        requests[i] = p->inner;
    }
    return outer;
}

void dialect_again_show(struct world_rank *r, int count, MPI_Request *requests, MPI_Request *outer)
{
    for (int i = 0; outer && i < count; i++) {
        struct dialect_pending *p = dialect_pending_of(r, outer[i]);
        if (!p || !p->again) continue;
        p->inner = requests[i];
        requests[i] = outer[i];
    }
    g_free(outer);
}

/* ---- a buffered send of elements with gaps, which go as bytes (gaps.c) -------------------------
 */

static int go_bsend(const struct dialect_again *a, MPI_Request *request)
{
    return MPI_Ibsend(a->send, a->count, a->type, a->root, a->tag, a->comm, request);
}

int dialect_bsend_init(const void *buf, int count, MPI_Datatype type, int to, int tag,
                       MPI_Comm comm, MPI_Request *request)
{
    if (to == MPI_PROC_NULL || count < 0 || dialect_dense(type))
        return PMPI_Bsend_init(buf, count, type, to, tag, comm, request);
    const struct dialect_again again = {.go = go_bsend,
                                        .pc = world_here()->proc->cpu->call_pc,
                                        .send = buf,
                                        .count = count,
                                        .type = type,
                                        .root = to,
                                        .tag = tag,
                                        .comm = comm};
    return dialect_again_make("MPI_Bsend_init", &again, request);
}

/* ---- each collective ------------------------------------------------------------------------- */

DIALECT_AGAIN(Barrier, MPI_Ibarrier, (MPI_Comm comm, MPI_Info info, MPI_Request *request),
              (a->comm, request))
DIALECT_AGAIN(Bcast, MPI_Ibcast,
              (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
               MPI_Info info, MPI_Request *request),
              (a->to, a->count, a->type, a->root, a->comm, request), .to = buffer, .count = count,
              .type = datatype, .root = root)
DIALECT_AGAIN(Reduce, MPI_Ireduce,
              (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               int root, MPI_Comm comm, MPI_Info info, MPI_Request *request),
              (a->send, a->to, a->count, a->type, a->op, a->root, a->comm, request),
              .send = sendbuf, .to = recvbuf, .count = count, .type = datatype, .op = op,
              .root = root)
DIALECT_AGAIN_REDUCES(Allreduce, MPI_Iallreduce)
DIALECT_AGAIN_REDUCES(Scan, MPI_Iscan)
DIALECT_AGAIN_REDUCES(Exscan, MPI_Iexscan)
DIALECT_AGAIN(Reduce_scatter, MPI_Ireduce_scatter,
              (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
               MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request),
              (a->send, a->to, a->each, a->type, a->op, a->comm, request), .send = sendbuf,
              .to = recvbuf, .each = recvcounts, .type = datatype, .op = op)
DIALECT_AGAIN_REDUCES(Reduce_scatter_block, MPI_Ireduce_scatter_block)
DIALECT_AGAIN(Gather, MPI_Igather,
              (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
               int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
               MPI_Request *request),
              (a->send, a->sent, a->sent_type, a->to, a->count, a->type, a->root, a->comm, request),
              .send = sendbuf, .sent = sendcount, .sent_type = sendtype, .to = recvbuf,
              .count = recvcount, .type = recvtype, .root = root)
DIALECT_AGAIN(Scatter, MPI_Iscatter,
              (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
               int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
               MPI_Request *request),
              (a->send, a->sent, a->sent_type, a->to, a->count, a->type, a->root, a->comm, request),
              .send = sendbuf, .sent = sendcount, .sent_type = sendtype, .to = recvbuf,
              .count = recvcount, .type = recvtype, .root = root)
DIALECT_AGAIN_BLOCKS(Allgather, MPI_Iallgather)
DIALECT_AGAIN_BLOCKS(Alltoall, MPI_Ialltoall)
DIALECT_AGAIN(Gatherv, MPI_Igatherv,
              (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
               const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
               MPI_Comm comm, MPI_Info info, MPI_Request *request),
              (a->send, a->sent, a->sent_type, a->to, a->each, a->at, a->type, a->root, a->comm,
               request),
              .send = sendbuf, .sent = sendcount, .sent_type = sendtype, .to = recvbuf,
              .each = recvcounts, .at = displs, .type = recvtype, .root = root)
DIALECT_AGAIN(Scatterv, MPI_Iscatterv,
              (const void *sendbuf, const int sendcounts[], const int displs[],
               MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
               MPI_Comm comm, MPI_Info info, MPI_Request *request),
              (a->send, a->sent_each, a->sent_at, a->sent_type, a->to, a->count, a->type, a->root,
               a->comm, request),
              .send = sendbuf, .sent_each = sendcounts, .sent_at = displs, .sent_type = sendtype,
              .to = recvbuf, .count = recvcount, .type = recvtype, .root = root)
DIALECT_AGAIN_EACH_COMES(Allgatherv, MPI_Iallgatherv)
DIALECT_AGAIN_EACH(Alltoallv, MPI_Ialltoallv)
DIALECT_AGAIN(Alltoallw, MPI_Ialltoallw,
              (const void *sendbuf, const int sendcounts[], const int sdispls[],
               const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
               const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
               MPI_Request *request),
              (a->send, a->sent_each, a->sent_at, a->sent_types, a->to, a->each, a->at, a->types,
               a->comm, request),
              .send = sendbuf, .sent_each = sendcounts, .sent_at = sdispls, .sent_types = sendtypes,
              .sent_blocks = sendbuf == MPI_IN_PLACE ? 0 : dialect_blocks_for(comm), .to = recvbuf,
              .each = recvcounts, .at = rdispls, .types = recvtypes,
              .blocks = dialect_blocks_for(comm))
