/* What the program has to look at before it can depend on it: who sent the message that a receive
 * from any source took (its status, or what it received), and whether a test succeeded (its flag).
 * Until then the same calls in another order would have left it where it is. */
#include "check/look.h"

enum { SOME = 64, NEAR = 256 }; /* places watched at once; bytes that one line may have */

/* What becomes known by one look. */
struct news {
    int refs;
    bool test;
    struct check_clock *clock;
    GArray *requests; /* uint64_t */
};
struct place {
    uintptr_t addr;
    uint64_t bytes;
    struct news *news;
};
struct looks {
    GArray *places;       /* struct place */
    struct news *testing; /* the test under way; NULL: none */
    struct news *taken;   /* what the next place shows */
    /* of tests whose places were written anew: a wait for the last request still shows it; NULL:
     * nothing */
    struct news *missed;
};
static struct looks *state;
static int ranks;
uint32_t check_looked_for;
static bool seen; /* every look */

static void news_unref(struct news *news)
{
    if (!news || --news->refs > 0) return;
    check_clock_unref(news->clock);
    g_array_unref(news->requests);
    g_free(news);
}

static struct news *news_new(bool test)
{
    struct news *news = g_new0(struct news, 1);
    news->refs = 1;
    news->test = test;
    news->requests = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    return news;
}

static void merge(struct news *to, const struct news *from)
{
    check_clock_merge(&to->clock, from->clock);
    g_array_append_vals(to->requests, from->requests->data, from->requests->len);
}

static void place_clear(void *data)
{
    news_unref(((struct place *)data)->news);
    check_looked_for--;
}

void check_looks_open(int n, bool all_seen)
{
    seen = all_seen;
    ranks = n;
    state = g_new0(struct looks, n);
    for (int i = 0; i < n; i++) {
        state[i].places = g_array_new(FALSE, FALSE, sizeof(struct place));
        g_array_set_clear_func(state[i].places, place_clear);
    }
}

void check_looks_close(void)
{
    for (int i = 0; i < ranks; i++) {
        g_array_unref(state[i].places);
        news_unref(state[i].testing);
        news_unref(state[i].taken);
        news_unref(state[i].missed);
    }
    g_clear_pointer(&state, g_free);
}

/* ---- what is to be known --------------------------------------------------------------------- */

void check_learn(int rank, struct check_clock *clock)
{
    struct news *testing = state[rank].testing;
    if (testing)
        check_clock_merge(&testing->clock, clock);
    else
        check_clock_join(rank, clock);
}

bool check_learns_later(int rank) { return state[rank].testing; }

bool check_learn_later(int rank, uint64_t request)
{
    if (!state[rank].testing) return false;
    g_array_append_val(state[rank].testing->requests, request);
    return true;
}

void check_test(int rank)
{
    news_unref(state[rank].testing);
    state[rank].testing = news_new(true);
}

void check_test_last(int rank)
{
    struct news *testing = state[rank].testing;
    const GArray *places = state[rank].places;
    for (guint i = 0; i < places->len; i++) {
        const struct news *news = g_array_index(places, struct place, i).news;
        if (news->test) merge(testing, news);
    }
    if (state[rank].missed) merge(testing, state[rank].missed);
}

void check_tested(int rank)
{
    struct looks *looks = &state[rank];
    news_unref(looks->taken);
    looks->taken = looks->testing;
    looks->testing = NULL;
}

void check_look_for(int rank, struct check_clock *clock)
{
    news_unref(state[rank].taken);
    state[rank].taken = news_new(false);
    state[rank].taken->clock = clock;
}

/* ---- places ---------------------------------------------------------------------------------- */

static bool overlap(const struct place *place, uintptr_t addr, uint64_t bytes)
{
    return place->addr < addr + bytes && addr < place->addr + place->bytes;
}

/* What is known by one look is known by all that would show it. */
static void known(int rank, struct news *news, GArray *requests)
{
    GArray *places = state[rank].places;
    news->refs++;
    check_clock_join(rank, news->clock);
    g_array_append_vals(requests, news->requests->data, news->requests->len);
    for (guint i = places->len; i-- > 0;)
        if (g_array_index(places, struct place, i).news == news)
            g_array_remove_index_fast(places, i);
    news_unref(news);
}

/* Nobody can look there any more. */
static void forget(struct looks *looks, guint i)
{
    struct news *news = g_array_index(looks->places, struct place, i).news;
    if (news->test) {
        if (!looks->missed) looks->missed = news_new(true);
        merge(looks->missed, news);
    }
    g_array_remove_index_fast(looks->places, i);
}

void check_look_place(int rank, uintptr_t addr, uint64_t bytes, GArray *requests)
{
    struct looks *looks = &state[rank];
    if (!looks->taken || bytes == 0) return;
    if (!seen) {
        known(rank, looks->taken, requests);
        return;
    }
    for (guint i = looks->places->len; i-- > 0;) {
        const struct place *place = &g_array_index(looks->places, struct place, i);
        if (overlap(place, addr, bytes) && place->news != looks->taken)
            forget(looks, i); /* it is written anew */
    }
    if (looks->places->len >= SOME)
        known(rank, g_array_index(looks->places, struct place, 0).news, requests);
    looks->taken->refs++;
    const struct place place = {addr, bytes, looks->taken};
    g_array_append_val(looks->places, place);
    check_looked_for++;
    check_changed(rank);
}

bool check_looking_for(int rank) { return state[rank].places->len > 0; }

bool check_looks(int rank, uintptr_t addr, uint64_t bytes, enum check_kind kind, GArray *requests)
{
    GArray *places = state[rank].places;
    bool near = false;
    for (guint i = places->len; i-- > 0;) {
        if (i >= places->len) continue; /* another went with it */
        struct place *place = &g_array_index(places, struct place, i);
        near |= overlap(place, addr & ~(uintptr_t)(NEAR - 1), bytes + 2 * NEAR);
        if (!overlap(place, addr, bytes)) continue;
        if (kind == CHECK_STORE || kind == CHECK_CALL_STORE)
            forget(&state[rank], i);
        else
            known(rank, place->news, requests);
    }
    return near;
}

void check_look_at_tests(int rank, GArray *requests)
{
    GArray *places = state[rank].places;
    for (guint i = places->len; i-- > 0;)
        if (i < places->len && g_array_index(places, struct place, i).news->test)
            known(rank, g_array_index(places, struct place, i).news, requests);
    struct news *missed = state[rank].missed;
    state[rank].missed = NULL;
    if (missed) known(rank, missed, requests);
    news_unref(missed);
}
