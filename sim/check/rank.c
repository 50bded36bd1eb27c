/* What is kept for each rank, and what has been judged so far. */
#include "check/moment.h"
#include "check/parts.h"

struct check_rank *check_rank_state;
static int ranks;

void check_ranks_open(int n)
{
    ranks = n;
    check_epochs_open(n);
    check_rank_state = g_new0(struct check_rank, n);
    for (int i = 0; i < n; i++)
        check_rank_state[i].polls = g_array_new(FALSE, FALSE, sizeof(struct check_poll));
}

void check_ranks_close(void)
{
    for (int i = 0; i < ranks; i++) {
        check_holds_unref(check_rank_state[i].holds);
        check_clock_unref(check_rank_state[i].seen);
        check_clock_unref(check_rank_state[i].found);
        g_array_unref(check_rank_state[i].polls);
    }
    check_epochs_close(ranks);
    g_clear_pointer(&check_rank_state, g_free);
}

int check_ranks(void) { return ranks; }

/* One that waits for several words comes to the last of them once, perhaps. */
static bool polls(const struct check_rank *rank, const struct check_finding *finding)
{
    for (guint i = 0; i < rank->polls->len; i++) {
        const struct check_poll *poll = &g_array_index(rank->polls, struct check_poll, i);
        if (poll->finding == finding && poll->polled) return true;
    }
    return false;
}

void check_moved(int rank)
{
    struct check_rank *me = &check_rank_state[rank];
    me->synced = me->got = false;
    me->moved_at = check_moment_now();
    me->called = check_clock_own(rank);
    if (me->shares) check_clock_tick(rank); /* what it does from now on comes later */
    for (guint i = 0; i < me->polls->len; i++) {
        const struct check_poll *poll = &g_array_index(me->polls, struct check_poll, i);
        for (uint32_t k = 0; k < poll->times && !polls(me, poll->finding); k++)
            check_note_again(poll->finding);
    }
    g_array_set_size(me->polls, 0);
}
