/* MPI_Pack_external and its kin (MPI-3.1 4.3). */
#include "dialect/mpi/message/message.h"

#include <string.h>

/* Both directions. */
static int pack(const char *name, uintptr_t pc, bool out, const char *datarep, void *buf, int count,
                MPI_Datatype handle, void *packed, MPI_Aint room, MPI_Aint *position)
{
    struct world_rank *r = world_enter(name, pc);
    DIALECT_NO_THREAD(r);
    struct dialect_call call = {.rank = r, .name = name};
    const struct dialect_type *type = dialect_type_find(handle);
    const uint64_t bytes = type && count > 0 ? dialect_external_bytes(type, count) : 0;
    int code = MPI_SUCCESS;
    if (strcmp(datarep, "external32") != 0)
        code = dialect_error(r, MPI_COMM_NULL, name, MPI_ERR_ARG,
                             "the representation is \"external32\"");
    else if (!type || count < 0)
        code = dialect_error(r, MPI_COMM_NULL, name, type ? MPI_ERR_COUNT : MPI_ERR_TYPE,
                             type ? "the count is negative" : "invalid datatype handle");
    else if (*position < 0 || bytes > (uint64_t)MAX(room - *position, 0))
        code = dialect_error(r, MPI_COMM_NULL, name, MPI_ERR_TRUNCATE,
                             "the packed buffer is too short");
    else {
        char *at = (char *)packed + *position;
        dialect_read(&call, out ? buf : at, out ? count : (int64_t)bytes, out ? handle : MPI_BYTE);
        dialect_external(type, count, dialect_address(buf), at, out);
        dialect_write(&call, out ? at : buf, out ? (int64_t)bytes : count, out ? MPI_BYTE : handle);
        *position += (MPI_Aint)bytes;
    }
    if (r) world_leave(r);
    return code;
}

int MPI_Pack_external(char *datarep, void *inbuf, int incount, MPI_Datatype datatype, void *outbuf,
                      MPI_Aint outcount, MPI_Aint *position)
{
    return pack(__func__, DIALECT_PC, true, datarep, inbuf, incount, datatype, outbuf, outcount,
                position);
}

int MPI_Unpack_external(char *datarep, void *inbuf, MPI_Aint insize, MPI_Aint *position,
                        void *outbuf, int outcount, MPI_Datatype datatype)
{
    return pack(__func__, DIALECT_PC, false, datarep, outbuf, outcount, datatype, inbuf, insize,
                position);
}

int MPI_Pack_external_size(char *datarep, int incount, MPI_Datatype datatype, MPI_Aint *size)
{
    const struct dialect_type *type = dialect_type_find(datatype);
    if (strcmp(datarep, "external32") != 0)
        return dialect_error(world_here(), MPI_COMM_NULL, __func__, MPI_ERR_ARG,
                             "the representation is \"external32\"");
    if (!type || incount < 0)
        return dialect_error(world_here(), MPI_COMM_NULL, __func__,
                             type ? MPI_ERR_COUNT : MPI_ERR_TYPE, "%s",
                             type ? "the count is negative" : "invalid datatype handle");
    *size = (MPI_Aint)dialect_external_bytes(type, incount);
    return MPI_SUCCESS;
}
