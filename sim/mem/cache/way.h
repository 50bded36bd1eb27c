/* way: how lines come from a cache level to the one above it, of one processor.
 *
 * A line takes the level's time. Where the level's lines are read ahead (cache.lN.readahead), a
 * prefetcher sees which are asked for and brings further ones to the level above; where the way is
 * narrow (cache.lN.busy_cycles), lines come one after the other. The caller has found the line.
 * Lines that go down have a way of their own, as wide, which is never the narrower one: of an EPYC
 * (family 25) a store to each line of an array took what a load did, in each level.
 * Left out: lines that are brought in vain, and what they drive out of the level above. */
#ifndef MEM_CACHE_WAY_H
#define MEM_CACHE_WAY_H

#include "mach/mach.h"
#include "mem/prefetch/prefetch.h"
#include "mem/time/ticks.h"

struct mem_way {
    int64_t hit, above; /* ticks of a load that hits this level, and the one above */
    int64_t busy, free; /* ticks that a line takes; the way is free from then on */
    bool plain;         /* every line takes `hit` */
    uint32_t shift;     /* log2 of the line */
    struct mem_prefetcher prefetch;
};

/* level: from 0; the first one has no level above it */
void mem_way_init(struct mem_way *w, const struct mach *m, int level);
void mem_way_clear(struct mem_way *w);
/* The level has the line, and is asked for it at `now`: when is it there? */
int64_t mem_way_of_hit(struct mem_way *w, uint64_t model, int64_t now);
static inline int64_t mem_way_gives(struct mem_way *w, uint64_t model, int64_t now)
{
    return MEM_LIKELY(w->plain) ? now + w->hit : mem_way_of_hit(w, model, now);
}
/* The level has not got it; the prefetcher sees it pass. */
void mem_way_misses(struct mem_way *w, uint64_t model, int64_t now);
#endif
