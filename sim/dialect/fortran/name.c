/* Names are as long as the variable that holds them, without the blanks behind, and padded with
 * blanks (MPI-2 2.6.2). SMPI's bindings take the length for MPI_MAX_OBJECT_NAME. */
#include "dialect/fortran/fortran.h"

#include <string.h>

#define BINDING(name, ...)                                                                         \
    DIALECT_BINDING void name(__VA_ARGS__);                                                        \
    void name(__VA_ARGS__)

static char *text(const char *name, size_t length)
{
    while (length > 0 && name[length - 1] == ' ') length--;
    return g_strndup(name, length);
}

static void padded(char *name, const char *found, size_t length)
{
    memset(name, ' ', length);
    memcpy(name, found, MIN(strlen(found), length));
}

BINDING(mpi_win_set_name_, MPI_Fint *win, const char *name, int *ierr, size_t length)
{
    DIALECT_FORTRAN_CODE(ierr);
    g_autofree char *its = text(name, length);
    *ierr = MPI_Win_set_name(dialect_fortran_win(*win), its);
}

BINDING(mpi_win_get_name_, MPI_Fint *win, char *name, int *found, int *ierr, size_t length)
{
    DIALECT_FORTRAN_CODE(ierr);
    char its[MPI_MAX_OBJECT_NAME] = "";
    *ierr = MPI_Win_get_name(dialect_fortran_win(*win), its, found);
    padded(name, its, length);
}

BINDING(mpi_comm_set_name_, MPI_Fint *comm, const char *name, int *ierr, size_t length)
{
    DIALECT_FORTRAN_CODE(ierr);
    g_autofree char *its = text(name, length);
    *ierr = MPI_Comm_set_name(dialect_fortran_comm(*comm), its);
}

BINDING(mpi_comm_get_name_, MPI_Fint *comm, char *name, int *found, int *ierr, size_t length)
{
    DIALECT_FORTRAN_CODE(ierr);
    char its[MPI_MAX_OBJECT_NAME] = "";
    *ierr = MPI_Comm_get_name(dialect_fortran_comm(*comm), its, found);
    padded(name, its, length);
}

BINDING(mpi_type_set_name_, MPI_Fint *type, const char *name, int *ierr, size_t length)
{
    DIALECT_FORTRAN_CODE(ierr);
    g_autofree char *its = text(name, length);
    *ierr = MPI_Type_set_name(dialect_fortran_datatype(*type), its);
}

BINDING(mpi_type_get_name_, MPI_Fint *type, char *name, int *found, int *ierr, size_t length)
{
    DIALECT_FORTRAN_CODE(ierr);
    char its[MPI_MAX_OBJECT_NAME] = "";
    *ierr = MPI_Type_get_name(dialect_fortran_datatype(*type), its, found);
    padded(name, its, length);
}
