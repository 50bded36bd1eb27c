/* cache: the arrays of one processor's caches, and the fast filters in front of them.
 *
 * A level is sets of ways; a line record keeps its model line (tag), its host line (to find filter
 * slots and bytes) and its state. A line is in a filter only while an access to it changes nothing:
 * it is in the first level, and, where hits count for replacement, the most recent of its set at
 * every level the access would touch.
 */
#include "core.h"

void mem_cache_init(struct mem_cache *c, const struct mach_cache *m, int level, int64_t hit,
                    int cpu)
{
    uint64_t lines = m->size / m->line, sets = lines / (uint64_t)m->ways;
    g_assert(sets && (sets & (sets - 1)) == 0 && (m->line & (m->line - 1)) == 0 &&
             m->line <= MEM_PAGE_BYTES);
    c->replace = mem_replace_find(m->replace);
    g_assert(c->replace);
    c->level = level;
    c->ways = (uint32_t)m->ways;
    c->set_mask = sets - 1;
    c->shift = (uint32_t)g_bit_storage(m->line) - 1;
    c->write_back = strcmp(m->write, "back") == 0;
    c->allocate_write = strcmp(m->allocate, "both") == 0;
    c->ordered = c->ways > 1 && c->replace->hit_counts;
    c->hit = hit;
    c->line = g_new(struct mem_line, lines);
    for (uint64_t i = 0; i < lines; i++) c->line[i] = MEM_LINE_NONE;
    if (c->ways > 1) c->order = g_new0(uint64_t, lines);
    if (c->ordered) c->recent = g_new0(uint32_t, sets);
    /* Every cache has its own sequence, the same on every run. */
    c->random.state = m->seed + (uint64_t)level * UINT64_C(0x632be59bd9b4e019) +
                      (uint64_t)cpu * UINT64_C(0x8cb92ba72f3d8dd7);
}

void mem_cache_clear(struct mem_cache *c)
{
    g_free(c->line);
    g_free(c->order);
    g_free(c->recent);
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
    struct mem_ways ways = {c->order + set * c->ways, c->ways, ++c->now, &c->random};
    return line + c->replace->victim(&ways);
}

/* Filter slots of every first-level line inside this line. */
static void drop_store_filters(struct mem_core *core, const struct mem_cache *c,
                               const struct mem_line *e)
{
    uint32_t shift = c->shift - core->cpu->line_shift;
    for (uint64_t k = 0; k < UINT64_C(1) << shift; k++)
        mem_filter_drop_store(core->cpu, (e->host << shift) + k);
}

void mem_cache_used(struct mem_core *core, struct mem_cache *c, struct mem_line *e, bool filled)
{
    uint64_t set = set_of(c, e);
    uint32_t way = (uint32_t)(e - (c->line + set * c->ways));
    struct mem_ways ways = {c->order + set * c->ways, c->ways, ++c->now, &c->random};
    if (c->ordered) {
        if (c->recent[set] != way) {
            const struct mem_line *before = c->line + set * c->ways + c->recent[set];
            if (before->key != MEM_LINE_EMPTY) {
                if (c->level == 0)
                    mem_filter_drop(core->cpu, before->host);
                else if (core->through)
                    drop_store_filters(core, c, before);
            }
            c->recent[set] = way;
        } else if (!filled) {
            return; /* most recent already */
        }
    }
    if (filled)
        c->replace->filled(&ways, way);
    else
        c->replace->used(&ways, way);
}

/* ---- lines that go --------------------------------------------------------------------------- */

static void count_drop(struct mem_cache *c, enum mem_drop why)
{
    switch (why) {
    case MEM_DROP_EVICTED: break;
    case MEM_DROP_KILLED: c->count.invalidations++; break;
    case MEM_DROP_FLUSHED: c->count.flushed_lines++; break;
    }
}

bool mem_cache_drop_above(struct mem_core *core, struct mem_cache *c, const struct mem_line *e,
                          enum mem_drop why)
{
    bool newer = false;
    for (int level = 0; level < c->level; level++) {
        struct mem_cache *above = &core->cache[level];
        uint64_t first = (e->key >> 8) << c->shift, step = UINT64_C(1) << above->shift;
        for (uint64_t model = first; model < first + (UINT64_C(1) << c->shift); model += step) {
            struct mem_line *x = mem_cache_find(above, model);
            if (!x) continue;
            if (level == 0) mem_filter_drop(core->cpu, x->host);
            if (x->key & MEM_LINE_DIRTY) {
                newer = true;
                above->count.write_backs++;
            }
            *x = MEM_LINE_NONE;
            count_drop(above, why);
        }
    }
    return newer;
}

void mem_cache_drop_line(struct mem_core *core, struct mem_line *e, enum mem_drop why,
                         bool supplied)
{
    struct mem_cache *last = &core->cache[core->levels - 1];
    if (core->levels == 1)
        mem_filter_drop(core->cpu, e->host);
    else
        mem_cache_drop_above(core, last, e, why);
    if (!supplied) mem_evict_last(core, e);
    *e = MEM_LINE_NONE;
    count_drop(last, why);
}

void mem_cache_clean_above(struct mem_core *core, struct mem_line *e)
{
    struct mem_cache *last = &core->cache[core->levels - 1];
    for (uint32_t level = 0; level + 1 < core->levels; level++) {
        struct mem_cache *above = &core->cache[level];
        uint64_t first = (e->key >> 8) << last->shift, step = UINT64_C(1) << above->shift;
        for (uint64_t model = first; model < first + (UINT64_C(1) << last->shift); model += step) {
            struct mem_line *x = mem_cache_find(above, model);
            if (x && x->key & MEM_LINE_DIRTY) {
                above->count.write_backs++;
                x->key &= ~(uint64_t)MEM_LINE_DIRTY;
            }
        }
    }
    drop_store_filters(core, last, e);
    e->key &= ~(uint64_t)MEM_LINE_DIRTY;
}

void mem_filters_clear(struct mem_cpu *cpu)
{
    memset(cpu->load_ok, 0xff, sizeof cpu->load_ok);
    memset(cpu->store_ok, 0xff, sizeof cpu->store_ok);
    mem_near_clear(cpu);
}
