/* shared: a last level that the processors of a node have together (cache.lN.shared).
 *
 * It lies between their own levels, the last of which is the point of coherence, and memory: a line
 * that comes from memory comes into it, and one that a processor writes back stays in it until its
 * place is needed. It neither includes nor excludes what lies in their levels: a line that leaves
 * it leaves nothing else. It is on memory's side: the network interface reads and writes through
 * it, so that its bytes are memory's on any node, and it has no states and no say in values. Which
 * processor has a line is asked before (mem/coherence). Nothing here takes time.
 * Left out: slices, and victim caches, which take in only what leaves the levels above.
 */
#ifndef MEM_CACHE_SHARED_H
#define MEM_CACHE_SHARED_H

#include "mem/address/page.h"
#include "mem/cache/level.h"

struct mem_shared_level {
    struct mem_cache cache; /* its lines are only keys: */
    /* sets * ways: what of a line's number its set does not say << 2 | flags; 0: no line. One of
     * the two: of nearly all machines 32 bits are enough. */
    uint32_t *key;
    uint64_t *wide;
    uint32_t tag_shift; /* log2 of a way's bytes */
    /* 16 ways of keys of 32 bits, of which a hit counts and the one used longest ago goes: so many
     * machines' that it has paths of its own, which know no marks */
    bool usual;
    /* bits of a page's number that choose the set: where they are few, processors that number
     * their pages alike would meet in the same sets */
    uint32_t page_bits;
};

/* Levels that each processor has for itself. */
static inline int mem_levels_private(const struct mach *m)
{
    return m->levels > 0 && m->cache[m->levels - 1].shared ? m->levels - 1 : m->levels;
}

/* NULL: the machine has none. */
struct mem_shared_level *mem_shared_level_new(const struct mach *m);
void mem_shared_level_free(struct mem_shared_level *s); /* NULL: nothing */
/* Where it looks for a line. Each processor numbers the pages it touches from a number of its own
 * on (address/page.h), which lies beyond the bits that choose a set. Physical pages lie anywhere:
 * here the first one's sets are those of a number drawn from the processor's (Fibonacci hashing,
 * Knuth 6.4). */
static inline uint64_t mem_shared_level_at(const struct mem_shared_level *s, uint64_t model)
{
    const uint64_t owner = model >> (MEM_PAGE_BITS + MEM_PAGE_OWNER);
    if (!owner || !s->page_bits) return model;
    return model ^ (owner * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - s->page_bits) << MEM_PAGE_BITS;
}
/* It will be asked for the line: the host's caches fetch what it knows of the line's set. */
void mem_shared_level_soon_any(const struct mem_shared_level *s, uint64_t model);
static inline void mem_shared_level_soon(const struct mem_shared_level *s, uint64_t model)
{
    if (MEM_UNLIKELY(!s->usual)) {
        mem_shared_level_soon_any(s, model);
        return;
    }
    const uint64_t set = mem_shared_level_at(s, model) >> s->cache.shift & s->cache.set_mask;
    __builtin_prefetch(s->key + 16 * set, 1);
    __builtin_prefetch(s->cache.order.place + 16 * set, 1);
}
/* Is the line there? Then it has been used. */
bool mem_shared_level_hit(struct mem_shared_level *s, uint64_t model);
/* It comes in, or newer bytes of it (`dirty`). True: newer bytes of another go to memory for it. */
bool mem_shared_level_fill(struct mem_shared_level *s, uint64_t model, bool dirty);
/* Is the line there? Then it has been used; else it comes in. written: newer bytes of another go to
 * memory for it. */
bool mem_shared_level_load(struct mem_shared_level *s, uint64_t model, bool *written);

#endif
