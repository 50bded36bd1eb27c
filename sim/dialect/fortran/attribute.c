/* Attributes of windows, communicators and datatypes. A value is an integer of MPI_ADDRESS_KIND
 * (MPI-2 4.12.7); MPI_ATTR_PUT and MPI_ATTR_GET have default integers. C gets the address of what
 * Fortran has set, and Fortran gets an address as the integer that it is; predefined ones are
 * integers in C. SMPI's bindings keep four bytes of a value.
 *
 * Left out: callbacks written in Fortran for attributes and errors of windows.
 */
#include "dialect/fortran/fortran.h"

#define BINDING(name, ...)                                                                         \
    DIALECT_BINDING void name(__VA_ARGS__);                                                        \
    void name(__VA_ARGS__)

/* They stay where they are: copies of an attribute share one. */
static GHashTable *values;

static void *kept(MPI_Aint value)
{
    MPI_Aint *at = g_new(MPI_Aint, 1);
    *at = value;
    if (!values) values = g_hash_table_new(NULL, NULL);
    g_hash_table_add(values, at);
    return at;
}

static MPI_Aint value_of(int keyval, void *found)
{
    if (keyval < 0) return *(int *)found;
    return values && g_hash_table_contains(values, found) ? *(MPI_Aint *)found : (MPI_Aint)found;
}

/* ---- windows --------------------------------------------------------------------------------- */

BINDING(mpi_win_get_attr_, MPI_Fint *win, int *keyval, MPI_Aint *value, int *flag, int *ierr)
{
    DIALECT_FORTRAN_CODE(ierr);
    void *found = NULL;
    *ierr = MPI_Win_get_attr(dialect_fortran_win(*win), *keyval, &found, flag);
    if (*ierr != MPI_SUCCESS || !*flag) return;
    switch (*keyval) {
    case MPI_WIN_BASE: *value = (MPI_Aint)found; break;
    case MPI_WIN_SIZE: *value = *(MPI_Aint *)found; break;
    case MPI_WIN_DISP_UNIT:
    case MPI_WIN_CREATE_FLAVOR:
    case MPI_WIN_MODEL: *value = *(int *)found; break;
    default: *value = value_of(*keyval, found);
    }
}

BINDING(mpi_win_set_attr_, MPI_Fint *win, int *keyval, MPI_Aint *value, int *ierr)
{
    DIALECT_FORTRAN_CODE(ierr);
    *ierr = MPI_Win_set_attr(dialect_fortran_win(*win), *keyval, kept(*value));
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

/* ---- communicators and datatypes ------------------------------------------------------------- */

/* mpif.h: 0 are the functions that copy and delete nothing, 1 those that copy. SMPI's bindings take
 * the latter for a function of the program. */
static bool predefined(const int *copy_fn, const int *delete_fn)
{
    return (*copy_fn == 0 || *copy_fn == 1) && *delete_fn == 0;
}

BINDING(mpi_comm_create_keyval_, int *copy_fn, int *delete_fn, int *keyval, void *extra_state,
        int *ierr)
{
    static void (*smpi)(int *, int *, int *, void *, int *);
    DIALECT_FORTRAN_CODE(ierr);
    if (!smpi) *(void **)&smpi = dialect_fortran_binding("mpi_comm_create_keyval_");
    if (predefined(copy_fn, delete_fn))
        *ierr = MPI_Comm_create_keyval(*copy_fn ? MPI_COMM_DUP_FN : MPI_COMM_NULL_COPY_FN,
                                       MPI_COMM_NULL_DELETE_FN, keyval, extra_state);
    else
        smpi(copy_fn, delete_fn, keyval, extra_state, ierr);
}

BINDING(mpi_type_create_keyval_, int *copy_fn, int *delete_fn, int *keyval, void *extra_state,
        int *ierr)
{
    static void (*smpi)(int *, int *, int *, void *, int *);
    DIALECT_FORTRAN_CODE(ierr);
    if (!smpi) *(void **)&smpi = dialect_fortran_binding("mpi_type_create_keyval_");
    if (predefined(copy_fn, delete_fn))
        *ierr = MPI_Type_create_keyval(*copy_fn ? MPI_TYPE_DUP_FN : MPI_TYPE_NULL_COPY_FN,
                                       MPI_TYPE_NULL_DELETE_FN, keyval, extra_state);
    else
        smpi(copy_fn, delete_fn, keyval, extra_state, ierr);
}

BINDING(mpi_comm_set_attr_, MPI_Fint *comm, int *keyval, MPI_Aint *value, int *ierr)
{
    DIALECT_FORTRAN_CODE(ierr);
    *ierr = MPI_Comm_set_attr(dialect_fortran_comm(*comm), *keyval, kept(*value));
}

BINDING(mpi_comm_get_attr_, MPI_Fint *comm, int *keyval, MPI_Aint *value, int *flag, int *ierr)
{
    DIALECT_FORTRAN_CODE(ierr);
    void *found = NULL;
    *ierr = MPI_Comm_get_attr(dialect_fortran_comm(*comm), *keyval, &found, flag);
    if (*ierr == MPI_SUCCESS && *flag) *value = value_of(*keyval, found);
}

BINDING(mpi_attr_put_, MPI_Fint *comm, int *keyval, MPI_Fint *value, int *ierr)
{
    DIALECT_FORTRAN_CODE(ierr);
    *ierr = MPI_Attr_put(dialect_fortran_comm(*comm), *keyval, kept(*value));
}

BINDING(mpi_attr_get_, MPI_Fint *comm, int *keyval, MPI_Fint *value, int *flag, int *ierr)
{
    DIALECT_FORTRAN_CODE(ierr);
    void *found = NULL;
    *ierr = MPI_Attr_get(dialect_fortran_comm(*comm), *keyval, &found, flag);
    if (*ierr == MPI_SUCCESS && *flag) *value = (MPI_Fint)value_of(*keyval, found);
}

BINDING(mpi_type_set_attr_, MPI_Fint *type, int *keyval, MPI_Aint *value, int *ierr)
{
    DIALECT_FORTRAN_CODE(ierr);
    *ierr = MPI_Type_set_attr(dialect_fortran_datatype(*type), *keyval, kept(*value));
}

BINDING(mpi_type_get_attr_, MPI_Fint *type, int *keyval, MPI_Aint *value, int *flag, int *ierr)
{
    DIALECT_FORTRAN_CODE(ierr);
    void *found = NULL;
    *ierr = MPI_Type_get_attr(dialect_fortran_datatype(*type), *keyval, &found, flag);
    if (*ierr == MPI_SUCCESS && *flag) *value = value_of(*keyval, found);
}
