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

DIALECT_AGAIN_BLOCKS(Neighbor_allgather, MPI_Ineighbor_allgather)

DIALECT_AGAIN_EACH_COMES(Neighbor_allgatherv, MPI_Ineighbor_allgatherv)

DIALECT_AGAIN_BLOCKS(Neighbor_alltoall, MPI_Ineighbor_alltoall)

DIALECT_AGAIN_EACH(Neighbor_alltoallv, MPI_Ineighbor_alltoallv)

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
