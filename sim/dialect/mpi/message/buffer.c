/* The bytes of one buffer, loaded or stored, as a layout says. */
#include "world/access/access.h"
#include "dialect/mpi/message/message.h"

#include <limits.h>
#include <string.h>

char *dialect_address(const void *buf) { return buf == MPI_BOTTOM ? NULL : (char *)buf; }

void dialect_load_pieces(struct world_rank *rank, const void *buf, const struct op_layout *layout)
{
    for (uint32_t i = 0; i < layout->pieces; i++)
        world_buffer_read(rank, dialect_address(buf) + layout->piece[i].offset,
                          layout->piece[i].bytes);
}

void dialect_store_pieces(struct world_rank *rank, void *buf, const struct op_layout *layout,
                          const char *call)
{
    /* All pieces have arrived in the view, but fetching the line of one brings memory's bytes of
     * the others back. */
    g_autofree char *arrived = layout->pieces > 1 ? g_malloc(layout->bytes) : NULL;
    if (arrived) op_pack(layout, dialect_address(buf), arrived);
    uint64_t at = 0;
    for (uint32_t i = 0; i < layout->pieces; i++) {
        char *to = dialect_address(buf) + layout->piece[i].offset;
        if (arrived) memcpy(to, arrived + at, layout->piece[i].bytes);
        world_buffer_written(rank, to, layout->piece[i].bytes, call);
        at += layout->piece[i].bytes;
    }
}

void *dialect_at(const void *buf, int64_t count, MPI_Datatype handle)
{
    const struct dialect_type *type = dialect_type_find(handle);
    return type ? dialect_address(buf) + count * type->extent : (void *)buf;
}

/* SMPI copies what a rank sends itself here, past messages that wait, and its status names another
 * source. */
int dialect_sendrecv(const void *out, int sent, MPI_Datatype sent_type, int dst, int sendtag,
                     void *in, int count, MPI_Datatype type, int src, int recvtag, MPI_Comm comm,
                     MPI_Status *status)
{
    MPI_Request both[2];
    MPI_Status ends[2];
    if (dst != src || dst != dialect_rank_in(comm))
        return PMPI_Sendrecv(out, sent, sent_type, dst, sendtag, in, count, type, src, recvtag,
                             comm, status);
    int code = PMPI_Irecv(in, count, type, src, recvtag, comm, &both[0]);
    if (code == MPI_SUCCESS) code = PMPI_Isend(out, sent, sent_type, dst, sendtag, comm, &both[1]);
    if (code == MPI_SUCCESS) code = PMPI_Waitall(2, both, ends);
    if (code == MPI_ERR_IN_STATUS) code = ends[0].MPI_ERROR;
    if (code == MPI_SUCCESS && status != MPI_STATUS_IGNORE) *status = ends[0];
    return code;
}

int dialect_replace(void *buf, int count, MPI_Datatype handle, int dst, int sendtag, int src,
                    int recvtag, MPI_Comm comm, MPI_Status *status)
{
    const struct dialect_type *type =
        count > 0 && (buf == MPI_BOTTOM || dst == src) ? dialect_type_find(handle) : NULL;
    struct dialect_layout map;
    if (type) dialect_layout_init(&map, type, count);
    if (!type || map.layout.bytes > INT_MAX) {
        if (type) dialect_layout_clear(&map);
        return PMPI_Sendrecv_replace(buf, count, handle, dst, sendtag, src, recvtag, comm, status);
    }
    g_autofree char *sent = g_malloc(map.layout.bytes + 1);
    op_pack(&map.layout, dialect_address(buf), sent);
    const int bytes = (int)map.layout.bytes;
    dialect_layout_clear(&map);
    return dialect_sendrecv(sent, bytes, MPI_BYTE, dst, sendtag, buf, count, handle, src, recvtag,
                            comm, status);
}
