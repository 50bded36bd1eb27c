/* What is kept for each rank, and what has been judged so far. */
#include "check/parts.h"

static struct check_rank *state;
static int ranks;

void check_ranks_open(int n)
{
    ranks = n;
    check_epochs_open();
    state = g_new0(struct check_rank, n);
    for (int i = 0; i < n; i++) state[i].polls = g_ptr_array_new();
}

void check_ranks_close(void)
{
    for (int i = 0; i < ranks; i++) {
        check_holds_unref(state[i].holds);
        check_clock_unref(state[i].seen);
        g_ptr_array_unref(state[i].polls);
    }
    g_clear_pointer(&state, g_free);
}

struct check_rank *check_rank(int rank) { return &state[rank]; }

int check_ranks(void) { return ranks; }

void check_moved(int rank)
{
    struct check_rank *me = &state[rank];
    me->synced = false;
    for (guint i = 0; i < me->polls->len; i++) check_note_again(me->polls->pdata[i]);
    g_ptr_array_set_size(me->polls, 0);
}
