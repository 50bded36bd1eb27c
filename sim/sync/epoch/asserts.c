/* Asserts that lie (MPI-2 11.4.4), as far as the epochs of the members show when the call is made.
 *
 * NOSUCCEED needs nothing here: what is called behind it is out of epoch.
 *
 * Left out: NOSTORE, which needs the accesses; locks taken with NOCHECK before another. */
#include "sync/epoch/state.h"

bool sync_fence_lies(const struct sync_win *win, int win_rank, unsigned asserts)
{
    return (asserts & SYNC_NOPRECEDE) && win->member[win_rank].fence_operations > 0;
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

bool sync_lock_lies(const struct sync_win *win, int win_rank, int target, bool exclusive,
                    unsigned asserts)
{
    for (int i = 0; (asserts & SYNC_NOCHECK) && i < win->members; i++) {
        const struct sync_hold *hold = i == win_rank ? NULL : win->member[i].holds;
        for (; hold; hold = hold->next)
            if (hold->target == target && (exclusive || hold->exclusive)) return true;
    }
    return false;
}
