/* Persistent neighbourhood collectives (MPI-4.0 8.8). */
#include "dialect/mpi/message/again.h"
#include "dialect/mpi/topology/topology.h"

/* Blocks that come from neighbours, or go to them. */
static int blocks(MPI_Comm comm, bool come)
{
    struct dialect_neighbours n;
    const int found = !dialect_neighbours_init(&n, comm) ? 0 : come ? n.sources : n.destinations;
    dialect_neighbours_clear(&n);
    return found;
}

DIALECT_AGAIN(Neighbor_allgather, MPI_Ineighbor_allgather,
              (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
               int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
               MPI_Request *request),
              (a->send, a->sent, a->sent_type, a->to, a->count, a->type, a->comm, request),
              .send = sendbuf, .sent = sendcount, .sent_type = sendtype, .to = recvbuf,
              .count = recvcount, .type = recvtype)

DIALECT_AGAIN(Neighbor_allgatherv, MPI_Ineighbor_allgatherv,
              (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
               const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
               MPI_Info info, MPI_Request *request),
              (a->send, a->sent, a->sent_type, a->to, a->each, a->at, a->type, a->comm, request),
              .send = sendbuf, .sent = sendcount, .sent_type = sendtype, .to = recvbuf,
              .each = recvcounts, .at = displs, .type = recvtype)

DIALECT_AGAIN(Neighbor_alltoall, MPI_Ineighbor_alltoall,
              (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
               int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
               MPI_Request *request),
              (a->send, a->sent, a->sent_type, a->to, a->count, a->type, a->comm, request),
              .send = sendbuf, .sent = sendcount, .sent_type = sendtype, .to = recvbuf,
              .count = recvcount, .type = recvtype)

DIALECT_AGAIN(Neighbor_alltoallv, MPI_Ineighbor_alltoallv,
              (const void *sendbuf, const int sendcounts[], const int sdispls[],
               MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
               MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request),
              (a->send, a->sent_each, a->sent_at, a->sent_type, a->to, a->each, a->at, a->type,
               a->comm, request),
              .send = sendbuf, .sent_each = sendcounts, .sent_at = sdispls, .sent_type = sendtype,
              .to = recvbuf, .each = recvcounts, .at = rdispls, .type = recvtype)

DIALECT_AGAIN(Neighbor_alltoallw, MPI_Ineighbor_alltoallw,
              (const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
               const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
               const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
               MPI_Info info, MPI_Request *request),
              (a->send, a->sent_each, a->sent_bytes, a->sent_types, a->to, a->each, a->bytes,
               a->types, a->comm, request),
              .send = sendbuf, .sent_each = sendcounts, .sent_bytes = sdispls,
              .sent_types = sendtypes, .sent_blocks = blocks(comm, false), .to = recvbuf,
              .each = recvcounts, .bytes = rdispls, .types = recvtypes,
              .blocks = blocks(comm, true))
