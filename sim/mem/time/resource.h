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

/* Returns the date at which a request of that date is served; it is done `ticks` later. bytes: for
 * the counters. */
int64_t mem_resource_book(struct mem_resource *r, int64_t now, int64_t ticks, uint64_t bytes);
/* So many of them, of one date. */
void mem_resource_book_row(struct mem_resource *r, int64_t now, int64_t ticks, uint64_t bytes,
                           uint64_t n);
/* From `now` on, when is it first free? */
int64_t mem_resource_free(const struct mem_resource *r, int64_t now);
/* Does its calendar have tens of thousands of intervals that are over at `now`? */
bool mem_resource_is_long(const struct mem_resource *r, int64_t now);
void mem_resource_clear(struct mem_resource *r);

#endif
