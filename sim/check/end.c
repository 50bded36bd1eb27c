/* The end of a rank, and of the run: what it leaves behind. */
#include "check/doubt.h"
#include "check/operate.h"
#include "check/request.h"
#include "check/parts.h"

static void note_held(int rank, op_site site, double time_s)
{
    const struct check_holds *holds = check_rank(rank)->holds;
    for (int i = 0; holds && i < holds->n; i++) {
        const struct check_epoch *hold = holds->hold[i];
        const struct check_actor lock = {
            .rank = rank, .kind = CHECK_KINDS, .site = hold->opened, .call = check_lock_call(hold)};
        const struct check_use use = {.actor = check_actor(&lock)};
        const struct check_at where = {hold->win, rank, 0, 0};
        check_note_call(CHECK_RULE_UNRELEASED, rank, "MPI_Finalize", site, &use, &where, time_s);
    }
}

static void note_unfreed(const struct check_window *win, const struct check_member *m, op_site site,
                         double time_s)
{
    const struct check_actor making = {
        .rank = m->rank, .kind = CHECK_KINDS, .site = m->made, .call = m->made_by};
    const struct check_use use = {.actor = check_actor(&making)};
    const struct check_at where = {win, m->rank, 0, 0};
    check_note_call(CHECK_RULE_UNFREED, m->rank, "MPI_Finalize", site, &use, &where, time_s);
}

void check_finalize(int rank, op_site site, double time_s)
{
    check_moved(rank);
    check_waits(rank);
    check_note_requests(rank, "MPI_Finalize", site, time_s);
    note_held(rank, site, time_s);
    const GPtrArray *all = check_windows();
    for (guint i = 0; i < all->len; i++) {
        struct check_window *win = all->pdata[i];
        struct check_member *m = win->member ? check_member_of(win, rank) : NULL;
        const struct check_call call = {.site = site, .time_s = time_s};
        if (!m || win->info & CHECK_STRICT) continue;
        check_note_pending(CHECK_RULE_INCOMPLETE, "MPI_Finalize", &call, win, m);
        if (m->made) note_unfreed(win, m, site, time_s);
    }
}

void check_end(void)
{
    for (int i = 0; i < check_ranks(); i++) check_moved(i);
    check_doubts_end();
}
