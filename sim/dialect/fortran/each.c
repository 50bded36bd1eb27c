/* Collectives with a datatype for each block: handles of Fortran become handles of C. SMPI has
 * bindings of MPI_Alltoallw and MPI_Ialltoallw alone. */
#include "dialect/fortran/fortran.h"
#include "dialect/mpi/comm/comm.h"

static MPI_Datatype *types_of(const MPI_Fint *types, int count)
{
    MPI_Datatype *all = g_new(MPI_Datatype, count + 1);
    for (int i = 0; i < count; i++) all[i] = dialect_fortran_datatype(types[i]);
    return all;
}

/* A persistent collective copies the datatypes. */
DIALECT_BINDING void mpi_alltoallw_init_(void *sendbuf, int *sendcounts, int *sdispls,
                                         MPI_Fint *sendtypes, void *recvbuf, int *recvcounts,
                                         int *rdispls, MPI_Fint *recvtypes, MPI_Fint *comm,
                                         MPI_Fint *info, MPI_Fint *request, int *ierr);
void mpi_alltoallw_init_(void *sendbuf, int *sendcounts, int *sdispls, MPI_Fint *sendtypes,
                         void *recvbuf, int *recvcounts, int *rdispls, MPI_Fint *recvtypes,
                         MPI_Fint *comm, MPI_Fint *info, MPI_Fint *request, int *ierr)
{
    const MPI_Comm c_comm = dialect_fortran_comm(*comm);
    void *send = dialect_fortran_buffer(sendbuf);
    const int blocks = dialect_blocks_for(c_comm);
    g_autofree MPI_Datatype *give = types_of(sendtypes, send == MPI_IN_PLACE ? 0 : blocks),
                            *take = types_of(recvtypes, blocks);
    MPI_Request made = MPI_REQUEST_NULL;
    DIALECT_FORTRAN_CODE(ierr);
    dialect_fortran_pc = DIALECT_HERE;
    *ierr =
        MPI_Alltoallw_init(send, sendcounts, sdispls, give, dialect_fortran_buffer(recvbuf),
                           recvcounts, rdispls, take, c_comm, dialect_fortran_info(*info), &made);
    dialect_fortran_pc = 0;
    *request = dialect_fortran_number_request(made);
}

/* ---- neighbours ------------------------------------------------------------------------------ */

static void degrees(MPI_Comm comm, int *ins, int *outs)
{
    int kind = MPI_UNDEFINED, weighted = 0, rank = 0;
    *ins = *outs = 0;
    if (comm == MPI_COMM_NULL || MPI_Topo_test(comm, &kind) != MPI_SUCCESS) return;
    MPI_Comm_rank(comm, &rank);
    if (kind == MPI_DIST_GRAPH)
        MPI_Dist_graph_neighbors_count(comm, ins, outs, &weighted);
    else if (kind == MPI_GRAPH)
        MPI_Graph_neighbors_count(comm, rank, ins);
    else if (kind == MPI_CART && MPI_Cartdim_get(comm, ins) == MPI_SUCCESS)
        *ins *= 2;
    if (kind != MPI_DIST_GRAPH) *outs = *ins;
}

typedef int call(const void *, const int *, const MPI_Aint *, const MPI_Datatype *, void *,
                 const int *, const MPI_Aint *, const MPI_Datatype *, MPI_Comm, MPI_Request *);

static int waits(const void *sendbuf, const int *sendcounts, const MPI_Aint *sdispls,
                 const MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts,
                 const MPI_Aint *rdispls, const MPI_Datatype *recvtypes, MPI_Comm comm,
                 MPI_Request *request)
{
    (void)request;
    return MPI_Neighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                  rdispls, recvtypes, comm);
}

static int begins(const void *sendbuf, const int *sendcounts, const MPI_Aint *sdispls,
                  const MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts,
                  const MPI_Aint *rdispls, const MPI_Datatype *recvtypes, MPI_Comm comm,
                  MPI_Request *request)
{
    return MPI_Neighbor_alltoallw_init(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                       rdispls, recvtypes, comm, MPI_INFO_NULL, request);
}

#define WITH_TYPES                                                                                 \
    void *sendbuf, int *sendcounts, MPI_Aint *sdispls, MPI_Fint *sendtypes, void *recvbuf,         \
        int *recvcounts, MPI_Aint *rdispls, MPI_Fint *recvtypes, MPI_Fint *comm
#define GIVEN sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm

static int alltoallw(uintptr_t pc, call *go, WITH_TYPES, MPI_Request *request)
{
    const MPI_Comm c_comm = dialect_fortran_comm(*comm);
    int ins, outs;
    degrees(c_comm, &ins, &outs);
    g_autofree MPI_Datatype *give = types_of(sendtypes, outs), *take = types_of(recvtypes, ins);
    dialect_fortran_pc = pc;
    int code = go(dialect_fortran_buffer(sendbuf), sendcounts, sdispls, give,
                  dialect_fortran_buffer(recvbuf), recvcounts, rdispls, take, c_comm, request);
    dialect_fortran_pc = 0;
    return code;
}

DIALECT_BINDING void mpi_neighbor_alltoallw_(WITH_TYPES, int *ierr);
void mpi_neighbor_alltoallw_(WITH_TYPES, int *ierr)
{
    DIALECT_FORTRAN_CODE(ierr);
    *ierr = alltoallw(DIALECT_HERE, waits, GIVEN, NULL);
}

DIALECT_BINDING void mpi_ineighbor_alltoallw_(WITH_TYPES, MPI_Fint *request, int *ierr);
void mpi_ineighbor_alltoallw_(WITH_TYPES, MPI_Fint *request, int *ierr)
{
    MPI_Request made = MPI_REQUEST_NULL;
    DIALECT_FORTRAN_CODE(ierr);
    *ierr = alltoallw(DIALECT_HERE, MPI_Ineighbor_alltoallw, GIVEN, &made);
    *request = dialect_fortran_number_request(made);
}

DIALECT_BINDING void mpi_neighbor_alltoallw_init_(WITH_TYPES, MPI_Fint *info, MPI_Fint *request,
                                                  int *ierr);
void mpi_neighbor_alltoallw_init_(WITH_TYPES, MPI_Fint *info, MPI_Fint *request, int *ierr)
{
    MPI_Request made = MPI_REQUEST_NULL;
    (void)info;
    DIALECT_FORTRAN_CODE(ierr);
    *ierr = alltoallw(DIALECT_HERE, begins, GIVEN, &made);
    *request = dialect_fortran_number_request(made);
}
