/* What a call that is refused is in conflict with: who locked, who detached. */
#include "check/parts.h"

struct check_beside check_holder(const void *key, int target)
{
    const struct check_window *win = check_window_find(key);
    for (int i = 0; i < win->members; i++) {
        const GPtrArray *holds = win->member[i].holds;
        for (guint k = 0; k < holds->len; k++) {
            const struct check_epoch *hold = holds->pdata[k];
            if (hold->target == target || hold->target < 0)
                return (struct check_beside){hold->rank, check_lock_call(hold), hold->opened};
        }
    }
    return (struct check_beside){.rank = -1};
}

struct check_beside check_detached(const void *key, int win_rank, uintptr_t addr)
{
    const struct check_member *m = &check_window_find(key)->member[win_rank];
    for (guint i = m->detached->len; i-- > 0;) {
        const struct check_part *gone = &g_array_index(m->detached, struct check_part, i);
        if (addr - gone->base < gone->bytes)
            return (struct check_beside){m->rank, gone->call, gone->site};
    }
    return (struct check_beside){.rank = -1};
}
