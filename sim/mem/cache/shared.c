/* shared: the array of a level that a node's processors have together: see shared.h. */
#include "mem/cache/shared.h"
#include "mem/zeroed/zeroed.h"

enum { USUAL = 16 }; /* ways */
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
    s->usual = s->key && s->cache.ways == USUAL && s->cache.ordered && !s->cache.replace->victim;
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

void mem_shared_level_soon_any(const struct mem_shared_level *s, uint64_t model)
{
    const struct mem_cache *c = &s->cache;
    const uint64_t set = set_of(c, mem_shared_level_at(s, model)), first = set * c->ways;
    const char *keys = s->key ? (const char *)(s->key + first) : (const char *)(s->wide + first);
    __builtin_prefetch(keys, 1);
    __builtin_prefetch(keys + (s->key ? sizeof *s->key : sizeof *s->wide) * (c->ways - 1), 1);
    if (c->ways == 1) return;
    __builtin_prefetch(c->mark + set * c->words, 1);
    if (c->order.place) __builtin_prefetch(c->order.place + set * c->order.room, 1);
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

/* ---- of the usual shape ---------------------------------------------------------------------- */

struct sought {
    uint32_t want, *key; /* the line's key; those of its set */
    uint8_t *place;      /* of its set (order.h) */
    const uint8_t *start;
};
static inline struct sought seek(const struct mem_shared_level *s, uint64_t model)
{
    const uint64_t at = mem_shared_level_at(s, model), set = set_of(&s->cache, at);
    return (struct sought){(uint32_t)key_of(s, at), s->key + USUAL * set,
                           s->cache.order.place + USUAL * set, s->cache.order.start};
}
/* A bit a way that has the line. */
static inline uint32_t ways_with(const struct sought *l)
{
    const __m128i want = _mm_set1_epi32((int)(l->want | DIRTY)), dirty = _mm_set1_epi32(DIRTY);
    const __m128i *key = (const __m128i *)(const void *)l->key;
    __m128i has[4];
    for (int i = 0; i < 4; i++)
        has[i] = _mm_cmpeq_epi32(_mm_or_si128(_mm_loadu_si128(key + i), dirty), want);
    return (uint32_t)_mm_movemask_epi8(
        _mm_packs_epi16(_mm_packs_epi32(has[0], has[1]), _mm_packs_epi32(has[2], has[3])));
}
/* It is used. */
static inline void bring(const struct sought *l, uint32_t way)
{
    mem_order_bring(l->place, l->start, USUAL, way);
}
/* It comes in. True: newer bytes of another leave. */
static inline bool replace_last(const struct sought *l, uint32_t newer)
{
    const __m128i begin = mem_order_read(l->start, USUAL),
                  places = _mm_xor_si128(mem_order_read(l->place, USUAL), begin);
    const uint32_t last = mem_order_way(places, USUAL - 1);
    const bool written = l->key[last] & DIRTY;
    l->key[last] = l->want | newer;
    mem_order_write(l->place, USUAL,
                    _mm_xor_si128(mem_order_brought(places, last, USUAL - 1), begin));
    return written;
}
static inline bool load_usual(const struct mem_shared_level *s, uint64_t model, bool *written)
{
    const struct sought l = seek(s, model);
    const uint32_t with = ways_with(&l);
    *written = !with && replace_last(&l, 0);
    if (with) bring(&l, (uint32_t)__builtin_ctz(with));
    return with;
}
static inline bool fill_usual(const struct mem_shared_level *s, uint64_t model, uint32_t newer)
{
    const struct sought l = seek(s, model);
    const uint32_t with = ways_with(&l);
    if (!with) return replace_last(&l, newer);
    l.key[__builtin_ctz(with)] |= newer;
    return false;
}

/* ---- what is asked --------------------------------------------------------------------------- */

bool mem_shared_level_hit(struct mem_shared_level *s, uint64_t model)
{
    if (MEM_LIKELY(s->usual)) {
        const struct sought l = seek(s, model);
        const uint32_t with = ways_with(&l);
        if (with) bring(&l, (uint32_t)__builtin_ctz(with));
        return with;
    }
    const struct mem_cache *c = &s->cache;
    uint64_t at = mem_shared_level_at(s, model), set = set_of(c, at);
    uint32_t way = way_of(s, at);
    if (way < c->ways && c->ordered) mem_order_to_front(&c->order, set, way);
    return way < c->ways;
}

bool mem_shared_level_fill(struct mem_shared_level *s, uint64_t model, bool dirty)
{
    if (MEM_LIKELY(s->usual)) return fill_usual(s, model, dirty ? DIRTY : 0);
    const struct mem_cache *c = &s->cache;
    const uint64_t at = mem_shared_level_at(s, model), set = set_of(c, at),
                   newer = dirty ? DIRTY : 0;
    const uint32_t way = way_of(s, at);
    if (way == c->ways) return comes(s, at, set, newer);
    set_key(s, set * c->ways + way, key_at(s, set * c->ways + way) | newer);
    return false;
}

bool mem_shared_level_load(struct mem_shared_level *s, uint64_t model, bool *written)
{
    if (MEM_LIKELY(s->usual)) return load_usual(s, model, written);
    const struct mem_cache *c = &s->cache;
    const uint64_t at = mem_shared_level_at(s, model), set = set_of(c, at);
    const uint32_t way = way_of(s, at);
    *written = way == c->ways && comes(s, at, set, 0);
    if (way < c->ways && c->ordered) mem_order_to_front(&c->order, set, way);
    return way < c->ways;
}
