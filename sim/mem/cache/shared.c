/* shared: the array of a level that a node's processors have together: see shared.h. */
#include "mem/cache/shared.h"
#include "mem/address/page.h"
#include "mem/zeroed/zeroed.h"

enum { HELD = 1, DIRTY = 2, FLAGS = 2 };
/* log2 of what model addresses may come to (struct mem_page: where) */
enum { MODEL_BITS = 32 + MEM_PAGE_BITS };

static uint64_t keys(const struct mem_cache *c) { return (c->set_mask + 1) * c->ways; }

static inline uint64_t key_at(const struct mem_shared_level *s, uint64_t i)
{
    return s->key ? s->key[i] : s->wide[i];
}
static inline void set_key(struct mem_shared_level *s, uint64_t i, uint64_t key)
{
    if (s->key)
        s->key[i] = (uint32_t)key;
    else
        s->wide[i] = key;
}

struct mem_shared_level *mem_shared_level_new(const struct mach *m)
{
    int level = mem_levels_private(m);
    if (level == m->levels) return NULL;
    struct mem_shared_level *s = g_new0(struct mem_shared_level, 1);
    mem_cache_init(&s->cache, &m->cache[level], level, 0);
    uint32_t bits = (uint32_t)g_bit_storage(s->cache.set_mask) + s->cache.shift;
    s->page_bits = bits > MEM_PAGE_BITS ? bits - MEM_PAGE_BITS : 0;
    s->tag_shift = s->cache.set_mask ? bits : s->cache.shift; /* storage of 0 is a bit */
    if (MODEL_BITS - (int)s->tag_shift + FLAGS <= 32)
        s->key = mem_zeroed(keys(&s->cache) * sizeof *s->key);
    else
        s->wide = mem_zeroed(keys(&s->cache) * sizeof *s->wide);
    return s;
}

void mem_shared_level_free(struct mem_shared_level *s)
{
    if (!s) return;
    if (s->key) mem_zeroed_free(s->key, keys(&s->cache) * sizeof *s->key);
    if (s->wide) mem_zeroed_free(s->wide, keys(&s->cache) * sizeof *s->wide);
    mem_cache_free(&s->cache);
    g_free(s);
}

/* Each processor numbers the pages it touches from a number of its own on (address/page.h), which
 * lies beyond the bits that choose a set. Physical pages lie anywhere: here the first one's sets
 * are those of a number drawn from the processor's (Fibonacci hashing, Knuth 6.4). */
static uint64_t spread(const struct mem_shared_level *s, uint64_t model)
{
    uint64_t owner = model >> (MEM_PAGE_BITS + MEM_PAGE_OWNER);
    if (!owner || !s->page_bits) return model;
    return model ^ (owner * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - s->page_bits) << MEM_PAGE_BITS;
}

static uint64_t set_of(const struct mem_cache *c, uint64_t at)
{
    return (at >> c->shift) & c->set_mask;
}

/* Of a line that is there; of one with newer bytes, DIRTY too. */
static uint64_t key_of(const struct mem_shared_level *s, uint64_t at)
{
    return at >> s->tag_shift << FLAGS | HELD;
}

static bool is(uint64_t key, uint64_t want) { return (key & ~(uint64_t)DIRTY) == want; }

/* The way that has the line; `ways`: none. */
static uint32_t way_of(const struct mem_shared_level *s, uint64_t at)
{
    const struct mem_cache *c = &s->cache;
    uint64_t set = set_of(c, at), first = set * c->ways, want = key_of(s, at);
    if (c->ways == 1) return is(key_at(s, first), want) ? 0 : 1;
    if (MEM_LIKELY(c->words == 2)) {
        uint32_t like = mem_marks_of_two(c->mark + 2 * set, mem_line_mark(at >> c->shift));
        for (; like; like &= like - 1)
            if (is(key_at(s, first + (uint32_t)__builtin_ctz(like)), want))
                return (uint32_t)__builtin_ctz(like);
        return c->ways;
    }
    for (uint32_t i = 0; i < c->words; i++) {
        uint64_t like = mem_marks_like(c->mark[set * c->words + i], mem_line_mark(at >> c->shift));
        for (; like; like &= like - 1) {
            uint32_t way = 8 * i + (uint32_t)__builtin_ctzll(like) / 8;
            if (is(key_at(s, first + way), want)) return way;
        }
    }
    return c->ways;
}

/* An empty way, if there is one, stands last. */
static uint32_t victim(struct mem_shared_level *s, uint64_t set)
{
    struct mem_cache *c = &s->cache;
    if (c->ways == 1) return 0;
    uint32_t last = mem_order_last(&c->order, set);
    return mem_cache_victim(c, set, last, !(key_at(s, set * c->ways + last) & HELD));
}

void mem_shared_level_soon(const struct mem_shared_level *s, uint64_t model)
{
    const struct mem_cache *c = &s->cache;
    const uint64_t set = set_of(c, spread(s, model)), first = set * c->ways;
    const char *keys = s->key ? (const char *)(s->key + first) : (const char *)(s->wide + first);
    __builtin_prefetch(keys, 1);
    __builtin_prefetch(keys + (s->key ? sizeof *s->key : sizeof *s->wide) * (c->ways - 1), 1);
    if (c->ways == 1) return;
    __builtin_prefetch(c->mark + set * c->words, 1);
    if (c->order.word) __builtin_prefetch(c->order.word + set, 1);
}

/* No way of its set has the line: it comes in. True: newer bytes of another leave it. */
static bool comes(struct mem_shared_level *s, uint64_t at, uint64_t set, uint64_t newer)
{
    const struct mem_cache *c = &s->cache;
    const uint32_t way = victim(s, set);
    const uint64_t i = set * c->ways + way;
    const bool written = key_at(s, i) & DIRTY;
    set_key(s, i, key_of(s, at) | newer);
    if (c->ways > 1) {
        mem_cache_mark(c, set, way, mem_line_mark(at >> c->shift));
        mem_order_to_front(&c->order, set, way);
    }
    return written;
}

bool mem_shared_level_hit(struct mem_shared_level *s, uint64_t model)
{
    const struct mem_cache *c = &s->cache;
    uint64_t at = spread(s, model), set = set_of(c, at);
    uint32_t way = way_of(s, at);
    if (way < c->ways && c->ordered) mem_order_to_front(&c->order, set, way);
    return way < c->ways;
}

bool mem_shared_level_fill(struct mem_shared_level *s, uint64_t model, bool dirty)
{
    const struct mem_cache *c = &s->cache;
    const uint64_t at = spread(s, model), set = set_of(c, at), newer = dirty ? DIRTY : 0;
    const uint32_t way = way_of(s, at);
    if (way == c->ways) return comes(s, at, set, newer);
    set_key(s, set * c->ways + way, key_at(s, set * c->ways + way) | newer);
    return false;
}

bool mem_shared_level_load(struct mem_shared_level *s, uint64_t model, bool *written)
{
    const struct mem_cache *c = &s->cache;
    const uint64_t at = spread(s, model), set = set_of(c, at);
    const uint32_t way = way_of(s, at);
    *written = way == c->ways && comes(s, at, set, 0);
    if (way < c->ways && c->ordered) mem_order_to_front(&c->order, set, way);
    return way < c->ways;
}
