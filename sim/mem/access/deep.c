/* deep: a private line that a load finds neither in the first level nor in the next one. It is in
 * no other processor, so that nobody is asked: what walk.c says of such a line, in one go (the unit
 * suite mem_fast compares them). */
#include "mem/access/deep.h"

static inline void missed(struct mem_core *core, int level)
{
    core->cpu->missed.level[MIN(level, MEM_MISSED - 1)]++;
}

int64_t mem_behind_last(struct mem_core *core, uint64_t model, int64_t now)
{
    const struct mem_domain *d = core->peer.domain;
    if (!d->shared) return mem_from_memory(core, model, now);
    mem_out_soon(core, core->peer.levels.last, model);
    return mem_from_shared(core, model, now);
}

/* Level c, that of this number, has not got it, either: it comes there. */
static struct mem_line *comes(struct mem_core *core, struct mem_cache *c, int level, uintptr_t addr,
                              uint64_t model, int64_t *now)
{
    const struct mem_domain *d = core->peer.domain;
    struct mem_cache *next = c->next;
    missed(core, level);
    c->count.loads++;
    c->count.load_misses++;
    if (!next) {
        *now = mem_behind_last(core, model, *now);
        return mem_line_place(&core->peer, c, NULL, model, addr, mem_loaded_state(d), *now);
    }
    struct mem_line *below = mem_cache_find_further(next, model);
    if (below) {
        next->count.loads++;
        *now = mem_way_gives(&next->way, model, *now);
        if (next->ordered) mem_cache_used(&core->peer.levels, next, below);
    } else {
        mem_way_misses(&next->way, model, *now);
        below = comes(core, next, level + 1, addr, model, now);
    }
    return mem_line_place(&core->peer, c, below, model, addr, COH_I, *now);
}

int64_t mem_deep_load(struct mem_core *core, uintptr_t addr, uint64_t model, int64_t now)
{
    struct mem_cache *first = core->peer.levels.first;
    missed(core, 0);
    const struct mem_line *below = comes(core, first->next, 1, addr, model, &now);
    now = mem_way_into_set(&first->way, model, now);
    mem_line_place(&core->peer, first, below, model, addr, COH_I, now);
    return now;
}
