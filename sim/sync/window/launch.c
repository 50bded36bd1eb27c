/* An operation on a window leaves. */
#include "move/move.h"
#include "sync/window/state.h"

void sync_launch(struct sync_win *win, struct serve_proc *me, const struct move_op *op,
                 struct move_set *set)
{
    struct sync_member *target = &win->member[op->target];
    uintptr_t base = (uintptr_t)target->base;
    struct move_transfer *t = move_transfer_new(win->move, op, me->rank, target->proc->rank, base);
    if (win->direct) move_chunk_split(t, sync_piece_at(target, 0)->segment, base, target->bytes);
    t->set = set;
    move_start(t);
}
