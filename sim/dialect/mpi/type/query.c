/* What a datatype is: sizes, extents, life. Answers come from the maps of table.c. */
#include "dialect/mpi/hooks/hooks.h"
#include "dialect/mpi/type/type.h"

#include <limits.h>

static struct dialect_type *given(MPI_Datatype handle, const char *call, int *error)
{
    struct dialect_type *type = dialect_type_find(handle);
    if (!type)
        *error = dialect_error(world_here(), MPI_COMM_NULL, call, MPI_ERR_TYPE,
                               "invalid datatype handle");
    return type;
}

/* One query: `set` is run with `type` known. */
#define QUERY(set)                                                                                 \
    int error = MPI_SUCCESS;                                                                       \
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;                             \
    struct dialect_type *type = given(datatype, __func__, &error);                                 \
    if (type) {                                                                                    \
        set;                                                                                       \
    }                                                                                              \
    return error

static int shown(int64_t value) { return value > INT_MAX ? MPI_UNDEFINED : (int)value; }

int MPI_Type_size(MPI_Datatype datatype, int *size)
{
    QUERY(*size = shown((int64_t)type->one.bytes));
}
int MPI_Type_size_x(MPI_Datatype datatype, MPI_Count *size)
{
    QUERY(*size = (MPI_Count)type->one.bytes);
}
int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent) { QUERY(*extent = type->extent); }
int MPI_Type_lb(MPI_Datatype datatype, MPI_Aint *disp) { QUERY(*disp = type->lb); }
int MPI_Type_ub(MPI_Datatype datatype, MPI_Aint *disp) { QUERY(*disp = type->lb + type->extent); }

int MPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent)
{
    QUERY(*lb = type->lb; *extent = type->extent);
}

int MPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    QUERY(*lb = type->lb; *extent = type->extent);
}

int MPI_Type_get_true_extent(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent)
{
    QUERY(*lb = type->one.low; *extent = type->one.high - type->one.low);
}

int MPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    QUERY(*lb = type->one.low; *extent = type->one.high - type->one.low);
}

int MPI_Type_commit(MPI_Datatype *datatype_pointer)
{
    MPI_Datatype datatype = datatype_pointer ? *datatype_pointer : MPI_DATATYPE_NULL;
    DIALECT_AWAY;
    QUERY(if (!type->committed) PMPI_Type_commit(&type->handle); type->committed = true);
}

int MPI_Type_free(MPI_Datatype *datatype_pointer)
{
    MPI_Datatype datatype = datatype_pointer ? *datatype_pointer : MPI_DATATYPE_NULL;
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;
    struct dialect_type *derived = dialect_type_find(datatype);
    if (derived && !derived->made)
        return dialect_error(world_here(), MPI_COMM_NULL, __func__, MPI_ERR_TYPE,
                             "a predefined datatype cannot be freed");
    struct dialect_beside by;
    const char *kept = derived ? dialect_kept(world_here(), derived, &by) : NULL;
    if (kept)
        return dialect_kept_error(__func__, DIALECT_PC, MPI_COMM_NULL, MPI_ERR_TYPE, kept, &by);
    QUERY(dialect_type_unref(type); *datatype_pointer = MPI_DATATYPE_NULL);
}
