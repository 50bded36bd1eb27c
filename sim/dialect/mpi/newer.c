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

#define FIELD(name, FIELD)                                                                         \
    int MPI_Status_get_##name(const MPI_Status *status, int *value)                                \
    {                                                                                              \
        *value = status->FIELD;                                                                    \
        return MPI_SUCCESS;                                                                        \
    }                                                                                              \
    int MPI_Status_set_##name(MPI_Status *status, int value)                                       \
    {                                                                                              \
        status->FIELD = value;                                                                     \
        return MPI_SUCCESS;                                                                        \
    }
FIELD(source, MPI_SOURCE)
FIELD(tag, MPI_TAG)
FIELD(error, MPI_ERROR)

/* "If no predefined datatype exists ... MPI_DATATYPE_NULL" (MPI-4.1 5.1.11) */
int MPI_Type_get_value_index(MPI_Datatype value_type, MPI_Datatype index_type,
                             MPI_Datatype *pair_type)
{
    const MPI_Datatype pairs[][2] = {
        {MPI_FLOAT, MPI_FLOAT_INT}, {MPI_DOUBLE, MPI_DOUBLE_INT},
        {MPI_LONG, MPI_LONG_INT},   {MPI_SHORT, MPI_SHORT_INT},
        {MPI_INT, MPI_2INT},        {MPI_LONG_DOUBLE, MPI_LONG_DOUBLE_INT}};
    *pair_type = MPI_DATATYPE_NULL;
    for (size_t i = 0; index_type == MPI_INT && i < G_N_ELEMENTS(pairs); i++)
        if (pairs[i][0] == value_type) *pair_type = pairs[i][1];
    return MPI_SUCCESS;
}
