/* Neighbourhood collectives (MPI-3.1 7.6, 7.7). */
#include "dialect/mpi/message/exchange.h"
#include "dialect/mpi/topology/topology.h"

static int exchange(struct dialect_call *call, const struct dialect_neighbours *n,
                    const struct dialect_blocks *out, const struct dialect_blocks *in)
{
    g_autofree struct dialect_block *gives = g_new(struct dialect_block, n->destinations + 1);
    g_autofree struct dialect_block *takes = g_new(struct dialect_block, n->sources + 1);
    for (int i = 0; i < n->destinations; i++)
        gives[i] = dialect_block_of(out, i, n->destination[i]);
    for (int i = 0; i < n->sources; i++) {
        const int from = n->directions ? i ^ 1 : i;
        takes[i] = dialect_block_of(in, from, n->source[from]);
    }
    return dialect_exchange(call,
                            &(struct dialect_exchange){gives, takes, n->destinations, n->sources});
}

static int collective(const char *name, uintptr_t pc, const struct dialect_blocks *out,
                      const struct dialect_blocks *in, MPI_Comm comm, MPI_Request *request)
{
    struct world_rank *r = world_enter(name, pc);
    DIALECT_NO_THREAD(r);
    struct dialect_neighbours n;
    int code;
    if (!r) return MPI_ERR_OTHER;
    if (!dialect_neighbours_init(&n, comm))
        code = dialect_error(r, comm, name, comm == MPI_COMM_NULL ? MPI_ERR_COMM : MPI_ERR_TOPOLOGY,
                             "the communicator has no topology");
    else {
        struct dialect_call call = {.rank = r, .name = name, .comm = comm, .request = request};
        code = exchange(&call, &n, out, in);
        if (code != MPI_SUCCESS)
            code = dialect_error(r, comm, name, code,
                                 "the neighbours' blocks do not agree, or a "
                                 "count or datatype is none");
    }
    dialect_neighbours_clear(&n);
    world_leave(r);
    return code;
}

/* Both forms of a call: MPI_Neighbor_X waits, MPI_Ineighbor_X has a request. */
#define NEIGHBOUR(x, parameters, ...)                                                              \
    int MPI_Neighbor_##x(UNPACK parameters)                                                        \
    {                                                                                              \
        return collective(__func__, DIALECT_PC, __VA_ARGS__, comm, NULL);                          \
    }                                                                                              \
    int MPI_Ineighbor_##x(UNPACK parameters, MPI_Request *request)                                 \
    {                                                                                              \
        return collective(__func__, DIALECT_PC, __VA_ARGS__, comm, request);                       \
    }
#define UNPACK(...) __VA_ARGS__
#define BUFFER(...)                                                                                \
    &(struct dialect_blocks) { __VA_ARGS__ }

NEIGHBOUR(allgather,
          (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
           MPI_Datatype recvtype, MPI_Comm comm),
          BUFFER(.buf = sendbuf, .count = sendcount, .type = sendtype, .same = true),
          BUFFER(.buf = recvbuf, .count = recvcount, .type = recvtype))

NEIGHBOUR(allgatherv,
          (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
           const int *recvcounts, const int *displs, MPI_Datatype recvtype, MPI_Comm comm),
          BUFFER(.buf = sendbuf, .count = sendcount, .type = sendtype, .same = true),
          BUFFER(.buf = recvbuf, .counts = recvcounts, .displs = displs, .type = recvtype))

NEIGHBOUR(alltoall,
          (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
           MPI_Datatype recvtype, MPI_Comm comm),
          BUFFER(.buf = sendbuf, .count = sendcount, .type = sendtype),
          BUFFER(.buf = recvbuf, .count = recvcount, .type = recvtype))

NEIGHBOUR(alltoallv,
          (const void *sendbuf, const int *sendcounts, const int *sdispls, MPI_Datatype sendtype,
           void *recvbuf, const int *recvcounts, const int *rdispls, MPI_Datatype recvtype,
           MPI_Comm comm),
          BUFFER(.buf = sendbuf, .counts = sendcounts, .displs = sdispls, .type = sendtype),
          BUFFER(.buf = recvbuf, .counts = recvcounts, .displs = rdispls, .type = recvtype))

NEIGHBOUR(alltoallw,
          (const void *sendbuf, const int *sendcounts, const MPI_Aint *sdispls,
           const MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts,
           const MPI_Aint *rdispls, const MPI_Datatype *recvtypes, MPI_Comm comm),
          BUFFER(.buf = sendbuf, .counts = sendcounts, .bytes = sdispls, .types = sendtypes),
          BUFFER(.buf = recvbuf, .counts = recvcounts, .bytes = rdispls, .types = recvtypes))
