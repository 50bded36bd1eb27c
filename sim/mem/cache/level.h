/* level: the cache levels of one processor, as arrays of lines.
 *
 * A level is sets of ways; a line's record keeps its model line (tag), its host line (to find
 * filter slots and bytes) and its state. Levels link by `next`; the last one is the point of
 * coherence: what it loses, the others lose (inclusion), and its lines carry the protocol's state.
 * Below it there may be one that the node's processors share (shared.h).
 * Nothing here takes time or moves bytes. Left out: exclusive levels, victim caches.
 */
#ifndef MEM_CACHE_LEVEL_H
#define MEM_CACHE_LEVEL_H

#include "mach/mach.h"
#include "mem/cache/filter.h"
#include "mem/cache/replace.h"
#include "mem/cache/way.h"
#include "mem/time/ticks.h"

#include <emmintrin.h>

/* key is model line << 8 | flags; all zero: no line, and memory that nobody has touched is that */
struct mem_line {
    uint64_t key, host;
};
enum {
    MEM_LINE_STATE = 7, /* enum coh_state; meaningful at the last level */
    /* a write-back store needs nothing more: the last level holds the line as M */
    MEM_LINE_DIRTY = 8,
    /* last level: memory has newer bytes than the view; say so when the line goes */
    MEM_LINE_BEHIND = 16,
    MEM_LINE_HELD = 128, /* there is a line */
};
static inline bool mem_line_held(const struct mem_line *e) { return e->key & MEM_LINE_HELD; }
/* want: model line << 8 | MEM_LINE_HELD */
static inline bool mem_line_is(const struct mem_line *e, uint64_t want)
{
    return (e->key ^ want) < MEM_LINE_HELD;
}
static inline uint64_t mem_line_mark(uint64_t line)
{
    return (uint32_t)line * 0x9e3779b1u >> 25 | 128;
}
/* Of 8 ways with these marks those whose mark is this one: the highest bits of their bytes.
 * Sometimes there are more. */
#define MEM_MARKS UINT64_C(0x0101010101010101)
static inline uint64_t mem_marks_like(uint64_t marks, uint64_t mark)
{
    uint64_t differs = marks ^ mark * MEM_MARKS;
    return (differs - MEM_MARKS) & ~differs & MEM_MARKS << 7;
}
/* The same of 16 ways, a bit a way, and no more. */
static inline uint32_t mem_marks_of_two(const uint64_t *marks, uint64_t mark)
{
    const __m128i all = _mm_loadu_si128((const __m128i *)(const void *)marks);
    return (uint32_t)_mm_movemask_epi8(
        _mm_cmpeq_epi8(all, _mm_set1_epi64x((long long)(mark * MEM_MARKS))));
}

struct mem_cache_count {
    uint64_t loads, stores, load_misses, store_misses, write_backs, invalidations, flushed_lines;
};

struct mem_cache {
    struct mem_line *line; /* sets * ways, a set's ways beside each other; NULL: shared.h */
    uint64_t set_mask;
    uint64_t used;        /* sets from the first one to the last that ever had a line */
    uint32_t shift, ways; /* log2 of the line; lines of a set */
    bool write_back, allocate_write;
    bool ordered; /* ways > 1 and a hit counts: filters hold the most recent line of a set only */
    int64_t hit;  /* ticks */
    struct mem_way way;     /* to the level above; unused in one that is shared */
    struct mem_cache *next; /* NULL: the last */
    struct mem_cache_count count;
    const struct mem_replace *replace;
    struct mem_order order; /* unused where direct mapped */
    /* where the next level has each line, as a number in it: it has them all; NULL: the last, or
     * one that writes through */
    uint32_t *below;
    /* of several ways: a byte a way, `words` words a set: 0 where there is no line, else drawn from
     * its number, so that a search looks at few lines */
    uint64_t *mark;
    uint32_t words;
    struct base_random random;
};

/* One processor's. */
struct mem_levels {
    struct mem_cache level[MACH_LEVELS];
    struct mem_cache *first, *last; /* NULL: there is none */
    int levels;                     /* with a shared one, of which each counts what it asks */
    struct mem_cache_count below;   /* of the shared one */
    struct mem_way way_below;
    bool through; /* the first level writes through */
    struct mem_filter *filter;
};

/* Without lines: a shared level has its own. */
void mem_cache_init(struct mem_cache *c, const struct mach_cache *m, int level, int processor);
void mem_cache_free(struct mem_cache *c);
/* its own levels, the first `own` of the machine's */
void mem_levels_init(struct mem_levels *l, const struct mach *m, int own, struct mem_filter *filter,
                     int processor);
void mem_levels_clear(struct mem_levels *l);

/* A line comes into a direct mapped cache there. */
static inline void mem_cache_uses(struct mem_cache *c, const struct mem_line *e)
{
    const uint64_t set = (uint64_t)(e - c->line);
    if (MEM_UNLIKELY(set >= c->used)) c->used = set + 1;
}
/* Where a direct mapped cache has the line, if it has it. */
static inline struct mem_line *mem_cache_slot(const struct mem_cache *c, uint64_t model)
{
    return c->line + ((model >> c->shift) & c->set_mask);
}
/* The line, in a set of several ways; NULL: none. */
struct mem_line *mem_cache_search_marks(const struct mem_cache *c, uint64_t set, uint64_t want);
static inline struct mem_line *mem_cache_search(const struct mem_cache *c, uint64_t set,
                                                uint64_t want)
{
    if (MEM_UNLIKELY(c->words != 2)) return mem_cache_search_marks(c, set, want);
    struct mem_line *e = c->line + set * c->ways;
    uint32_t at = mem_marks_of_two(c->mark + 2 * set, mem_line_mark(want >> 8));
    for (; at; at &= at - 1)
        if (mem_line_is(e + __builtin_ctz(at), want)) return e + __builtin_ctz(at);
    return NULL;
}
/* A line of a level that has `below`, where the next one has it. */
static inline struct mem_line *mem_cache_below(const struct mem_cache *c, const struct mem_line *e)
{
    return c->next->line + c->below[e - c->line];
}
/* The way that came to the front last; of a set of more than MEM_ORDER_BYTES ways, any. */
static inline struct mem_line *mem_cache_front(const struct mem_cache *c, uint64_t set)
{
    struct mem_line *line = c->line + set * c->ways;
    return c->order.place ? line + mem_order_first(&c->order, set) : line;
}
static inline struct mem_line *mem_cache_find(const struct mem_cache *c, uint64_t model)
{
    uint64_t line = model >> c->shift, set = line & c->set_mask, want = line << 8 | MEM_LINE_HELD;
    if (c->ways == 1) return mem_line_is(c->line + set, want) ? c->line + set : NULL;
    struct mem_line *e = mem_cache_front(c, set);
    return MEM_LIKELY(mem_line_is(e, want)) ? e : mem_cache_search(c, set, want);
}
/* The same of a level further on: the line that it was asked for last is in the level above. */
static inline struct mem_line *mem_cache_find_further(const struct mem_cache *c, uint64_t model)
{
    const uint64_t line = model >> c->shift, set = line & c->set_mask,
                   want = line << 8 | MEM_LINE_HELD;
    if (MEM_UNLIKELY(c->words != 2)) return mem_cache_find(c, model);
    return mem_cache_search(c, set, want);
}
/* Of a set of several ways the one that a line will come to lie in, `last` standing last: that, if
 * it is empty. */
static inline uint32_t mem_cache_victim(struct mem_cache *c, uint64_t set, uint32_t last,
                                        bool empty)
{
    if (empty || !c->replace->victim) return last;
    return c->replace->victim(&(struct mem_cache_set){&c->order, set, &c->random});
}
/* The mark of a way; 0: it is empty. Bytes of a word as the host has them. */
static inline void mem_cache_mark(const struct mem_cache *c, uint64_t set, uint32_t way,
                                  uint64_t mark)
{
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "way 0 has the lowest bits");
    ((uint8_t *)(c->mark + set * c->words))[way] = (uint8_t)mark;
}
/* Forget it: its way is empty. */
void mem_cache_empty(struct mem_cache *c, struct mem_line *e);
/* Its way comes to the front of its set, and out of the filter what was there. */
void mem_cache_to_front(const struct mem_levels *l, struct mem_cache *c, uint64_t set,
                        const struct mem_line *e);
/* A line that a first level of several ways holds, up to MEM_ORDER_BYTES of them, is hit, where
 * hits count. `place`: of its set, `room` bytes (order.h). */
static inline void mem_cache_use_way(struct mem_filter *filter, const struct mem_order *o,
                                     uint32_t room, uint8_t *place, const struct mem_line *e,
                                     uint32_t way)
{
    const uint32_t position = place[way] ^ o->start[way];
    if (position == 0) return;
    const __m128i begin = mem_order_read(o->start, room),
                  places = _mm_xor_si128(mem_order_read(place, room), begin);
    mem_filter_forget(filter, (e - way)[mem_order_way(places, 0)].host);
    mem_order_write(place, room, _mm_xor_si128(mem_order_brought(places, way, position), begin));
}
static inline void mem_cache_use_line(const struct mem_levels *l, struct mem_cache *c,
                                      const struct mem_line *e)
{
    const uint64_t set = (e->key >> 8) & c->set_mask;
    mem_cache_use_way(l->filter, &c->order, c->order.room, c->order.place + set * c->order.room, e,
                      (uint32_t)(e - (c->line + set * c->ways)));
}
/* It was hit, where hits count for replacement, or came in. */
static inline void mem_cache_used(const struct mem_levels *l, struct mem_cache *c,
                                  const struct mem_line *e)
{
    const uint64_t set = (e->key >> 8) & c->set_mask;
    if (MEM_UNLIKELY(!c->order.place) || (c == l->first ? !c->ordered : l->through))
        mem_cache_to_front(l, c, set, e);
    else if (c == l->first)
        mem_cache_use_line(l, c, e);
    else /* no filter knows which one was there */
        mem_order_to_front(&c->order, set, (uint32_t)(e - (c->line + set * c->ways)));
}
/* Of a first level: the line, if it is there and has all of these flags, used as a hit uses it.
 * NULL: nothing was done. */
struct mem_line *mem_cache_use(const struct mem_levels *l, struct mem_cache *c, uint64_t model,
                               uint64_t flags);
enum mem_drop { MEM_DROP_EVICTED, MEM_DROP_KILLED, MEM_DROP_FLUSHED }; /* why; for the counters */
void mem_cache_count_drop(struct mem_cache *c, enum mem_drop why);
/* Forget the line at the levels above c; true: one of them held newer bytes. */
bool mem_cache_drop_above(const struct mem_levels *l, const struct mem_cache *c,
                          const struct mem_line *e, enum mem_drop why);
/* The line of the last level is not the only newest copy any more: stores must ask again. */
void mem_cache_clean(const struct mem_levels *l, struct mem_line *e);

#endif
