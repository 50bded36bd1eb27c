/* Conflicts that only the messages which receives from any source took separate: which other
 * messages they could have taken is known at the end. */
#include "check/doubt.h"
#include "check/wild.h"

#include <string.h>

enum { EACH = 64 }; /* of one pair of actors */

struct doubt {
    enum check_rule rule;
    struct check_use before, now;
    struct check_at at;
    op_site receive;
    double time_s;
    struct check_when when; /* of before */
    uint32_t sure[];
};
struct pair {
    const struct check_actor *before, *now;
};
static GPtrArray *doubts;
static GHashTable *times; /* struct pair -> how many */

static void doubt_free(void *data)
{
    struct doubt *doubt = data;
    check_flight_unref(doubt->before.flight);
    check_flight_unref(doubt->now.flight);
    check_holds_unref(doubt->before.holds);
    check_holds_unref(doubt->now.holds);
    g_free(doubt);
}

static guint pair_hash(const void *data)
{
    const struct pair *pair = data;
    return GPOINTER_TO_UINT(pair->before) * 31 + GPOINTER_TO_UINT(pair->now);
}

static gboolean pair_equal(const void *x, const void *y)
{
    const struct pair *a = x, *b = y;
    return a->before == b->before && a->now == b->now;
}

void check_doubts_open(void)
{
    doubts = g_ptr_array_new_with_free_func(doubt_free);
    times = g_hash_table_new_full(pair_hash, pair_equal, g_free, NULL);
}

void check_doubts_close(void)
{
    g_clear_pointer(&doubts, g_ptr_array_unref);
    g_clear_pointer(&times, g_hash_table_unref);
}

static struct check_use kept(const struct check_use *use)
{
    check_flight_ref(use->flight);
    check_holds_ref(use->holds);
    return *use;
}

void check_doubt(enum check_rule rule, const struct check_use *before, const struct check_now *now,
                 const struct check_at *at)
{
    const struct pair pair = {before->actor, now->use.actor};
    int n = GPOINTER_TO_INT(g_hash_table_lookup(times, &pair));
    if (n >= EACH) return;
    g_hash_table_insert(times, g_memdup2(&pair, sizeof pair), GINT_TO_POINTER(n + 1));
    int rank = now->use.actor->rank, ranks = check_ranks();
    struct doubt *doubt = g_malloc(sizeof *doubt + (size_t)ranks * sizeof *doubt->sure);
    *doubt = (struct doubt){.rule = rule,
                            .before = kept(before),
                            .now = kept(&now->use),
                            .at = *at,
                            .time_s = now->time_s,
                            .when = check_when(before)};
    const uint32_t *behind = now->behind ? check_clock_sure_of(now->behind) : NULL,
                   *sure = check_clock_sure(rank);
    for (int i = 0; i < ranks; i++) doubt->sure[i] = MAX(sure[i], behind ? behind[i] : 0);
    doubt->receive = check_wild_site(rank, check_clock_own(rank));
    for (int i = 0; i < ranks && !doubt->receive; i++)
        doubt->receive = check_wild_site(i, check_clock_of(rank)[i]);
    g_ptr_array_add(doubts, doubt);
}

void check_doubts_end(void)
{
    for (guint i = 0; i < doubts->len; i++) {
        struct doubt *doubt = doubts->pdata[i];
        check_wild_close_over(doubt->sure);
        if (doubt->when.clock <= doubt->sure[doubt->when.rank]) continue;
        check_note_receive(
            check_note(doubt->rule, &doubt->before, &doubt->now, &doubt->at, doubt->time_s),
            doubt->receive);
    }
    g_ptr_array_set_size(doubts, 0);
}
