/* Attributes of windows, communicators and datatypes. A value is an integer of MPI_ADDRESS_KIND
 * (MPI-2 4.12.7); MPI_ATTR_PUT and MPI_ATTR_GET have default integers. C gets the address of what
 * Fortran has set, and Fortran gets an address as the integer that it is; predefined ones are
 * integers in C. SMPI's bindings keep four bytes of a value, and give callbacks its own pointers.
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

/* ---- callbacks ------------------------------------------------------------------------------- */

typedef void copier(MPI_Fint *handle, int *keyval, MPI_Aint *extra, MPI_Aint *in, MPI_Aint *out,
                    int *flag, int *ierr);
typedef void deleter(MPI_Fint *handle, int *keyval, MPI_Aint *value, MPI_Aint *extra, int *ierr);

/* What the program gave; NULL: one of MPI's. */
struct callbacks {
    copier *copy;
    deleter *delete;
    MPI_Aint extra;
    bool copies; /* without a function of the program's */
};

/* mpif.h: 0 are the functions that copy and delete nothing, 1 those that copy. */
static struct callbacks *callbacks_new(const int *copy_fn, const int *delete_fn,
                                       const MPI_Aint *extra)
{
    struct callbacks *f = g_new0(struct callbacks, 1); /* as long as the key: for ever */
    f->extra = *extra;
    f->copies = copy_fn && *copy_fn == 1;
    if (copy_fn && *copy_fn != 0 && *copy_fn != 1) *(const void **)&f->copy = copy_fn;
    if (*delete_fn != 0) *(const void **)&f->delete = delete_fn;
    return f;
}

static int copied(MPI_Fint handle, int keyval, struct callbacks *f, void *in, void **out, int *flag)
{
    MPI_Aint from = value_of(keyval, in), to = 0;
    int code = MPI_SUCCESS;
    *flag = f->copies;
    *out = in;
    if (!f->copy) return code;
    f->copy(&handle, &keyval, &f->extra, &from, &to, flag, &code);
    *out = kept(to);
    return code;
}

static int deleted(MPI_Fint handle, int keyval, struct callbacks *f, void *value)
{
    MPI_Aint was = value_of(keyval, value);
    int code = MPI_SUCCESS;
    if (f->delete) f->delete(&handle, &keyval, &was, &f->extra, &code);
    return code;
}

static int comm_copied(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    return copied(dialect_fortran_number_comm(comm), keyval, extra, in, out, flag);
}

static int comm_deleted(MPI_Comm comm, int keyval, void *value, void *extra)
{
    return deleted(dialect_fortran_number_comm(comm), keyval, extra, value);
}

static int type_copied(MPI_Datatype type, int keyval, void *extra, void *in, void *out, int *flag)
{
    return copied(PMPI_Type_c2f(type), keyval, extra, in, out, flag);
}

static int type_deleted(MPI_Datatype type, int keyval, void *value, void *extra)
{
    return deleted(PMPI_Type_c2f(type), keyval, extra, value);
}

static int win_deleted(MPI_Win win, int keyval, void *value, void *extra)
{
    return deleted(dialect_fortran_number_win(win), keyval, extra, value);
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

/* Windows are not duplicated, so the copy function is never run. */
BINDING(mpi_win_create_keyval_, void *copy_fn, int *delete_fn, int *keyval, MPI_Aint *extra_state,
        int *ierr)
{
    DIALECT_FORTRAN_CODE(ierr);
    (void)copy_fn;
    *ierr = MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, win_deleted, keyval,
                                  callbacks_new(NULL, delete_fn, extra_state));
}

/* ---- communicators and datatypes ------------------------------------------------------------- */

BINDING(mpi_comm_create_keyval_, int *copy_fn, int *delete_fn, int *keyval, MPI_Aint *extra_state,
        int *ierr)
{
    DIALECT_FORTRAN_CODE(ierr);
    *ierr = MPI_Comm_create_keyval(comm_copied, comm_deleted, keyval,
                                   callbacks_new(copy_fn, delete_fn, extra_state));
}

BINDING(mpi_type_create_keyval_, int *copy_fn, int *delete_fn, int *keyval, MPI_Aint *extra_state,
        int *ierr)
{
    DIALECT_FORTRAN_CODE(ierr);
    *ierr = MPI_Type_create_keyval(type_copied, type_deleted, keyval,
                                   callbacks_new(copy_fn, delete_fn, extra_state));
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
