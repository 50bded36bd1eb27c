/* way: how lines come from a cache level to the one above it, of one processor.
 *
 * A line takes the level's time. Where the level's lines are read ahead (cache.lN.readahead), a
 * prefetcher sees which are asked for and brings further ones to the level above; where the way is
 * narrow (cache.lN.busy_cycles), lines come one after the other. The caller has found the line.
 * Lines that go down have a way of their own, as wide, which is never the narrower one: of an EPYC
 * (family 25) a store to each line of an array took what a load did, in each level.
 * Into a set of the first level they may come one after the other, too (cache.l1.set_cycles). Of an
 * EPYC (family 25) loads of 64 lines of one set took 9.4 cycles each, and .43 ns, 1.6 cycles, of
 * lines a little further apart; stores, whose lines leave written, 10 to 18.
 * Left out: lines that are brought in vain, and what they drive out of the level above. */
#ifndef MEM_CACHE_WAY_H
#define MEM_CACHE_WAY_H

#include "mach/mach.h"
#include "mem/prefetch/prefetch.h"
#include "mem/time/resource.h"

struct mem_way {
    int64_t hit, above; /* ticks of a load that hits this level, and the one above */
    int64_t busy;       /* ticks that a line takes; 0: any number come together */
    /* by whom: a line whose address is known late keeps none back that is asked for behind it and
     * leaves before */
    struct mem_resource taken;
    bool plain;        /* every line takes `hit`, and waits for no set */
    uint32_t shift;    /* log2 of the line */
    int64_t set;       /* ticks that a set of the level is busy with a line; 0: none */
    int64_t *set_free; /* the sets are free from then on; NULL: none is ever busy */
    uint64_t set_mask;
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
/* A line is there at `done`, and comes into its set of this level: complete when? */
static inline int64_t mem_way_into_set(struct mem_way *w, uint64_t model, int64_t done)
{
    if (MEM_LIKELY(!w->set_free)) return done;
    int64_t *set = &w->set_free[model >> w->shift & w->set_mask];
    done = MAX(done, *set);
    *set = done + w->set;
    return done;
}
/* One that was written leaves its set for the next level. */
static inline void mem_way_out_of_set(struct mem_way *w, uint64_t set)
{
    if (MEM_UNLIKELY(w->set_free != NULL)) w->set_free[set & w->set_mask] += w->set;
}
/* The level has not got it; the prefetcher sees it pass. */
void mem_way_misses(struct mem_way *w, uint64_t model, int64_t now);
#endif
