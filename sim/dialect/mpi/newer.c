/* Small calls of MPI-4. */
#include "dialect/mpi/comm/comm.h"

#include <string.h>

int MPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag)
{
    DIALECT_NO_NULL(buflen, MPI_ERR_ARG);
    DIALECT_NO_NULL(flag, MPI_ERR_ARG);
    char whole[MPI_MAX_INFO_VAL + 1];
    dialect_fortran_pc = DIALECT_PC;
    const int code = MPI_Info_get(info, key, MPI_MAX_INFO_VAL, whole, flag);
    if (code != MPI_SUCCESS || !*flag) return code;
    if (*buflen > 0) g_strlcpy(value, whole, (gsize)*buflen);
    *buflen = (int)strlen(whole) + 1;
    return code;
}

int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request)
{
    dialect_fortran_pc = DIALECT_PC;
    const int code = MPI_Comm_idup(comm, newcomm, request);
    if (code == MPI_SUCCESS) MPI_Comm_set_info(*newcomm, info);
    return code;
}

/* "If the value of the key is not known at this time, it will not be set" (MPI-4.0 11.2.4): all are
 * of how processes are started, and none is known. */
int MPI_Info_create_env(int argc, char *argv[], MPI_Info *info)
{
    (void)argc, (void)argv;
    dialect_fortran_pc = DIALECT_PC;
    return MPI_Info_create(info);
}
