/* Operations on a window belong to an epoch (MPI-2 11.7). */
#include "serve/request/request.h"
#include "sync/epoch/state.h"

/* The epoch an operation to that target belongs to; NULL: none is open that allows it. */
static struct move_set *epoch_for(struct sync_win *win, int win_rank, int target, bool passive,
                                  enum sync_status *status)
{
    struct sync_member *me = &win->member[win_rank];
    struct sync_hold *hold = sync_hold_for(win, win_rank, target);
    if (hold) return &hold->set;
    if (passive) {
        *status = SYNC_NOT_PASSIVE;
        return NULL;
    }
    if (sync_started(me, target)) return &me->epoch;
    if (me->access == SYNC_FENCED) {
        me->fence_operations++;
        return &me->epoch;
    }
    *status = me->started ? SYNC_NOT_IN_GROUP : SYNC_NO_EPOCH;
    return NULL;
}

enum sync_status sync_operate(struct sync_win *win, int win_rank, struct serve_proc *me,
                              const struct move_op *op)
{
    enum sync_status status = SYNC_OK;
    struct move_set *set = epoch_for(win, win_rank, op->target, op->passive, &status);
    if (!set) return status;
    win->used[win->member[win_rank].fences % G_N_ELEMENTS(win->used)]++;
    serve_completing(me, false);
    sync_launch(win, me, op, set);
    if (!op->awaited) return SYNC_OK;
    serve_completing(me, true);
    move_set_wait(set);
    return SYNC_OK;
}
