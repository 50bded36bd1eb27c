/* Buffers of sends, receives and collectives: an MPI send is a load, a receive is a store
 * (MPI-2 11.7).
 *
 * The wrappers that generate.awk writes after calls.def call these around PMPI_X; only a datatype's
 * true bytes count. Buffers that are MPI_IN_PLACE, and datatypes that are none, are left to SMPI.
 */
#include "dialect/mpi/hooks/hooks.h"
#include "dialect/mpi/message/message.h"

#include <limits.h>
#include <string.h>

/* The type, when there is something to do. */
static struct dialect_type *some(const void *buf, int64_t count, MPI_Datatype type)
{
    return buf == MPI_IN_PLACE || count <= 0 ? NULL : dialect_type_find(type);
}

void dialect_read(struct dialect_call *call, const void *buf, int64_t count, MPI_Datatype handle)
{
    const struct dialect_type *type = some(buf, count, handle);
    if (!type) return;
    struct dialect_layout map;
    dialect_layout_init(&map, type, count);
    if (call->request)
        call->held =
            dialect_hold(call->rank, call->name, buf, &map.layout, CHECK_CALL_LOAD, call->held);
    dialect_load_pieces(call->rank, buf, &map.layout);
    dialect_layout_clear(&map);
}

void dialect_write(struct dialect_call *call, void *buf, int64_t count, MPI_Datatype handle)
{
    struct dialect_type *type = some(buf, count, handle);
    if (!type) return;
    if (call->request) {
        dialect_later(call, buf, count, type);
        return;
    }
    struct dialect_layout map;
    dialect_layout_init(&map, type, count);
    dialect_store_pieces(call->rank, buf, &map.layout, call->name);
    dialect_layout_clear(&map);
}

void dialect_got(const struct dialect_call *call, void *buf, int64_t count, MPI_Datatype handle,
                 const MPI_Status *status)
{
    dialect_not_partitioned(call->rank, call->name, status);
    bool look = dialect_received(call->rank, call->comm, status, call->any);
    if (look) dialect_watch(call->rank, status, sizeof *status);
    const struct dialect_type *type = some(buf, count, handle);
    int bytes;
    if (!type || PMPI_Get_count(status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes <= 0) return;
    struct dialect_layout map;
    dialect_layout_init(&map, type, count);
    dialect_layout_limit(&map, (uint64_t)bytes);
    dialect_store_pieces(call->rank, buf, &map.layout, call->name);
    if (look) dialect_watch_buffer(call->rank, buf, &map.layout);
    dialect_layout_clear(&map);
}

/* ---- a buffer for each rank of the communicator ---------------------------------------------- */

void dialect_readv(struct dialect_call *call, const void *buf, const int *counts, const int *displs,
                   MPI_Datatype type)
{
    if (buf == MPI_IN_PLACE) return;
    for (int i = 0, n = dialect_size_of(call->comm); i < n; i++)
        dialect_read(call, dialect_at(buf, displs[i], type), counts[i], type);
}

void dialect_writev(struct dialect_call *call, void *buf, const int *counts, const int *displs,
                    MPI_Datatype type)
{
    if (buf == MPI_IN_PLACE) return;
    for (int i = 0, n = dialect_size_of(call->comm); i < n; i++)
        dialect_write(call, dialect_at(buf, displs[i], type), counts[i], type);
}

void dialect_readw(struct dialect_call *call, const void *buf, const int *counts, const int *displs,
                   const MPI_Datatype *types)
{
    if (buf == MPI_IN_PLACE) return;
    for (int i = 0, n = dialect_size_of(call->comm); i < n; i++)
        dialect_read(call, dialect_address(buf) + displs[i], counts[i], types[i]);
}

void dialect_writew(struct dialect_call *call, void *buf, const int *counts, const int *displs,
                    const MPI_Datatype *types)
{
    if (buf == MPI_IN_PLACE) return;
    for (int i = 0, n = dialect_size_of(call->comm); i < n; i++)
        dialect_write(call, dialect_address(buf) + displs[i], counts[i], types[i]);
}

int64_t dialect_sum(const int *counts, MPI_Comm comm)
{
    int64_t sum = 0;
    for (int i = 0, n = dialect_size_of(comm); i < n; i++) sum += counts[i];
    return sum;
}

uint64_t dialect_bytes(int64_t count, MPI_Datatype handle)
{
    const struct dialect_type *type = dialect_type_find(handle);
    return type && count > 0 ? (uint64_t)count * type->one.bytes : 0;
}

/* ---- what SMPI cannot do for datatypes of no bytes ------------------------------------------- */

bool dialect_no_bytes(MPI_Datatype handle)
{
    const struct dialect_type *type = dialect_type_find(handle);
    return type && type->one.bytes == 0;
}

const int *dialect_no_counts(void)
{
    static int *zeros;
    if (!zeros) zeros = g_new0(int, world_ranks());
    return zeros;
}

int MPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
    DIALECT_AWAY;
    DIALECT_NO_NULL(status, MPI_ERR_ARG);
    DIALECT_NO_NULL(count, MPI_ERR_ARG);
    const struct dialect_type *type = dialect_type_find(datatype);
    if (!type)
        return dialect_error(world_here(), MPI_COMM_NULL, __func__, MPI_ERR_TYPE,
                             "invalid datatype handle");
    const uint64_t bytes = (uint64_t)dialect_status_bytes(status), one = type->one.bytes;
    const bool whole = one > 0 && bytes % one == 0 && bytes / one <= INT_MAX;
    *count = one == 0 ? 0 : whole ? (int)(bytes / one) : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int MPI_Pack_size(int incount, MPI_Datatype datatype, MPI_Comm comm, int *size)
{
    const struct dialect_type *type = dialect_type_find(datatype);
    if (!type)
        return dialect_error(world_here(), comm, __func__, MPI_ERR_TYPE, "invalid datatype handle");
    if (incount < 0)
        return dialect_error(world_here(), comm, __func__, MPI_ERR_COUNT, "the count is negative");
    uint64_t bytes = (uint64_t)incount * type->one.bytes;
    *size = bytes > INT_MAX ? MPI_UNDEFINED : (int)bytes;
    return MPI_SUCCESS;
}

/* Both directions: `packed` has `room` bytes, of which the first `*position` are used. */
static int pack(const char *name, uintptr_t pc, bool out, void *buf, int count, MPI_Datatype handle,
                void *packed, int room, int *position, MPI_Comm comm)
{
    struct world_rank *r = world_enter(name, pc);
    DIALECT_NO_THREAD(r);
    struct dialect_call call = {.rank = r, .name = name};
    const struct dialect_type *type = dialect_type_find(handle);
    int code = MPI_SUCCESS;
    if (!type)
        code = dialect_error(r, comm, name, MPI_ERR_TYPE, "invalid datatype handle");
    else if (count < 0)
        code = dialect_error(r, comm, name, MPI_ERR_COUNT, "the count is negative");
    else if (*position < 0 ||
             (uint64_t)count * type->one.bytes > (uint64_t)MAX(room - *position, 0))
        code = dialect_error(r, comm, name, MPI_ERR_TRUNCATE, "the packed buffer is too short");
    else {
        struct dialect_layout map;
        dialect_layout_init(&map, type, count);
        char *at = (char *)packed + *position;
        int bytes = (int)map.layout.bytes;
        if (r && out) dialect_load_pieces(r, buf, &map.layout);
        if (r && !out) dialect_read(&call, at, bytes, MPI_BYTE);
        if (out)
            op_pack(&map.layout, dialect_address(buf), at);
        else
            op_unpack(&map.layout, dialect_address(buf), at);
        if (r && out) dialect_write(&call, at, bytes, MPI_BYTE);
        if (r && !out) dialect_store_pieces(r, buf, &map.layout, name);
        *position += bytes;
        dialect_layout_clear(&map);
    }
    if (r) world_leave(r);
    return code;
}

int MPI_Pack(const void *inbuf, int incount, MPI_Datatype type, void *outbuf, int outcount,
             int *position, MPI_Comm comm)
{
    return pack(__func__, DIALECT_PC, true, (void *)inbuf, incount, type, outbuf, outcount,
                position, comm);
}

int MPI_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount,
               MPI_Datatype type, MPI_Comm comm)
{
    return pack(__func__, DIALECT_PC, false, outbuf, outcount, type, (void *)inbuf, insize,
                position, comm);
}
