/* Put and Get: arguments checked and translated, the rest is sync's (SHMALLOC proposal, E. Salo,
 * MPI-2 mailing list, 31 October 1995; C names: SHM_).
 *
 * In the proposal the sentences that say when the two calls return are swapped: a get returns when
 * buf contains the data, a put when the data in buf is safely on its way. "All addresses are
 * calculated as bytes. I see no reason at all to have to pass around remote data types": what a
 * datatype picks here lies one behind the other there. A place outside the window is MPI_ERR_DISP,
 * as for MPI's windows.
 */
#include "world/object/object.h"
#include "world/pair/pair.h"
#include "world/place/place.h"
#include "dialect/shmalloc/inside.h"
#include "shmalloc.h"

struct call {
    const char *name;
    enum op_kind kind;
    const void *buf;
    int count;
    MPI_Datatype type;
    MPI_Aint offset;
    int rank;
    MPI_Comm comm;
};

static int check_buffer(struct world_rank *r, const struct call *c, struct dialect_layout *map)
{
    if (c->count < 0)
        return dialect_rule_error(r, c->comm, "SHMALLOC", c->name, MPI_ERR_COUNT, "the count is %d",
                                  c->count);
    const struct dialect_type *type = dialect_type_find(c->type);
    if (!type)
        return dialect_rule_error(r, c->comm, "SHMALLOC", c->name, MPI_ERR_TYPE,
                                  "invalid datatype handle");
    if (!type->committed)
        return dialect_rule_error(r, c->comm, "SHMALLOC", c->name, MPI_ERR_TYPE,
                                  "the datatype is not committed");
    dialect_layout_init(map, type, c->count);
    if (!c->buf && map->layout.bytes > 0)
        return dialect_rule_error(r, c->comm, "SHMALLOC", c->name, MPI_ERR_BUFFER, "no buffer");
    return MPI_SUCCESS;
}

static int check_range(struct world_rank *r, const struct call *c,
                       const struct dialect_getput *getput, uint64_t bytes)
{
    uint64_t window = sync_win_bytes(getput->shared->sync, c->rank);
    if (c->offset < 0)
        return dialect_rule_error(r, c->comm, "SHMALLOC", c->name, MPI_ERR_DISP,
                                  "the offset is %td", c->offset);
    if (bytes == 0 || ((uint64_t)c->offset <= window && bytes <= window - (uint64_t)c->offset))
        return MPI_SUCCESS;
    if (window == 0)
        return dialect_rule_error(r, c->comm, "SHMALLOC", c->name, MPI_ERR_DISP,
                                  "rank %d has no window", c->rank);
    return dialect_rule_error(r, c->comm, "SHMALLOC", c->name, MPI_ERR_DISP,
                              "offset %td + %" G_GUINT64_FORMAT
                              " bytes leaves the window of rank %d (%" G_GUINT64_FORMAT " bytes)",
                              c->offset, bytes, c->rank, window);
}

static int start(struct world_rank *r, const struct call *c, const struct dialect_getput *getput)
{
    struct dialect_layout map = {0};
    int code = check_buffer(r, c, &map);
    if (!code) code = check_range(r, c, getput, map.layout.bytes);
    if (!code && map.layout.bytes > 0) {
        const struct op_piece there = {0, map.layout.bytes};
        struct move_op op = {
            .kind = c->kind,
            .call = c->name,
            .site = world_site(r),
            .target = c->rank,
            .from = {(uintptr_t)(c->buf == MPI_BOTTOM ? NULL : c->buf), map.layout},
            .to = {(uintptr_t)c->offset, {&there, 1, there.bytes, 0, (int64_t)there.bytes}},
        };
        world_operates(r, op.from.addr);
        op.number = dialect_getput_begins(getput, &op);
        const bool awaited = check_on && check_pairing && world_pair_comes(r, true);
        if (c->kind == OP_PUT)
            sync_direct_put(getput->shared->sync, getput->win_rank, r->proc, &op);
        else
            sync_direct_get(getput->shared->sync, getput->win_rank, r->proc, &op);
        if (awaited) sync_direct_complete(getput->shared->sync, getput->win_rank, r->proc);
        if (awaited) world_pair_over(r);
        dialect_getput_ends(r, getput, &op);
    }
    dialect_layout_clear(&map);
    return code;
}

static int operate(const struct call *c, uintptr_t pc)
{
    struct world_rank *r = world_enter_ahead(c->name, pc);
    if (!r) return MPI_ERR_OTHER;
    const struct dialect_getput *getput = dialect_getput_of(r, c->comm);
    int code = MPI_SUCCESS, members = getput ? sync_win_members(getput->shared->sync) : 0;
    if (!getput)
        code = dialect_rule_error(r, dialect_comm_find(r, c->comm) ? c->comm : MPI_COMM_NULL,
                                  "SHMALLOC", c->name, MPI_ERR_COMM,
                                  "not a valid get/put communicator: SHM_Shmalloc creates one");
    else if (c->rank != MPI_PROC_NULL && (c->rank < 0 || c->rank >= members))
        code =
            dialect_rule_error(r, c->comm, "SHMALLOC", c->name, MPI_ERR_RANK,
                               "rank %d is not in the communicator of %d ranks", c->rank, members);
    else if (c->rank != MPI_PROC_NULL)
        code = start(r, c, getput);
    world_leave(r);
    return code;
}

int SHM_Get(void *buf, int count, MPI_Datatype type, MPI_Aint offset, int rank, MPI_Comm comm)
{
    return operate(&(struct call){__func__, OP_GET, buf, count, type, offset, rank, comm},
                   DIALECT_PC);
}

int SHM_Put(const void *buf, int count, MPI_Datatype type, MPI_Aint offset, int rank, MPI_Comm comm)
{
    return operate(&(struct call){__func__, OP_PUT, buf, count, type, offset, rank, comm},
                   DIALECT_PC);
}
