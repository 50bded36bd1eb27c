/* What a window's info object has. */
#include "dialect/mpi/window/window.h"

#include <string.h>

bool dialect_info_is(MPI_Info info, const char *key, const char *value)
{
    char found[64] = "";
    int flag = 0;
    PMPI_Info_get(info, key, sizeof found - 1, found, &flag);
    return flag && strcmp(found, value) == 0;
}
