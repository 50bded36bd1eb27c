/* Topologies: mpif.h numbers their kinds from 0, and weights that are none are names. */
#include "dialect/fortran/fortran.h"

/* mpif.h: MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY. Arrays, since mpi_f08 has them as such. */
DIALECT_BINDING extern MPI_Fint mpi_unweighted_[1], mpi_weights_empty_[1];
MPI_Fint mpi_unweighted_[1], mpi_weights_empty_[1];

int *dialect_fortran_weights(int *weights)
{
    return weights == mpi_unweighted_      ? MPI_UNWEIGHTED
           : weights == mpi_weights_empty_ ? MPI_WEIGHTS_EMPTY
                                           : weights;
}

DIALECT_BINDING void mpi_topo_test_(MPI_Fint *comm, int *status, int *ierr);
void mpi_topo_test_(MPI_Fint *comm, int *status, int *ierr)
{
    static const int number[] = {[MPI_GRAPH] = 0, [MPI_CART] = 1, [MPI_DIST_GRAPH] = 2};
    int kind = MPI_UNDEFINED;
    DIALECT_FORTRAN_CODE(ierr);
    dialect_fortran_pc = DIALECT_HERE;
    *ierr = MPI_Topo_test(dialect_fortran_comm(*comm), &kind);
    dialect_fortran_pc = 0;
    *status = kind == MPI_UNDEFINED ? kind : number[kind];
}

/* ---- a datatype for each neighbour ----------------------------------------------------------- */

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

static MPI_Datatype *types_of(const MPI_Fint *types, int count)
{
    MPI_Datatype *all = g_new(MPI_Datatype, count + 1);
    for (int i = 0; i < count; i++) all[i] = dialect_fortran_datatype(types[i]);
    return all;
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
