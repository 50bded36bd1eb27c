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

bool dialect_comes_in_part(const struct dialect_type *type) { return type->number != 0; }

/* Bytes to be received first; NULL: SMPI may receive them where they belong. */
static char *stage_for(const void *buf, int count, MPI_Datatype handle, struct dialect_layout *map)
{
    const struct dialect_type *type =
        count > 0 && buf != MPI_BOTTOM ? dialect_type_find(handle) : NULL;
    if (!type || !dialect_comes_in_part(type)) return NULL;
    dialect_layout_init(map, type, count);
    if (map->layout.bytes > 0 && map->layout.bytes <= INT_MAX) return g_malloc(map->layout.bytes);
    dialect_layout_clear(map);
    return NULL;
}

static void unstage(char *stage, void *buf, struct dialect_layout *map, const MPI_Status *status,
                    int code)
{
    int bytes = 0;
    if (code == MPI_SUCCESS) PMPI_Get_count(status, MPI_BYTE, &bytes);
    dialect_layout_limit(map, (uint64_t)MAX(bytes, 0));
    op_unpack(&map->layout, buf, stage);
    dialect_layout_clear(map);
    g_free(stage);
}

int dialect_recv(void *buf, int count, MPI_Datatype type, int src, int tag, MPI_Comm comm,
                 MPI_Status *status)
{
    struct dialect_layout map;
    char *stage = stage_for(buf, count, type, &map);
    if (!stage) return PMPI_Recv(buf, count, type, src, tag, comm, status);
    int code = PMPI_Recv(stage, (int)map.layout.bytes, MPI_BYTE, src, tag, comm, status);
    unstage(stage, buf, &map, status, code);
    return code;
}

/* SMPI copies what a rank sends itself here, past messages that wait, and its status names another
 * source. */
static int to_itself(const void *out, int sent, MPI_Datatype sent_type, int rank, int sendtag,
                     void *in, int count, MPI_Datatype type, int recvtag, MPI_Comm comm,
                     MPI_Status *status)
{
    MPI_Request both[2];
    MPI_Status ends[2];
    int code = PMPI_Irecv(in, count, type, rank, recvtag, comm, &both[0]);
    if (code == MPI_SUCCESS) code = PMPI_Isend(out, sent, sent_type, rank, sendtag, comm, &both[1]);
    if (code == MPI_SUCCESS) code = PMPI_Waitall(2, both, ends);
    if (code == MPI_ERR_IN_STATUS) code = ends[0].MPI_ERROR;
    if (code == MPI_SUCCESS && status != MPI_STATUS_IGNORE) *status = ends[0];
    return code;
}

int dialect_sendrecv(const void *out, int sent, MPI_Datatype sent_type, int dst, int sendtag,
                     void *in, int count, MPI_Datatype type, int src, int recvtag, MPI_Comm comm,
                     MPI_Status *status)
{
    struct dialect_layout map;
    MPI_Status ours;
    int code;
    char *stage = stage_for(in, count, type, &map);
    void *to = stage ? stage : in;
    if (stage) count = (int)map.layout.bytes, type = MPI_BYTE;
    if (status == MPI_STATUS_IGNORE) status = &ours;
    if (dst == src && dst == dialect_rank_in(comm))
        code =
            to_itself(out, sent, sent_type, dst, sendtag, to, count, type, recvtag, comm, status);
    else
        code = PMPI_Sendrecv(out, sent, sent_type, dst, sendtag, to, count, type, src, recvtag,
                             comm, status);
    if (stage) unstage(stage, in, &map, status, code);
    return code;
}

/* SimGrid's MPI_Sendrecv_replace calls MPI_Sendrecv, which is ours: all would be charged twice. */
int dialect_replace(void *buf, int count, MPI_Datatype handle, int dst, int sendtag, int src,
                    int recvtag, MPI_Comm comm, MPI_Status *status)
{
    const struct dialect_type *type = count >= 0 ? dialect_type_find(handle) : NULL;
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
