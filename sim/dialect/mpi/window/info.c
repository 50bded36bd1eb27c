/* Info objects: what a window's has, and MPI_Info_get, which SMPI 3.32 gives no end of its string
 * where it is cut short. */
#include "dialect/mpi/window/window.h"

#include <string.h>

bool dialect_info_is(MPI_Info info, const char *key, const char *value)
{
    char found[64] = "";
    int flag = 0;
    PMPI_Info_get(info, key, sizeof found - 1, found, &flag);
    return flag && strcmp(found, value) == 0;
}

void dialect_info_update(MPI_Info info, MPI_Info from)
{
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    int keys = 0, flag = 0;
    PMPI_Info_get_nkeys(from, &keys);
    for (int i = 0; i < keys; i++) {
        PMPI_Info_get_nthkey(from, i, key);
        PMPI_Info_get(from, key, MPI_MAX_INFO_VAL, value, &flag);
        value[MPI_MAX_INFO_VAL] = '\0';
        if (flag) PMPI_Info_set(info, key, value);
    }
}

/* "If valuelen is less than the actual size of the value, the value is truncated. In C, valuelen
 * should be one less than the amount of allocated space to allow for the null terminator." */
int MPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag)
{
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;
    DIALECT_AWAY;
    int bytes = 0, found = 0;
    int code = PMPI_Info_get(info, key, valuelen, value, flag);
    if (code != MPI_SUCCESS)
        return dialect_refused_outside(DIALECT_PC, MPI_COMM_NULL, __func__, code);
    if (*flag && PMPI_Info_get_valuelen(info, key, &bytes, &found) == MPI_SUCCESS && found)
        value[MIN(bytes, valuelen)] = '\0';
    return MPI_SUCCESS;
}
