/* resource: the calendar of something that serves one request at a time: see resource.h. */
#include "mem/time/resource.h"

#include <string.h>

/* ---- the calendar's intervals, in order. A copy of many megabytes books hundreds of thousands
 * ahead of the clock, each beside the one before, among those of other processors: so the array has
 * a hole, and it is where the last one came in. */
static struct mem_busy *interval(const struct mem_resource *r, size_t i)
{
    size_t at = r->first + i;
    return &r->busy[at < r->hole ? at : at + r->rest - r->hole];
}

/* There is one. */
static struct mem_busy *last(const struct mem_resource *r)
{
    return &r->busy[(r->rest < r->room ? r->room : r->hole) - 1];
}

static void move_hole(struct mem_resource *r, size_t i)
{
    size_t at = r->first + i;
    if (at < r->hole) {
        size_t n = r->hole - at;
        memmove(r->busy + r->rest - n, r->busy + at, n * sizeof *r->busy);
        r->hole -= n;
        r->rest -= n;
    } else {
        size_t n = at - r->hole;
        memmove(r->busy + r->hole, r->busy + r->rest, n * sizeof *r->busy);
        r->hole += n;
        r->rest += n;
    }
}

/* There is no hole left. Half of the room may be of the past. */
static void widen(struct mem_resource *r)
{
    size_t before = r->hole - r->first, behind = r->room - r->rest;
    if (before > 0) memmove(r->busy, r->busy + r->first, before * sizeof *r->busy);
    if (r->first <= r->room / 2) {
        size_t room = r->room ? r->room * 2 : 64;
        r->busy = g_renew(struct mem_busy, r->busy, room);
        if (behind > 0)
            memmove(r->busy + room - behind, r->busy + r->rest, behind * sizeof *r->busy);
        r->room = room;
        r->rest = room - behind;
    }
    r->first = 0;
    r->hole = before;
}

/* Behind the last. */
static inline void append(struct mem_resource *r, struct mem_busy b)
{
    if (r->hole == r->rest) widen(r);
    if (r->rest < r->room) move_hole(r, mem_resource_intervals(r));
    r->busy[r->hole++] = b;
}

static void insert(struct mem_resource *r, size_t i, struct mem_busy b)
{
    if (r->hole == r->rest) widen(r);
    move_hole(r, i);
    r->busy[r->hole++] = b;
}

static void withdraw(struct mem_resource *r, size_t i, size_t n)
{
    if (n == 0) return;
    move_hole(r, i);
    r->rest += n;
}

static void forget_past(struct mem_resource *r)
{
    size_t all = mem_resource_intervals(r), n;
    if (all == 0) return;
    if (last(r)->end <= r->latest)
        n = all;
    else if (all > MEM_FORGOTTEN && interval(r, MEM_FORGOTTEN - 1)->end <= r->latest)
        for (n = MEM_FORGOTTEN; interval(r, n)->end <= r->latest;) n++;
    else
        return;
    size_t before = r->hole - r->first;
    r->first += MIN(n, before);
    if (n < before) return;
    r->rest += n - before;
    r->first = r->hole = 0;
}

/* Behind all that is booked, or begun while the last of it lasts: most are. When is it served? */
static inline int64_t book_last(struct mem_resource *r, struct mem_busy *busy, int64_t now,
                                int64_t ticks)
{
    if (!busy || busy->end < now) {
        append(r, (struct mem_busy){now, now + ticks});
        return now;
    }
    int64_t start = busy->end;
    busy->end += ticks;
    return start;
}

/* How many intervals, of n, begin by now? */
static size_t begun(const struct mem_resource *r, size_t n, int64_t now)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (interval(r, middle)->start <= now)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t mem_resource_free(const struct mem_resource *r, int64_t now)
{
    size_t n = begun(r, mem_resource_intervals(r), now);
    return n ? MAX(interval(r, n - 1)->end, now) : now;
}

/* Before the last that is booked, or at its beginning. */
static int64_t book_between(struct mem_resource *r, size_t n, int64_t now, int64_t ticks)
{
    size_t before = begun(r, n, now);
    size_t i = before ? before - 1 : 0;          /* the first that can matter */
    if (i < n && interval(r, i)->end < now) i++; /* over by then, and not adjacent */
    /* It joins every interval that it meets, from the first on, until its ticks have gone into the
     * gaps between them. */
    const size_t first = i;
    const int64_t begin = i < n ? MIN(now, interval(r, i)->start) : now;
    int64_t end = now, done = now, left = ticks;
    for (; i < n && left > 0; i++) {
        const struct mem_busy *busy = interval(r, i);
        const int64_t gap = MAX(0, busy->start - end);
        if (gap > left) break;
        left -= gap;
        done = busy->start;
        end = MAX(end, busy->end);
    }
    if (left > 0) done = end += left;
    if (i == first)
        insert(r, i, (struct mem_busy){begin, end});
    else {
        *interval(r, first) = (struct mem_busy){begin, end};
        withdraw(r, first + 1, i - first - 1);
    }
    return done - ticks;
}

int64_t mem_resource_book_any(struct mem_resource *r, int64_t now, int64_t ticks)
{
    forget_past(r);
    const size_t n = mem_resource_intervals(r);
    struct mem_busy *end = n ? last(r) : NULL;
    return !end || end->start <= now ? book_last(r, end, now, ticks)
                                     : book_between(r, n, now, ticks);
}

void mem_resource_book_row(struct mem_resource *r, int64_t now, int64_t ticks, uint64_t bytes,
                           uint64_t n)
{
    struct mem_busy *end = NULL;
    for (; n > 0; n--) {
        end = ticks > 0 && mem_resource_intervals(r) ? last(r) : NULL;
        if (end && end->start <= now && end->end >= now && end->end > r->latest) break;
        mem_resource_book(r, now, ticks, bytes);
    }
    if (n == 0) return;
    /* The others all go behind it. */
    struct mem_resource_count count = r->count;
    const double each_s = mem_seconds(r->scale, ticks);
    int64_t at = end->end;
    for (uint64_t i = 0; i < n; i++, at += ticks) {
        count.busy_s += each_s;
        count.queued_s += mem_seconds(r->scale, at - now);
    }
    count.requests += n;
    count.bytes += n * bytes;
    r->count = count;
    end->end = at;
}

bool mem_resource_has_long_past(const struct mem_resource *r, int64_t now)
{
    return interval(r, MEM_RESOURCE_LONG - 1)->end <= now;
}

void mem_resource_clear(struct mem_resource *r) { g_free(r->busy); }
