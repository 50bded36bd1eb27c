/* The end of a rank, and of the run: what it leaves behind. */
#include "check/parts.h"

static void note_held(int rank, op_site site, double time_s)
{
    const struct check_holds *holds = check_rank(rank)->holds;
    for (int i = 0; holds && i < holds->n; i++) {
        const struct check_epoch *hold = holds->hold[i];
        const struct check_actor lock = {
            .rank = rank, .kind = CHECK_KINDS, .site = hold->opened, .call = "MPI_Win_lock"};
        const struct check_use use = {.actor = check_actor(&lock)};
        const struct check_at where = {hold->win, rank, 0, 0};
        check_note_call(CHECK_RULE_UNRELEASED, rank, "MPI_Finalize", site, &use, &where, time_s);
    }
}

static void note_incomplete(struct check_window *win, struct check_member *m, op_site site,
                            double time_s)
{
    GHashTableIter iter;
    gpointer list;
    g_hash_table_iter_init(&iter, m->flights);
    while (g_hash_table_iter_next(&iter, NULL, &list))
        for (guint i = 0; i < ((GPtrArray *)list)->len; i++) {
            const struct check_pending *p = ((GPtrArray *)list)->pdata[i];
            const struct check_use use = {.actor = p->actor, .flight = p->remote};
            const struct check_at where = {win, m->rank, 0, 0};
            if (p->remote->epoch->kind == CHECK_LOCKED ||
                p->remote->epoch->kind == CHECK_LOCKED_ALL)
                continue; /* of the lock it is said already */
            check_note_call(CHECK_RULE_INCOMPLETE, m->rank, "MPI_Finalize", site, &use, &where,
                            time_s);
        }
}

void check_finalize(int rank, op_site site, double time_s)
{
    check_moved(rank);
    note_held(rank, site, time_s);
    const GPtrArray *all = check_windows();
    for (guint i = 0; i < all->len; i++) {
        struct check_window *win = all->pdata[i];
        struct check_member *m = win->member ? check_member_of(win, rank) : NULL;
        if (m) note_incomplete(win, m, site, time_s);
    }
}

void check_end(void)
{
    for (int i = 0; i < check_ranks(); i++) check_moved(i);
}
