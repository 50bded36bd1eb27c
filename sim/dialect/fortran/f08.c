/* What the module mpi_f08 has and mpif.h has not (MPI-3.1 17.1.2, 17.2.5): handles are compared,
 * addresses added, statuses converted. The size of a variable is mpi's, too. A handle is a type of
 * one integer. */
#include "dialect/fortran/fortran.h"

#include <string.h>

#define COMPARED(kind)                                                                             \
    DIALECT_BINDING int sw_f08_same_##kind##_(const MPI_Fint *a, const MPI_Fint *b);               \
    int sw_f08_same_##kind##_(const MPI_Fint *a, const MPI_Fint *b) { return *a == *b; }           \
    DIALECT_BINDING int sw_f08_other_##kind##_(const MPI_Fint *a, const MPI_Fint *b);              \
    int sw_f08_other_##kind##_(const MPI_Fint *a, const MPI_Fint *b) { return *a != *b; }
COMPARED(comm)
COMPARED(group)
COMPARED(request)
COMPARED(op)
COMPARED(errhandler)
COMPARED(win)
COMPARED(info)
COMPARED(file)
COMPARED(datatype)
COMPARED(message)

DIALECT_BINDING MPI_Aint mpi_aint_add_(const MPI_Aint *base, const MPI_Aint *disp);
MPI_Aint mpi_aint_add_(const MPI_Aint *base, const MPI_Aint *disp) { return *base + *disp; }

DIALECT_BINDING MPI_Aint mpi_aint_diff_(const MPI_Aint *addr1, const MPI_Aint *addr2);
MPI_Aint mpi_aint_diff_(const MPI_Aint *addr1, const MPI_Aint *addr2) { return *addr1 - *addr2; }

/* "This routine has no executable statements" (MPI-3.1 17.1.8): that it is called is enough. */
DIALECT_BINDING void mpi_f_sync_reg_(void *buf);
void mpi_f_sync_reg_(void *buf) { (void)buf; }

/* What a descriptor of Fortran begins with (Fortran 2018 18.5.3: "the first three members shall be
 * base_addr, elem_len and version in that order"). */
struct described {
    void *base_addr;
    size_t elem_len;
};

DIALECT_BINDING void sw_f08_sizeof_(const struct described *x, MPI_Fint *size, int *ierr);
void sw_f08_sizeof_(const struct described *x, MPI_Fint *size, int *ierr)
{
    *size = (MPI_Fint)x->elem_len;
    if (ierr) *ierr = MPI_SUCCESS;
}

static void converted(MPI_Fint *to, const MPI_Fint *from, int *ierr)
{
    memcpy(to, from, sizeof(MPI_Status));
    if (ierr) *ierr = MPI_SUCCESS;
}

DIALECT_BINDING void mpi_status_f2f08_(const MPI_Fint *from, MPI_Fint *to, int *ierr);
void mpi_status_f2f08_(const MPI_Fint *from, MPI_Fint *to, int *ierr) { converted(to, from, ierr); }

DIALECT_BINDING void mpi_status_f082f_(const MPI_Fint *from, MPI_Fint *to, int *ierr);
void mpi_status_f082f_(const MPI_Fint *from, MPI_Fint *to, int *ierr) { converted(to, from, ierr); }
