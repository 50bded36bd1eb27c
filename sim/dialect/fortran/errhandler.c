/* Handlers of errors made in Fortran: SMPI's would give them its own pointer where a communicator's
 * number belongs. */
#include "dialect/fortran/fortran.h"
#include "dialect/mpi/window/window.h"

DIALECT_BINDING void mpi_comm_create_errhandler_(dialect_fortran_handler *function,
                                                 MPI_Fint *errhandler, int *ierr);
void mpi_comm_create_errhandler_(dialect_fortran_handler *function, MPI_Fint *errhandler, int *ierr)
{
    static void (*smpi)(dialect_fortran_handler *function, MPI_Fint *errhandler, int *ierr);
    if (!smpi) *(void **)&smpi = dialect_fortran_binding("mpi_comm_create_errhandler_");
    DIALECT_FORTRAN_CODE(ierr);
    dialect_fortran_pc = DIALECT_HERE;
    smpi(function, errhandler, ierr);
    dialect_fortran_pc = 0;
    if (*ierr == MPI_SUCCESS)
        dialect_errhandler_in_fortran(dialect_fortran_errhandler(*errhandler), function);
}

DIALECT_BINDING void mpi_win_create_errhandler_(dialect_fortran_handler *function,
                                                MPI_Fint *errhandler, int *ierr);
void mpi_win_create_errhandler_(dialect_fortran_handler *function, MPI_Fint *errhandler, int *ierr)
{
    MPI_Errhandler made;
    DIALECT_FORTRAN_CODE(ierr);
    dialect_fortran_pc = DIALECT_HERE;
    *ierr = dialect_win_errhandler_in_fortran(function, &made);
    dialect_fortran_pc = 0;
    if (*ierr == MPI_SUCCESS) *errhandler = dialect_fortran_number_errhandler(made);
}
