/* shared: the array of a level that a node's processors have together: see shared.h. */
#include "mem/cache/shared.h"
#include "mem/address/page.h"

struct mem_shared_level *mem_shared_level_new(const struct mach *m)
{
    int level = mem_levels_private(m);
    if (level == m->levels) return NULL;
    struct mem_shared_level *s = g_new0(struct mem_shared_level, 1);
    mem_cache_init(&s->cache, &m->cache[level], level, 0);
    uint32_t bits = (uint32_t)g_bit_storage(s->cache.set_mask) + s->cache.shift;
    s->page_bits = bits > MEM_PAGE_BITS ? bits - MEM_PAGE_BITS : 0;
    return s;
}

void mem_shared_level_free(struct mem_shared_level *s)
{
    if (!s) return;
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

static void to_front(struct mem_cache *c, const struct mem_line *e)
{
    uint64_t set = (e->key >> 8) & c->set_mask;
    if (c->ways > 1) mem_order_to_front(&c->order, set, (uint32_t)(e - (c->line + set * c->ways)));
}

bool mem_shared_level_hit(struct mem_shared_level *s, uint64_t model)
{
    struct mem_line *e = mem_cache_find(&s->cache, spread(s, model));
    if (e && s->cache.ordered) to_front(&s->cache, e);
    return e != NULL;
}

bool mem_shared_level_fill(struct mem_shared_level *s, uint64_t model, bool dirty)
{
    struct mem_cache *c = &s->cache;
    uint64_t at = spread(s, model), newer = dirty ? MEM_LINE_DIRTY : 0;
    struct mem_line *e = mem_cache_find(c, at);
    if (e) {
        e->key |= newer;
        return false;
    }
    e = mem_cache_victim(c, at);
    bool written = e->key & MEM_LINE_DIRTY;
    e->key = at >> c->shift << 8 | MEM_LINE_HELD | newer;
    if (c->ways > 1) mem_cache_mark(c, e, mem_line_mark(at >> c->shift));
    to_front(c, e);
    return written;
}
