/* filter: what the fast path asks before anything else; the slow paths keep it right.
 *
 * A line is in the filter only while an access to it changes nothing but counts: it is in the first
 * level, private (in no segment, or in one that nobody observes, access/processor.h), and where
 * hits count for replacement the most recent of its set at every level the access would touch.
 *
 * A line may be in it and hidden: then instrumented code does not find it and calls (world/hits,
 * and where the check is to see each access to it).
 */
#ifndef MEM_CACHE_FILTER_H
#define MEM_CACHE_FILTER_H

#include "base/base.h"

#include <string.h>

enum { MEM_FILTER = 256 }; /* slots; power of two */
#define MEM_FILTER_HIDDEN (UINT64_C(1) << 63)

struct mem_filter {
    /* Host line numbers (address >> line_shift); ~0 is an empty slot. */
    uint64_t load_ok[MEM_FILTER];
    uint64_t store_ok[MEM_FILTER];
    uint32_t line_shift; /* log2 of the first level's line */
    uint32_t hides;      /* 1: what becomes known is hidden */
};

/* Is the line in the slot, hidden or not? */
static inline bool mem_filter_is(uint64_t slot, uint64_t host) { return (slot ^ host) << 1 == 0; }
static inline void mem_filter_know_load(struct mem_filter *f, uint64_t host)
{
    f->load_ok[host & (MEM_FILTER - 1)] = host | (uint64_t)f->hides << 63;
}
/* A store may go on there, and so may a load. */
static inline void mem_filter_know_store(struct mem_filter *f, uint64_t host)
{
    f->load_ok[host & (MEM_FILTER - 1)] = f->store_ok[host & (MEM_FILTER - 1)] =
        host | (uint64_t)f->hides << 63;
}
/* The same where no line is hidden. */
static inline void mem_filter_stored(struct mem_filter *f, uint64_t host)
{
    f->load_ok[host & (MEM_FILTER - 1)] = f->store_ok[host & (MEM_FILTER - 1)] = host;
}

static inline void mem_filter_drop_store(struct mem_filter *f, uint64_t host)
{
    if (mem_filter_is(f->store_ok[host & (MEM_FILTER - 1)], host))
        f->store_ok[host & (MEM_FILTER - 1)] = ~UINT64_C(0);
}
static inline void mem_filter_drop(struct mem_filter *f, uint64_t host)
{
    if (mem_filter_is(f->load_ok[host & (MEM_FILTER - 1)], host))
        f->load_ok[host & (MEM_FILTER - 1)] = ~UINT64_C(0);
    mem_filter_drop_store(f, host);
}
/* Is it, and hidden? What is known of a line becomes hidden. */
static inline bool mem_filter_hides(uint64_t slot, uint64_t host)
{
    return slot == (host | MEM_FILTER_HIDDEN);
}
static inline void mem_filter_hide(struct mem_filter *f, uint64_t host)
{
    uint64_t *load = &f->load_ok[host & (MEM_FILTER - 1)],
             *store = &f->store_ok[host & (MEM_FILTER - 1)];
    if (*load == host) *load |= MEM_FILTER_HIDDEN;
    if (*store == host) *store |= MEM_FILTER_HIDDEN;
}
/* What is in the slots of that line: if another's, it comes back. */
static inline void mem_filter_forget(struct mem_filter *f, uint64_t host)
{
    f->load_ok[host & (MEM_FILTER - 1)] = f->store_ok[host & (MEM_FILTER - 1)] = ~UINT64_C(0);
}
static inline void mem_filter_clear(struct mem_filter *f)
{
    memset(f->load_ok, 0xff, sizeof f->load_ok);
    memset(f->store_ok, 0xff, sizeof f->store_ok);
}

#endif
