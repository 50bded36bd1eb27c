/* Asserts that lie (MPI-2 11.4.4), as far as the epochs of the members show when the call is made.
 *
 * What is called behind NOSUCCEED is out of epoch.
 *
 * Left out: stores to memory that several windows have. */
#include "mem/segment/segment.h"
#include "sync/epoch/state.h"

static const struct sync_other none = {.rank = -1};

bool sync_fence_lies(const struct sync_win *win, int win_rank, unsigned asserts)
{
    return (asserts & SYNC_NOPRECEDE) && win->member[win_rank].fence_operations > 0;
}

struct sync_other sync_fence_differs(struct sync_win *win, int win_rank, unsigned asserts,
                                     op_site site)
{
    const struct sync_member *me = &win->member[win_rank];
    struct sync_fence_call *first = &win->first_fence;
    asserts &= SYNC_NOPRECEDE | SYNC_NOSUCCEED;
    if (first->fences < me->fences + 1)
        *first = (struct sync_fence_call){me->fences + 1, win_rank, asserts, site};
    if (first->fences != me->fences + 1 || first->asserts == asserts) return none;
    return (struct sync_other){win->member[first->win_rank].proc->rank, first->site};
}

op_site sync_stored(const struct sync_win *win, int win_rank, unsigned asserts)
{
    const struct sync_member *me = &win->member[win_rank];
    for (guint i = 0; (asserts & SYNC_NOSTORE) && i < me->piece->len; i++) {
        uintptr_t pc = mem_segment_stored(me->proc->memory, sync_piece_at(me, i)->segment);
        if (pc) return mem_place(me->proc->cpu, pc);
    }
    return 0;
}

bool sync_put_lies(const struct sync_win *win, int win_rank, int target)
{
    const struct sync_member *me = &win->member[win_rank], *there = &win->member[target];
    if (me->access == SYNC_FENCED) return there->no_put_fence == me->fences && me->fences > 0;
    return sync_started(me, target) && there->exposed_to >= 0 && there->no_put;
}

bool sync_start_lies(const struct sync_win *win, unsigned asserts, const int *group, int n)
{
    for (int i = 0; (asserts & SYNC_NOCHECK) && i < n; i++)
        if (win->member[group[i]].exposed_to < 0) return true;
    return false;
}

/* Is it asserted of only one of the two? The target. */
struct sync_other sync_start_differs(const struct sync_win *win, unsigned asserts, const int *group,
                                     int n)
{
    for (int i = 0; i < n; i++) {
        const struct sync_member *target = &win->member[group[i]];
        if (target->exposed_to >= 0 && target->post_unchecked != !!(asserts & SYNC_NOCHECK))
            return (struct sync_other){target->proc->rank, target->post_site};
    }
    return none;
}

bool sync_post_lies(const struct sync_win *win, int win_rank, unsigned asserts, const int *group,
                    int n)
{
    for (int i = 0; (asserts & SYNC_NOCHECK) && i < n; i++) {
        const struct sync_member *origin = &win->member[group[i]];
        if (sync_started(origin, win_rank) && !origin->start_unchecked) return true;
    }
    return false; /* an unchecked start has been said to be too early */
}

static bool excludes(const struct sync_member *holder, const struct sync_hold *hold, int target,
                     bool exclusive)
{
    return (hold->target == target || holder->access == SYNC_LOCKED_ALL) &&
           (exclusive || hold->exclusive);
}

struct sync_other sync_lock_lies(const struct sync_win *win, int win_rank, int target,
                                 bool exclusive, unsigned asserts)
{
    for (int i = 0; i < win->members; i++) {
        const struct sync_hold *hold = i == win_rank ? NULL : win->member[i].holds;
        for (; hold; hold = hold->next)
            if ((asserts & SYNC_NOCHECK || !hold->checked) &&
                excludes(&win->member[i], hold, target, exclusive))
                return (struct sync_other){win->member[i].proc->rank, hold->site};
    }
    return none;
}
