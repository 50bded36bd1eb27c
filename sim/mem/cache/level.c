/* level: the arrays of one processor's caches: see level.h. */
#include "mem/cache/level.h"
#include "mem/zeroed/zeroed.h"

void mem_cache_init(struct mem_cache *c, const struct mach_cache *m, int level, int processor)
{
    uint64_t lines = m->size / m->line, sets = lines / (uint64_t)m->ways;
    enum { PAGE = 4096 }; /* lines do not cross pages */
    g_assert(sets && (sets & (sets - 1)) == 0 && (m->line & (m->line - 1)) == 0 && m->line <= PAGE);
    c->replace = mem_replace_find(m->replace);
    g_assert(c->replace);
    c->ways = (uint32_t)m->ways;
    c->set_mask = sets - 1;
    c->shift = (uint32_t)g_bit_storage(m->line) - 1;
    c->write_back = strcmp(m->write, "back") == 0;
    c->allocate_write = strcmp(m->allocate, "both") == 0;
    c->ordered = c->ways > 1 && c->replace->hit_counts;
    c->hit = mem_cycles(m->hit_cycles);
    if (c->ways > 1) {
        mem_order_init(&c->order, sets, c->ways);
        c->words = (c->ways + 7) / 8;
        c->mark = mem_zeroed(sets * c->words * sizeof *c->mark);
    }
    /* Every cache has its own sequence, the same on every run. */
    c->random.state = m->seed + (uint64_t)level * UINT64_C(0x632be59bd9b4e019) +
                      (uint64_t)processor * UINT64_C(0x8cb92ba72f3d8dd7);
}

void mem_cache_free(struct mem_cache *c)
{
    const uint64_t lines = (c->set_mask + 1) * c->ways;
    mem_zeroed_free(c->line, lines * sizeof *c->line);
    if (c->below) mem_zeroed_free(c->below, lines * sizeof *c->below);
    if (c->mark) mem_zeroed_free(c->mark, (c->set_mask + 1) * c->words * sizeof *c->mark);
    mem_order_clear(&c->order);
}

void mem_levels_init(struct mem_levels *l, const struct mach *m, int own, struct mem_filter *filter,
                     int processor)
{
    l->filter = filter;
    l->levels = m->levels;
    for (int k = 0; k < own; k++) {
        g_assert(k == 0 || m->cache[k].line >= m->cache[k - 1].line); /* inclusion */
        mem_cache_init(&l->level[k], &m->cache[k], k, processor);
        const uint64_t lines = m->cache[k].size / m->cache[k].line;
        l->level[k].line = mem_zeroed(lines * sizeof *l->level[k].line);
        if (k + 1 < own && l->level[k].write_back)
            l->level[k].below = mem_zeroed(lines * sizeof *l->level[k].below);
        mem_way_init(&l->level[k].way, m, k);
        if (k > 0) l->level[k - 1].next = &l->level[k];
    }
    if (own < m->levels) mem_way_init(&l->way_below, m, own);
    if (!own) return;
    l->first = &l->level[0];
    l->last = &l->level[own - 1];
    l->through = !l->first->write_back;
}

void mem_levels_clear(struct mem_levels *l)
{
    for (struct mem_cache *c = l->first; c; c = c->next) {
        mem_way_clear(&c->way);
        mem_cache_free(c);
    }
    mem_way_clear(&l->way_below);
}

static inline uint64_t set_of(const struct mem_cache *c, const struct mem_line *e)
{
    return (e->key >> 8) & c->set_mask;
}

struct mem_line *mem_cache_search_marks(const struct mem_cache *c, uint64_t set, uint64_t want)
{
    const uint64_t mark = mem_line_mark(want >> 8);
    const uint64_t *word = c->mark + set * c->words;
    struct mem_line *e = c->line + set * c->ways;
    for (uint32_t i = 0; i < c->words; i++) {
        for (uint64_t at = mem_marks_like(word[i], mark); at; at &= at - 1) {
            struct mem_line *found = &e[8 * i + (uint32_t)__builtin_ctzll(at) / 8];
            if (mem_line_is(found, want)) return found;
        }
    }
    return NULL;
}

void mem_cache_empty(struct mem_cache *c, struct mem_line *e)
{
    if (c->ways > 1) {
        uint64_t set = set_of(c, e);
        uint32_t way = (uint32_t)(e - (c->line + set * c->ways));
        mem_order_to_back(&c->order, set, way);
        mem_cache_mark(c, set, way, 0);
    }
    *e = (struct mem_line){0};
}

/* Filter slots of every first-level line inside this line. */
static __attribute__((noinline)) void
drop_store_filters(const struct mem_levels *l, const struct mem_cache *c, const struct mem_line *e)
{
    uint32_t shift = c->shift - l->filter->line_shift;
    for (uint64_t k = 0; k < UINT64_C(1) << shift; k++)
        mem_filter_drop_store(l->filter, (e->host << shift) + k);
}

void mem_cache_to_front(const struct mem_levels *l, struct mem_cache *c, uint64_t set,
                        const struct mem_line *e)
{
    const struct mem_line *line = c->line + set * c->ways;
    if (c->ordered) {
        const struct mem_line *before = line + mem_order_first(&c->order, set);
        if (c != l->first) {
            if (l->through && before != e && mem_line_held(before))
                drop_store_filters(l, c, before);
        } else if (before != e) {
            mem_filter_drop(l->filter, before->host);
        }
    }
    mem_order_to_front(&c->order, set, (uint32_t)(e - line));
}

struct mem_line *mem_cache_use(const struct mem_levels *l, struct mem_cache *c, uint64_t model,
                               uint64_t flags)
{
    const uint64_t line = model >> c->shift, want = line << 8 | MEM_LINE_HELD;
    struct mem_line *e;
    if (c->words == 1)
        e = mem_cache_search_marks(c, line & c->set_mask, want);
    else
        e = mem_cache_find(c, model);
    if (!e || (e->key & flags) != flags) return NULL;
    if (c->ordered) mem_cache_used(l, c, e);
    return e;
}

/* ---- lines that go --------------------------------------------------------------------------- */

void mem_cache_count_drop(struct mem_cache *c, enum mem_drop why)
{
    switch (why) {
    case MEM_DROP_EVICTED: break;
    case MEM_DROP_KILLED: c->count.invalidations++; break;
    case MEM_DROP_FLUSHED: c->count.flushed_lines++; break;
    }
}

bool mem_cache_drop_above(const struct mem_levels *l, const struct mem_cache *c,
                          const struct mem_line *e, enum mem_drop why)
{
    bool newer = false;
    for (struct mem_cache *above = l->first; above != c; above = above->next) {
        uint64_t first = (e->key >> 8) << c->shift, step = UINT64_C(1) << above->shift;
        for (uint64_t model = first; model < first + (UINT64_C(1) << c->shift); model += step) {
            struct mem_line *x = mem_cache_find(above, model);
            if (!x) continue;
            if (above == l->first) mem_filter_drop(l->filter, x->host);
            if (x->key & MEM_LINE_DIRTY) {
                newer = true;
                above->count.write_backs++;
            }
            mem_cache_empty(above, x);
            mem_cache_count_drop(above, why);
        }
    }
    return newer;
}

void mem_cache_clean(const struct mem_levels *l, struct mem_line *e)
{
    for (struct mem_cache *above = l->first; above != l->last; above = above->next) {
        uint64_t first = (e->key >> 8) << l->last->shift, step = UINT64_C(1) << above->shift;
        for (uint64_t model = first; model < first + (UINT64_C(1) << l->last->shift);
             model += step) {
            struct mem_line *x = mem_cache_find(above, model);
            if (x && x->key & MEM_LINE_DIRTY) {
                above->count.write_backs++;
                x->key &= ~(uint64_t)MEM_LINE_DIRTY;
            }
        }
    }
    drop_store_filters(l, l->last, e);
    e->key &= ~(uint64_t)MEM_LINE_DIRTY;
}
