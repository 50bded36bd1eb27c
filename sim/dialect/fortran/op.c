/* Operations made in Fortran: SMPI must know, for reductions, and accumulates must, for registered
 * ones. */
#include "dialect/fortran/fortran.h"
#include "dialect/mpi/reduce/reduce.h"

DIALECT_BINDING void mpi_op_create_(void *function, int *commute, MPI_Fint *op, int *ierr);
void mpi_op_create_(void *function, int *commute, MPI_Fint *op, int *ierr)
{
    static void (*smpi)(void *function, int *commute, MPI_Fint *op, int *ierr);
    if (!smpi) *(void **)&smpi = dialect_fortran_binding("mpi_op_create_");
    DIALECT_FORTRAN_CODE(ierr);
    dialect_fortran_pc = DIALECT_HERE;
    smpi(function, commute, op, ierr);
    dialect_fortran_pc = 0;
    if (*ierr == MPI_SUCCESS) dialect_reduce_op_find(dialect_fortran_op(*op))->fortran = true;
}
