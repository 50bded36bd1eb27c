/* Vector clocks: what a rank is ordered behind. A rank's own component grows whenever others may
 * come to know of it, so that one number stands for all its accesses in between. */
#include "check/clock.h"

#include <string.h>

static int ranks;
static uint32_t *now;   /* [rank][rank] */
static uint32_t *known; /* what everybody is behind */

void check_clocks_open(int n)
{
    ranks = n;
    now = g_new0(uint32_t, (size_t)n *(size_t)n);
    known = g_new0(uint32_t, n);
    for (int i = 0; i < n; i++) now[(size_t)i * (size_t)n + (size_t)i] = 1;
}

void check_clocks_close(void)
{
    g_clear_pointer(&now, g_free);
    g_clear_pointer(&known, g_free);
}

static uint32_t *row(int rank) { return now + (size_t)rank * (size_t)ranks; }

const uint32_t *check_clock_of(int rank) { return row(rank); }

uint32_t check_clock_own(int rank) { return row(rank)[rank]; }

struct check_clock *check_clock_peek(int rank)
{
    struct check_clock *clock = g_malloc(sizeof *clock + (size_t)ranks * sizeof *clock->of);
    clock->refs = 1;
    memcpy(clock->of, row(rank), (size_t)ranks * sizeof *clock->of);
    return clock;
}

struct check_clock *check_clock_release(int rank)
{
    struct check_clock *clock = check_clock_peek(rank);
    row(rank)[rank]++;
    return clock;
}

uint32_t check_clock_tick(int rank) { return row(rank)[rank]++; }

struct check_clock *check_clock_ref(struct check_clock *clock)
{
    if (clock) clock->refs++;
    return clock;
}

void check_clock_unref(struct check_clock *clock)
{
    if (clock && --clock->refs == 0) g_free(clock);
}

static void raise_to(uint32_t *to, const uint32_t *from)
{
    for (int i = 0; i < ranks; i++) to[i] = MAX(to[i], from[i]);
}

void check_clock_join(int rank, const struct check_clock *clock)
{
    if (clock) raise_to(row(rank), clock->of);
}

void check_clock_merge(struct check_clock **sum, const struct check_clock *more)
{
    if (!more) return;
    if (*sum && (*sum)->refs == 1) { /* nobody else has it */
        raise_to((*sum)->of, more->of);
        return;
    }
    struct check_clock *fresh = g_malloc(sizeof *fresh + (size_t)ranks * sizeof *fresh->of);
    memcpy(fresh->of, more->of, (size_t)ranks * sizeof *fresh->of);
    fresh->refs = 1;
    if (*sum) raise_to(fresh->of, (*sum)->of);
    check_clock_unref(*sum);
    *sum = fresh;
}

void check_clock_everybody(const struct check_clock *clock) { raise_to(known, clock->of); }

uint32_t check_clock_known(int rank) { return known[rank]; }
