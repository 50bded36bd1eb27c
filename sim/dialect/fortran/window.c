/* Calls on windows that generate.awk cannot translate: names and attributes.
 *
 * Left out: callbacks written in Fortran for attributes and errors of windows.
 */
#include "dialect/fortran/fortran.h"

#include <string.h>

#define BINDING(name, ...)                                                                         \
    DIALECT_BINDING void name(__VA_ARGS__);                                                        \
    void name(__VA_ARGS__)

/* Names are padded with blanks (MPI-2 2.6.2). */
BINDING(mpi_win_set_name_, MPI_Fint *win, const char *name, int *ierr, size_t length)
{
    DIALECT_FORTRAN_CODE(ierr);
    while (length > 0 && name[length - 1] == ' ') length--;
    g_autofree char *text = g_strndup(name, length);
    *ierr = MPI_Win_set_name(dialect_fortran_win(*win), text);
}

BINDING(mpi_win_get_name_, MPI_Fint *win, char *name, int *found, int *ierr, size_t length)
{
    DIALECT_FORTRAN_CODE(ierr);
    char text[MPI_MAX_OBJECT_NAME] = "";
    *ierr = MPI_Win_get_name(dialect_fortran_win(*win), text, found);
    memset(name, ' ', length);
    memcpy(name, text, MIN(strlen(text), length));
}

/* Values are integers of MPI_ADDRESS_KIND, the predefined ones too (MPI-2 4.12.7). */
BINDING(mpi_win_get_attr_, MPI_Fint *win, int *keyval, MPI_Aint *value, int *flag, int *ierr)
{
    DIALECT_FORTRAN_CODE(ierr);
    void *found = NULL;
    *ierr = MPI_Win_get_attr(dialect_fortran_win(*win), *keyval, &found, flag);
    if (*ierr != MPI_SUCCESS || !*flag) return;
    switch (*keyval) {
    case MPI_WIN_SIZE: *value = *(MPI_Aint *)found; break;
    case MPI_WIN_DISP_UNIT:
    case MPI_WIN_CREATE_FLAVOR:
    case MPI_WIN_MODEL: *value = *(int *)found; break;
    default: *value = (MPI_Aint)found;
    }
}

BINDING(mpi_win_set_attr_, MPI_Fint *win, int *keyval, MPI_Aint *value, int *ierr)
{
    DIALECT_FORTRAN_CODE(ierr);
    *ierr = MPI_Win_set_attr(dialect_fortran_win(*win), *keyval, (void *)*value);
}

/* Windows are not duplicated, so the copy function is never run. mpif.h: MPI_WIN_NULL_DELETE_FN is
 * the integer 0. */
BINDING(mpi_win_create_keyval_, void *copy_fn, int *delete_fn, int *keyval, void *extra_state,
        int *ierr)
{
    DIALECT_FORTRAN_CODE(ierr);
    (void)copy_fn;
    *ierr = *delete_fn == 0
                ? MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, keyval,
                                        extra_state)
                : dialect_error(world_here(), MPI_COMM_NULL, "MPI_Win_create_keyval",
                                MPI_ERR_UNSUPPORTED_OPERATION,
                                "delete functions written in Fortran are not called here");
}
