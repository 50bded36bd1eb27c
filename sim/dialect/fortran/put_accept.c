/* PUT/ACCEPT as its proposal writes it, in FORTRAN 77, where generate.awk cannot translate.
 * `sidewinder f77 --dialect put_accept` makes MPI_PUT one of PA_PUT, and so on
 * (include/dialect/put_accept/fortran.s).
 */
#include "dialect/fortran/fortran.h"
#include "put_accept.h"

DIALECT_BINDING void pa_probe_(int *source, int *tag, MPI_Fint *comm, MPI_Status *status,
                               int *ierr);
void pa_probe_(int *source, int *tag, MPI_Fint *comm, MPI_Status *status, int *ierr)
{
    const uintptr_t pc = DIALECT_HERE;
    MPI_Comm its_comm = dialect_fortran_comm(*comm);
    if ((char *)status == mpi_status_ignore_) status = MPI_STATUS_IGNORE;
    dialect_fortran_pc = pc;
    *ierr = PA_Probe(*source, *tag, its_comm, status);
    dialect_fortran_pc = 0;
}
