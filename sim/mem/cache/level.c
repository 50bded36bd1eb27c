/* level: the arrays of one processor's caches: see level.h. */
#include "mem/cache/level.h"

static void cache_init(struct mem_cache *c, const struct mach_cache *m, int level, int processor)
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
    c->line = g_new(struct mem_line, lines);
    for (uint64_t i = 0; i < lines; i++) c->line[i] = MEM_LINE_NONE;
    if (c->ways > 1) c->order = g_new0(uint64_t, lines);
    if (c->ordered) c->recent = g_new0(uint32_t, sets);
    /* Every cache has its own sequence, the same on every run. */
    c->random.state = m->seed + (uint64_t)level * UINT64_C(0x632be59bd9b4e019) +
                      (uint64_t)processor * UINT64_C(0x8cb92ba72f3d8dd7);
}

void mem_levels_init(struct mem_levels *l, const struct mach *m, struct mem_filter *filter,
                     int processor)
{
    l->filter = filter;
    for (int k = 0; k < m->levels; k++) {
        g_assert(k == 0 || m->cache[k].line >= m->cache[k - 1].line); /* inclusion */
        cache_init(&l->level[k], &m->cache[k], k, processor);
        if (k > 0) l->level[k - 1].next = &l->level[k];
    }
    if (!m->levels) return;
    l->first = &l->level[0];
    l->last = &l->level[m->levels - 1];
    l->through = !l->first->write_back;
}

void mem_levels_clear(struct mem_levels *l)
{
    for (struct mem_cache *c = l->first; c; c = c->next) {
        g_free(c->line);
        g_free(c->order);
        g_free(c->recent);
    }
}

static inline uint64_t set_of(const struct mem_cache *c, const struct mem_line *e)
{
    return (e->key >> 8) & c->set_mask;
}

struct mem_line *mem_cache_victim(struct mem_cache *c, uint64_t model)
{
    uint64_t set = (model >> c->shift) & c->set_mask;
    struct mem_line *line = c->line + set * c->ways;
    for (uint32_t w = 0; w < c->ways; w++)
        if (line[w].key == MEM_LINE_EMPTY) return line + w;
    if (c->ways == 1) return line;
    struct mem_cache_set in_set = {c->order + set * c->ways, c->ways, ++c->now, &c->random};
    return line + c->replace->victim(&in_set);
}

/* Filter slots of every first-level line inside this line. */
static void drop_store_filters(const struct mem_levels *l, const struct mem_cache *c,
                               const struct mem_line *e)
{
    uint32_t shift = c->shift - l->filter->line_shift;
    for (uint64_t k = 0; k < UINT64_C(1) << shift; k++)
        mem_filter_drop_store(l->filter, (e->host << shift) + k);
}

void mem_cache_used(const struct mem_levels *l, struct mem_cache *c, struct mem_line *e,
                    bool filled)
{
    uint64_t set = set_of(c, e);
    uint32_t way = (uint32_t)(e - (c->line + set * c->ways));
    struct mem_cache_set in_set = {c->order + set * c->ways, c->ways, ++c->now, &c->random};
    if (c->ordered) {
        if (c->recent[set] != way) {
            const struct mem_line *before = c->line + set * c->ways + c->recent[set];
            if (before->key != MEM_LINE_EMPTY) {
                if (c == l->first)
                    mem_filter_drop(l->filter, before->host);
                else if (l->through)
                    drop_store_filters(l, c, before);
            }
            c->recent[set] = way;
        } else if (!filled) {
            return; /* most recent already */
        }
    }
    if (filled)
        c->replace->filled(&in_set, way);
    else
        c->replace->used(&in_set, way);
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
            *x = MEM_LINE_NONE;
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
