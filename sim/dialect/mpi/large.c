/* MPI_X_c of MPI-4: those that only have counts, and what is asked. */
#include "dialect/mpi/large.h"

int *dialect_large_narrow(const int64_t *value, int n)
{
    if (!value || !dialect_large_fits(value, n)) return NULL;
    int *all = g_new(int, n + 1);
    for (int i = 0; i < n; i++) all[i] = (int)value[i];
    return all;
}

int dialect_large_refuse(const char *call, uintptr_t pc, MPI_Comm comm)
{
    struct world_rank *r = world_enter(call, pc);
    if (!r) return MPI_ERR_OTHER;
    int code =
        dialect_error(r, comm, call, MPI_ERR_COUNT, "counts beyond 2147483647 are not simulated");
    world_leave(r);
    return code;
}

#define LARGE_CALL(name, parameters, counts, arguments)                                            \
    int MPI_##name##_c parameters                                                                  \
    {                                                                                              \
        LARGE counts;                                                                              \
        HERE;                                                                                      \
        return MPI_##name arguments;                                                               \
    }
#include "dialect/mpi/large.def"
#undef LARGE_CALL

/* ---- what is asked of a window, a datatype or a status --------------------------------------- */

int MPI_Win_shared_query_c(MPI_Win win, int rank, MPI_Aint *size, MPI_Aint *disp_unit,
                           void *baseptr)
{
    int unit = 0;
    HERE;
    const int code = MPI_Win_shared_query(win, rank, size, &unit, baseptr);
    if (disp_unit) *disp_unit = unit;
    return code;
}

int MPI_Type_size_c(MPI_Datatype datatype, MPI_Count *size)
{
    HERE;
    return MPI_Type_size_x(datatype, size);
}

#define EXTENT(name)                                                                               \
    int MPI_Type_get_##name##_c(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)           \
    {                                                                                              \
        MPI_Aint low = 0, all = 0;                                                                 \
        HERE;                                                                                      \
        const int code = MPI_Type_get_##name(datatype, &low, &all);                                \
        if (lb) *lb = low;                                                                         \
        if (extent) *extent = all;                                                                 \
        return code;                                                                               \
    }
EXTENT(extent)
EXTENT(true_extent)

int MPI_Get_elements_c(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *elements)
{
    HERE;
    return MPI_Get_elements_x((MPI_Status *)status, datatype, elements);
}

int MPI_Get_count_c(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    int some = 0;
    HERE;
    const int code = MPI_Get_count(status, datatype, &some);
    if (count) *count = some;
    return code;
}
