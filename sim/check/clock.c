/* Vector clocks: what a rank is ordered behind. A rank's own component grows whenever others may
 * come to know of it, so that one number stands for all its accesses in between.
 *
 * Once a receive from any source has taken a message, a clock has a second half: what the rank is
 * behind whatever that receive had taken. Until then the two would be the same. */
#include "check/clock.h"

#include <string.h>

struct check_clocks check_clocks;
static int ranks;
static uint32_t *known; /* what everybody is behind */
static uint32_t meetings;
static uint64_t live, windows; /* so many clocks there are, and bytes of windows */
/* By rank: what it is behind, but for its own component; NULL: it has been behind less. Ranks that
 * leave a fence have one together. */
static struct check_clock **shared;

void check_clocks_open(int n)
{
    ranks = check_clocks.width = n;
    check_clocks.now = g_new0(uint32_t, (size_t)n *(size_t)n);
    check_clocks.changes = g_new(uint32_t, n);
    for (int i = 0; i < n; i++) check_clocks.changes[i] = 1;
    known = g_new0(uint32_t, n);
    shared = g_new0(struct check_clock *, n);
    meetings = 0;
    live = windows = 0;
    for (int i = 0; i < n; i++) check_clocks.now[(size_t)i * (size_t)n + (size_t)i] = 1;
}

static void forget(int rank) { check_clock_unref(g_steal_pointer(&shared[rank])); }

void check_clocks_close(void)
{
    for (int i = 0; shared && i < ranks; i++) forget(i);
    g_clear_pointer(&shared, g_free);
    g_clear_pointer(&check_clocks.now, g_free);
    g_clear_pointer(&check_clocks.changes, g_free);
    g_clear_pointer(&known, g_free);
}

static uint32_t *row(int rank)
{
    return check_clocks.now + (size_t)rank * (size_t)check_clocks.width;
}
static size_t half(void) { return (size_t)ranks * sizeof *check_clocks.now; }

static void widen(void)
{
    if (check_clocks.width > ranks) return;
    uint32_t *narrow = check_clocks.now;
    check_clocks.width = 2 * ranks;
    check_clocks.now = g_new(uint32_t, (size_t)ranks *(size_t)check_clocks.width);
    for (int i = 0; i < ranks; i++) {
        forget(i);
        memcpy(row(i), narrow + (size_t)i * (size_t)ranks, half());
        memcpy(row(i) + ranks, row(i), half());
    }
    g_free(narrow);
}

const uint32_t *check_clock_of(int rank) { return row(rank); }

const uint32_t *check_clock_sure(int rank) { return row(rank) + (check_clocks.width - ranks); }

const uint32_t *check_clock_sure_of(const struct check_clock *clock)
{
    return clock->wide ? clock->of + ranks : clock->of;
}

bool check_clocks_fit(void)
{
    enum { LEAST = 1 << 20, TIMES = 4 };
    return live * check_clock_bytes() <= MAX(LEAST, TIMES * windows);
}

void check_clocks_allow(int64_t window_bytes) { windows += (uint64_t)window_bytes; }

static struct check_clock *clock_new(void)
{
    live++;
    struct check_clock *clock =
        g_malloc(sizeof *clock + (size_t)check_clocks.width * sizeof *clock->of);
    clock->refs = 1;
    clock->wide = check_clocks.width > ranks;
    return clock;
}

size_t check_clock_bytes(void)
{
    enum { HEAP = 16 }; /* what the host's heap takes beside a block */
    return sizeof(struct check_clock) + (size_t)check_clocks.width * sizeof(uint32_t) + HEAP;
}

struct check_clock *check_clock_peek(int rank)
{
    struct check_clock *clock = clock_new();
    memcpy(clock->of, row(rank), (size_t)check_clocks.width * sizeof *clock->of);
    return clock;
}

struct check_clock *check_clock_release(int rank)
{
    struct check_clock *clock = check_clock_peek(rank);
    check_clock_tick(rank);
    return clock;
}

void check_all_changed(void)
{
    for (int i = 0; i < ranks; i++) check_changed(i);
}

uint32_t check_clock_tick(int rank)
{
    check_changed(rank);
    if (check_clocks.width > ranks) row(rank)[ranks + rank]++;
    return row(rank)[rank]++;
}

struct check_clock *check_clock_ref(struct check_clock *clock)
{
    if (clock) clock->refs++;
    return clock;
}

void check_clock_unref(struct check_clock *clock)
{
    if (!clock || --clock->refs > 0) return;
    live--;
    g_free(clock);
}

static void raise_to(uint32_t *to, const uint32_t *from)
{
    for (int i = 0; i < ranks; i++) to[i] = MAX(to[i], from[i]);
}

/* Both halves, where `to` has two. */
static void raise_both(uint32_t *to, bool wide, const struct check_clock *from)
{
    raise_to(to, from->of);
    if (wide) raise_to(to + ranks, check_clock_sure_of(from));
}

/* As raise_to, and whether nothing but the rank's own component was more. */
static bool raise_to_same(uint32_t *to, const uint32_t *from, int rank)
{
    const uint32_t own = MAX(to[rank], from[rank]);
    uint32_t more = 0;
    to[rank] = 0;
    for (int i = 0; i < ranks; i++) {
        more |= (uint32_t)(to[i] > from[i]);
        to[i] = MAX(to[i], from[i]);
    }
    to[rank] = own;
    return more == 0;
}

void check_clock_join(int rank, struct check_clock *clock)
{
    if (!clock) return;
    forget(rank);
    if (check_clocks.width > ranks)
        raise_both(row(rank), true, clock);
    else if (raise_to_same(row(rank), clock->of, rank))
        shared[rank] = check_clock_ref(clock);
}

struct check_clock *check_clock_shared(int rank)
{
    if (!shared[rank]) shared[rank] = check_clock_peek(rank);
    return check_clock_ref(shared[rank]);
}

void check_clock_join_unsure(int rank, const struct check_clock *clock)
{
    widen();
    forget(rank);
    raise_to(row(rank), clock->of);
}

void check_clock_merge(struct check_clock **sum, const struct check_clock *more)
{
    if (!more) return;
    if (*sum && (*sum)->refs == 1 &&
        (*sum)->wide == (check_clocks.width > ranks)) { /* nobody else has it */
        raise_both((*sum)->of, (*sum)->wide, more);
        return;
    }
    struct check_clock *fresh = clock_new();
    memset(fresh->of, 0, (size_t)check_clocks.width * sizeof *fresh->of);
    raise_both(fresh->of, fresh->wide, more);
    if (*sum) raise_both(fresh->of, fresh->wide, *sum);
    check_clock_unref(*sum);
    *sum = fresh;
}

struct check_stamp check_clock_stamp(int rank)
{
    struct check_clock *clock = check_clock_shared(rank);
    return (struct check_stamp){clock, rank, check_clock_tick(rank)};
}

void check_clock_merge_stamp(struct check_clock **sum, const struct check_stamp *more)
{
    const int rank = more->rank;
    if (!more->clock) return;
    const uint32_t before = *sum && rank >= 0 ? (*sum)->of[rank] : 0,
                   sure = *sum && rank >= 0 ? check_clock_sure_of(*sum)[rank] : 0;
    check_clock_merge(sum, more->clock);
    if (rank < 0) return;
    (*sum)->of[rank] = MAX(before, more->own);
    if ((*sum)->wide) (*sum)->of[ranks + rank] = MAX(sure, more->own);
}

void check_clock_join_stamp(int rank, const struct check_stamp *stamp)
{
    const int other = stamp->rank;
    if (!stamp->clock) return;
    check_clock_join(rank, stamp->clock);
    if (other < 0 || stamp->own <= check_clock_sure(rank)[other]) return;
    forget(rank);
    row(rank)[other] = MAX(row(rank)[other], stamp->own);
    if (check_clocks.width > ranks) row(rank)[ranks + other] = stamp->own;
}

void check_clock_raise(struct check_clock *sum, const struct check_stamp *more)
{
    const int rank = more->rank;
    if (!more->clock) return;
    const uint32_t own = rank < 0 ? 0 : MAX(sum->of[rank], more->own),
                   sure = rank < 0 ? 0 : MAX(check_clock_sure_of(sum)[rank], more->own);
    raise_both(sum->of, sum->wide, more->clock);
    if (rank < 0) return;
    sum->of[rank] = own;
    if (sum->wide) sum->of[ranks + rank] = sure;
}

void check_clock_everybody(const struct check_clock *clock)
{
    raise_to(known, check_clock_sure_of(clock));
    meetings++;
}

uint32_t check_clock_meetings(void) { return meetings; }

uint32_t check_clock_known(int rank) { return known[rank]; }

bool check_clock_old(const struct check_clock *clock)
{
    for (int i = 0; i < ranks; i++)
        if (clock->of[i] > known[i]) return false;
    return true;
}
