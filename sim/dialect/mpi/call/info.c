/* Keys of MPI_Info: SMPI takes them of any length. */
#include "dialect/mpi/call/call.h"

#include <string.h>

int MPI_Info_set(MPI_Info info, const char *key, const char *value)
{
    DIALECT_NO_NULL(key, MPI_ERR_INFO_KEY);
    DIALECT_NO_NULL(value, MPI_ERR_INFO_VALUE);
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;
    DIALECT_AWAY;
    if (key[0] == '\0' || strlen(key) > MPI_MAX_INFO_KEY)
        return dialect_error(world_here(), MPI_COMM_NULL, __func__, MPI_ERR_INFO_KEY,
                             "a key has 1 to %d characters", MPI_MAX_INFO_KEY);
    int code = PMPI_Info_set(info, key, value);
    return code == MPI_SUCCESS ? code
                               : dialect_refused_outside(DIALECT_PC, MPI_COMM_NULL, __func__, code);
}
