/* What the check hears of get/put communicators: their window is one whose barrier is a fence,
 * whose puts leave their buffers when they return and whose gets are complete then, and where one
 * process's operations are performed in the order of its calls. */
#include "world/access/access.h"
#include "world/clock/clock.h"
#include "world/place/place.h"
#include "dialect/shmalloc/inside.h"

static struct check_call call_of(const struct world_rank *r, const struct dialect_getput *getput)
{
    return (struct check_call){.win = getput->shared->sync,
                               .win_rank = getput->win_rank,
                               .site = world_site(r),
                               .time_s = world_now()};
}

void dialect_getput_joins(struct world_rank *r, const struct dialect_getput *getput, uint64_t bytes)
{
    if (!check_on) return;
    const struct sync_win *sync = getput->shared->sync;
    const struct dialect_rank_group *ranks = getput->shared->ranks;
    check_win_begin(sync, ranks->members, ranks->world_rank, false);
    check_win_info(sync, CHECK_STRICT);
    if (bytes > 0) {
        check_attach(sync, getput->win_rank, (uintptr_t)getput->memory, bytes, "SHM_Shmalloc",
                     world_site(r));
        world_unfilter(r, (uintptr_t)getput->memory, bytes);
    }
    check_win_arrive(sync, getput->win_rank, "SHM_Shmalloc", world_site(r));
    dialect_getput_meets(r, getput);
}

void dialect_getput_joined(const struct world_rank *r, const struct dialect_getput *getput)
{
    if (!check_on) return;
    check_win_made(getput->shared->sync, getput->win_rank);
    dialect_getput_met(r, getput);
}

void dialect_getput_meets(const struct world_rank *r, const struct dialect_getput *getput)
{
    const struct check_call call = call_of(r, getput);
    if (check_on) check_fence(&call);
}

void dialect_getput_met(const struct world_rank *r, const struct dialect_getput *getput)
{
    const struct check_call call = call_of(r, getput);
    if (check_on) check_fenced(&call);
}

void dialect_getput_leaves(const struct dialect_getput *getput)
{
    if (!check_on) return;
    check_win_free(getput->shared->sync, getput->win_rank);
    check_win_freed(getput->shared->sync, getput->win_rank);
}

/* A put's buffer is read before the call returns. */
static void read_buffer(const struct world_rank *r, const struct move_op *op)
{
    for (uint32_t i = 0; i < op->from.layout.pieces; i++) {
        const struct op_piece *piece = &op->from.layout.piece[i];
        check_access(r->rank, op->from.addr + (uintptr_t)piece->offset, piece->bytes,
                     CHECK_CALL_LOAD, op->call, op->site, world_now());
    }
}

uint64_t dialect_getput_begins(const struct dialect_getput *getput, const struct move_op *op)
{
    struct sync_win *sync = getput->shared->sync;
    bool gets = op->kind == OP_GET;
    if (!check_on) return 0;
    return check_operation(&(struct check_operation){
        .kind = gets ? CHECK_GET : CHECK_PUT,
        .win = sync,
        .win_rank = getput->win_rank,
        .target = op->target,
        .call = op->call,
        .site = op->site,
        .time_s = world_now(),
        .there = {(uintptr_t)sync_win_base(sync, op->target) + op->to.addr, &op->to.layout},
        .origin = {op->from.addr, gets ? &op->from.layout : NULL}});
}

void dialect_getput_ends(const struct world_rank *r, const struct dialect_getput *getput,
                         const struct move_op *op)
{
    if (!check_on) return;
    if (op->kind == OP_PUT) {
        read_buffer(r, op);
        return;
    }
    const struct check_call call = call_of(r, getput);
    check_flush(&call, op->target, false);
    check_returned(&call);
}
