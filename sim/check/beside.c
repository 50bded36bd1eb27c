/* What a call that is refused is in conflict with: who locked, who detached, which epoch is open.
 */
#include "check/parts.h"

static struct check_beside of_epoch(const struct check_epoch *epoch, int rank, const char *call,
                                    op_site site)
{
    return (struct check_beside){rank, call, site, check_epoch_name(epoch), epoch->opened};
}

struct check_beside check_holder(const void *key, int target)
{
    const struct check_window *win = check_window_find(key);
    for (int i = 0; i < win->members; i++) {
        const GPtrArray *holds = win->member[i].holds;
        for (guint k = 0; k < holds->len; k++) {
            const struct check_epoch *hold = holds->pdata[k];
            if (hold->target == target || hold->target < 0)
                return of_epoch(hold, hold->rank, check_lock_call(hold), hold->opened);
        }
    }
    return (struct check_beside){.rank = -1};
}

/* Of the operations of an epoch that are not complete, the first in the program text. */
static const struct check_actor *incomplete(const struct check_member *m,
                                            const struct check_epoch *epoch)
{
    GHashTableIter iter;
    gpointer list;
    const struct check_actor *first = NULL;
    g_hash_table_iter_init(&iter, m->flights);
    while (g_hash_table_iter_next(&iter, NULL, &list))
        for (guint i = 0; i < ((GPtrArray *)list)->len; i++) {
            const struct check_pending *p = ((GPtrArray *)list)->pdata[i];
            if (p->remote->epoch == epoch && (!first || p->actor->site < first->site))
                first = p->actor;
        }
    return first;
}

struct check_beside check_in_epoch(const void *key, int win_rank, int target)
{
    const struct check_member *m = &check_window_find(key)->member[win_rank];
    for (guint i = m->holds->len; i-- > 0;) {
        const struct check_epoch *hold = m->holds->pdata[i];
        if (target < 0 || hold->target == target || hold->target < 0)
            return of_epoch(hold, m->rank, check_lock_call(hold), hold->opened);
    }
    if (m->start) return of_epoch(m->start, m->rank, "MPI_Win_start", m->start->opened);
    if (m->posted)
        return (struct check_beside){m->rank, "MPI_Win_post", m->posted, "exposure epoch",
                                     m->posted};
    const struct check_actor *op = m->fence ? incomplete(m, m->fence) : NULL;
    if (op) return of_epoch(m->fence, m->rank, op->call, op->site);
    return (struct check_beside){.rank = -1};
}

struct check_beside check_detached(const void *key, int win_rank, uintptr_t addr)
{
    const struct check_member *m = &check_window_find(key)->member[win_rank];
    for (guint i = m->detached->len; i-- > 0;) {
        const struct check_part *gone = &g_array_index(m->detached, struct check_part, i);
        if (addr - gone->base < gone->bytes)
            return (struct check_beside){.rank = m->rank, .call = gone->call, .site = gone->site};
    }
    return (struct check_beside){.rank = -1};
}
