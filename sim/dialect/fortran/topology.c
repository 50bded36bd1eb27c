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
