/* way: from a cache level to the one above it: see way.h. */
#include "mem/cache/way.h"

void mem_way_init(struct mem_way *w, const struct mach *m, int level)
{
    enum { PAGE_BITS = 12 }; /* streams end at a page of 4 KiB */
    const struct mach_cache *c = &m->cache[level];
    const struct mem_prefetch *ahead = c->readahead ? mem_prefetch_find(m->prefetch_model) : NULL;
    w->hit = mem_cycles(c->hit_cycles);
    w->above = level > 0 ? mem_cycles(m->cache[level - 1].hit_cycles) : 0;
    w->busy = level > 0 ? mem_cycles(c->busy_cycles) : 0;
    w->shift = (uint32_t)g_bit_storage(c->line) - 1;
    w->set = mem_cycles(c->set_cycles);
    w->set_mask = c->size / c->line / (uint64_t)c->ways - 1;
    if (w->set) w->set_free = g_new0(int64_t, w->set_mask + 1);
    w->plain = !ahead && !w->busy && !w->set;
    mem_prefetch_init(&w->prefetch, ahead, (uint32_t)m->prefetch_streams,
                      (uint32_t)m->prefetch_depth, PAGE_BITS - w->shift);
}

void mem_way_clear(struct mem_way *w)
{
    mem_prefetch_clear(&w->prefetch);
    mem_resource_clear(&w->taken);
    g_free(w->set_free);
}

/* A line that is asked for at `now` has come through when? What was over so much before is
 * forgotten: dates of addresses lie that far apart where many misses follow on each other. */
static int64_t comes_through(struct mem_way *w, int64_t now)
{
    enum { APART = 4096 << MEM_TICK_BITS };
    w->taken.latest = MAX(w->taken.latest, now - APART);
    return mem_resource_book(&w->taken, now, w->busy, 0) + w->busy;
}

int64_t mem_way_of_hit(struct mem_way *w, uint64_t model, int64_t now)
{
    int64_t done = now + w->hit, there;
    if (mem_prefetch_read(&w->prefetch, model >> w->shift, now, w->hit, &there))
        done = MIN(done, MAX(there, now + w->above));
    if (!w->busy) return done;
    const int64_t through = comes_through(w, now);
    return MAX(done, through);
}

void mem_way_misses(struct mem_way *w, uint64_t model, int64_t now)
{
    int64_t there;
    mem_prefetch_read(&w->prefetch, model >> w->shift, now, w->hit, &there);
}
