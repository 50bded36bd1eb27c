/* resource: something of a node that serves one request at a time; its calendar.
 *
 * A request occupies the resource for so many ticks. Processors run ahead of the simulated clock by
 * up to the quantum and ask in any order, so it is a calendar: a request takes what is free at and
 * after its date, in pieces if need be: a gap that is too short for it would be lost, and in order
 * of dates there would be none. A plain "busy until" would make a processor wait for
 * requests that lie in its future. Saturation follows: with n processors asking every t seconds,
 * queueing begins near n = t / ticks. Left out: priorities, a limit of outstanding requests.
 */
#ifndef MEM_TIME_RESOURCE_H
#define MEM_TIME_RESOURCE_H

#include "mem/time/ticks.h"

struct mem_busy {
    int64_t start, end;
};
struct mem_resource_count {
    uint64_t requests, bytes;
    double busy_s, queued_s;
};
struct mem_resource {
    struct mem_scale scale;
    bool alone;     /* one processor that waits: nobody asks at a date before the last one */
    int64_t latest; /* nobody will ask before that date */
    /* sorted, disjoint: [first, hole) and [rest, room) of `busy` */
    struct mem_busy *busy;
    size_t first, hole, rest, room;
    struct mem_resource_count count;
};

/* are forgotten at a time: a processor may be a little behind the latest */
enum { MEM_FORGOTTEN = 32 };
/* The last interval, if it is where the hole begins, has room behind it, and nothing is to be
 * forgotten; else NULL. */
static inline struct mem_busy *mem_resource_last(const struct mem_resource *r)
{
    if (r->rest != r->room || r->hole == r->rest || r->first == r->hole) return NULL;
    struct mem_busy *end = r->busy + r->hole - 1;
    if (end->end <= r->latest) return NULL;
    if (r->hole - r->first > MEM_FORGOTTEN &&
        r->busy[r->first + MEM_FORGOTTEN - 1].end <= r->latest)
        return NULL;
    return end;
}
/* The same as below, where that is not enough; it is in no counter. */
int64_t mem_resource_book_any(struct mem_resource *r, int64_t now, int64_t ticks);
/* Returns the date at which a request of that date is served; it is done `ticks` later. bytes: for
 * the counters. In place, since most are behind all that is booked, or begin while the last of it
 * lasts. */
static inline int64_t mem_resource_book(struct mem_resource *r, int64_t now, int64_t ticks,
                                        uint64_t bytes)
{
    r->count.requests++;
    r->count.bytes += bytes;
    if (ticks <= 0) return now;
    if (r->alone) r->latest = MAX(r->latest, now); /* nobody is behind */
    struct mem_busy *end = mem_resource_last(r);
    int64_t start = now;
    if (MEM_UNLIKELY(!end || end->start > now)) {
        start = mem_resource_book_any(r, now, ticks);
    } else if (end->end < now) {
        r->busy[r->hole++] = (struct mem_busy){now, now + ticks};
    } else {
        start = end->end;
        end->end += ticks;
    }
    r->count.busy_s += mem_seconds(r->scale, ticks);
    r->count.queued_s += mem_seconds(r->scale, start - now);
    return start;
}
/* So many of them, of one date. */
void mem_resource_book_row(struct mem_resource *r, int64_t now, int64_t ticks, uint64_t bytes,
                           uint64_t n);
/* From `now` on, when is it first free? */
int64_t mem_resource_free(const struct mem_resource *r, int64_t now);
static inline size_t mem_resource_intervals(const struct mem_resource *r)
{
    return r->hole - r->first + r->room - r->rest;
}
/* Does its calendar have tens of thousands of intervals that are over at `now`? */
enum { MEM_RESOURCE_LONG = 1 << 16 };
bool mem_resource_has_long_past(const struct mem_resource *r, int64_t now);
static inline bool mem_resource_is_long(const struct mem_resource *r, int64_t now)
{
    return MEM_UNLIKELY(mem_resource_intervals(r) > MEM_RESOURCE_LONG) &&
           mem_resource_has_long_past(r, now);
}
void mem_resource_clear(struct mem_resource *r);

#endif
