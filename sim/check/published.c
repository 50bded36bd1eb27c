/* When a member's stores became visible to others. */
#include "check/parts.h"

static const uint32_t *times_of(const struct check_times *times)
{
    return times->room ? times->many : times->few;
}

void check_times_clear(struct check_times *times)
{
    if (times->room) g_free(times->many);
    *times = (struct check_times){0};
}

static void add(struct check_times *times, uint32_t time)
{
    const uint32_t room = times->room ? times->room : G_N_ELEMENTS(times->few);
    if (times->n == room) {
        uint32_t *many = g_new(uint32_t, 2 * (size_t)room);
        memcpy(many, times_of(times), times->n * sizeof *many);
        if (times->room) g_free(times->many);
        times->many = many;
        times->room = 2 * room;
    }
    (times->room ? times->many : times->few)[times->n++] = time;
}

/* Of the times that everybody is behind the last one stands for all: but not for what others see
 * who share the memory, and have refreshed their copies earlier. */
static void forget(struct check_times *times, uint32_t known)
{
    uint32_t *at = times->room ? times->many : times->few, gone = 0;
    while (gone + 1 < times->n && at[gone + 1] <= known) gone++;
    times->n -= gone;
    memmove(at, at + gone, times->n * sizeof *at);
}

void check_publish(struct check_member *m)
{
    enum { SOME = 64 };
    struct check_times *times = &m->published;
    uint32_t now = check_clock_tick(m->rank);
    if (times->n >= SOME && times->n % SOME == 0 && !check_rank(m->rank)->shares)
        forget(times, check_clock_known(m->rank));
    add(times, now);
}

uint32_t check_published(const struct check_member *m, uint32_t clock)
{
    const uint32_t *at = times_of(&m->published);
    uint32_t low = 0, high = m->published.n;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (at[middle] >= clock)
            high = middle;
        else
            low = middle + 1;
    }
    return low < m->published.n ? at[low] : UINT32_MAX;
}
