/* MPI_X_c of MPI-4: MPI_X for counts of type MPI_Count, which have to fit an int: SMPI has no more.
 */
#ifndef DIALECT_MPI_LARGE_H
#define DIALECT_MPI_LARGE_H

#include "dialect/mpi/comm/comm.h"

/* Do all of them fit an int? */
static inline bool dialect_large_fits(const int64_t *value, int values)
{
    for (int i = 0; i < values; i++)
        if (value[i] > INT32_MAX || value[i] < INT32_MIN) return false;
    return true;
}

/* The same as ints; NULL: one does not fit, or there are none. Free them. */
int *dialect_large_narrow(const int64_t *value, int n);
#define LARGE_OF(comm, name, n)                                                                    \
    g_autofree int *name##_int = dialect_large_narrow((const int64_t *)(name), n);                 \
    if ((name) && !name##_int) return dialect_large_refuse(__func__, DIALECT_PC, comm)

int dialect_large_refuse(const char *call, uintptr_t pc, MPI_Comm comm);

/* The call that follows is made where this one was. */
#define HERE dialect_fortran_pc = DIALECT_PC
#define LARGE(comm, ...)                                                                           \
    do {                                                                                           \
        const int64_t value[] = {__VA_ARGS__};                                                     \
        if (!dialect_large_fits(value, (int)G_N_ELEMENTS(value)))                                  \
            return dialect_large_refuse(__func__, DIALECT_PC, comm);                               \
    } while (0)

#endif
