/* MPI_X_c of MPI-4: collectives that have counts of each rank, or of the root alone. */
#include "dialect/mpi/large.h"

/* Has this rank what only the root has? */
static bool at_root(MPI_Comm comm, int root)
{
    const bool inter = dialect_inter_of(world_here(), comm) != NULL;
    return root == MPI_ROOT || (!inter && root == dialect_rank_in(comm));
}

#define LARGE_EACH(comm, name) LARGE_OF(comm, name, dialect_blocks_for(comm))
/* one for each rank of its own group */
#define LARGE_OWN(comm, name) LARGE_OF(comm, name, dialect_size_of(comm))
/* that other ranks do not have */
#define LARGE_AT_ROOT(comm, name)                                                                  \
    if (!at_root(comm, root)) name = NULL;                                                         \
    LARGE_EACH(comm, name)

int MPI_Gather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                 MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    if (!at_root(comm, root)) recvcount = 0;
    LARGE(comm, sendcount, recvcount);
    HERE;
    return MPI_Gather(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, root,
                      comm);
}

int MPI_Igather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                  MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                  MPI_Request *request)
{
    if (!at_root(comm, root)) recvcount = 0;
    LARGE(comm, sendcount, recvcount);
    HERE;
    return MPI_Igather(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, root,
                       comm, request);
}

int MPI_Scatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                  MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    if (!at_root(comm, root)) sendcount = 0;
    LARGE(comm, sendcount, recvcount);
    HERE;
    return MPI_Scatter(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, root,
                       comm);
}

int MPI_Iscatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                   MPI_Request *request)
{
    if (!at_root(comm, root)) sendcount = 0;
    LARGE(comm, sendcount, recvcount);
    HERE;
    return MPI_Iscatter(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, root,
                        comm, request);
}

int MPI_Gatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                  const MPI_Count *recvcounts, const MPI_Aint *displs, MPI_Datatype recvtype,
                  int root, MPI_Comm comm)
{
    LARGE_AT_ROOT(comm, recvcounts);
    LARGE_AT_ROOT(comm, displs);
    LARGE(comm, sendcount);
    HERE;
    return MPI_Gatherv(sendbuf, (int)sendcount, sendtype, recvbuf, recvcounts_int, displs_int,
                       recvtype, root, comm);
}

int MPI_Scatterv_c(const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *displs,
                   MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                   int root, MPI_Comm comm)
{
    LARGE_AT_ROOT(comm, sendcounts);
    LARGE_AT_ROOT(comm, displs);
    LARGE(comm, recvcount);
    HERE;
    return MPI_Scatterv(sendbuf, sendcounts_int, displs_int, sendtype, recvbuf, (int)recvcount,
                        recvtype, root, comm);
}

int MPI_Allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                     const MPI_Count *recvcounts, const MPI_Aint *displs, MPI_Datatype recvtype,
                     MPI_Comm comm)
{
    LARGE_EACH(comm, recvcounts);
    LARGE_EACH(comm, displs);
    LARGE(comm, sendcount);
    HERE;
    return MPI_Allgatherv(sendbuf, (int)sendcount, sendtype, recvbuf, recvcounts_int, displs_int,
                          recvtype, comm);
}

int MPI_Alltoallv_c(const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *senddisps,
                    MPI_Datatype sendtype, void *recvbuf, const MPI_Count *recvcounts,
                    const MPI_Aint *recvdisps, MPI_Datatype recvtype, MPI_Comm comm)
{
    LARGE_EACH(comm, sendcounts);
    LARGE_EACH(comm, senddisps);
    LARGE_EACH(comm, recvcounts);
    LARGE_EACH(comm, recvdisps);
    HERE;
    return MPI_Alltoallv(sendbuf, sendcounts_int, senddisps_int, sendtype, recvbuf, recvcounts_int,
                         recvdisps_int, recvtype, comm);
}

int MPI_Reduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count *recvcounts,
                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    LARGE_OWN(comm, recvcounts);
    HERE;
    return MPI_Reduce_scatter(sendbuf, recvbuf, recvcounts_int, datatype, op, comm);
}
