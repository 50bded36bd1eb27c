/* line: a line comes from memory, and takes its place at a level. In place, since most misses need
 * nothing else. Private to mem/access. */
#ifndef MEM_ACCESS_LINE_H
#define MEM_ACCESS_LINE_H

#include "mem/access/access.h"

/* One line from memory once it is free for this processor. */
static inline int64_t mem_read_line(struct mem_core *core, uint64_t model, int64_t now)
{
    struct mem_dram_port *port = &core->peer.port;
    bool queued = core->buffer.queued;
    if (queued) mem_buffer_advance(&core->buffer, now); /* a write that has begun goes on */
    uint64_t line = model >> core->node->domain.line_shift;
    int64_t begun = MAX(port->free, now), done = mem_dram_read(port, line, begun);
    /* Only writes that wait need to know, and later loads of a processor that does not: one that
     * does goes on when memory is done, or a hit's time before. */
    if (queued || core->cpu->flight) mem_dram_taken(port, begun, done);
    return done;
}

/* What will leave the level for this line goes to the one that is shared, if it was written. */
static inline void mem_out_soon(const struct mem_core *core, const struct mem_cache *c,
                                uint64_t model)
{
    const uint64_t set = (model >> c->shift) & c->set_mask;
    const struct mem_line *e = c->line + set * c->ways;
    if (c->ways > 1) e += mem_order_last(&c->order, set);
    if (e->key & MEM_LINE_DIRTY)
        mem_shared_level_soon(core->node->domain.shared, (e->key >> 8) << c->shift);
}

/* A line that is stored whole goes to memory without having been fetched. It has gone when? */
static inline int64_t mem_line_stored(struct mem_core *core, int64_t now)
{
    struct mem_domain *d = core->peer.domain;
    if (d->bus)
        return mem_bus_book(&core->peer, now, d->slot, UINT64_C(1) << d->line_shift) + d->slot;
    mem_dram_behind(&core->peer.port, now, d->line_time);
    return now;
}

/* May a level above hold a part of the line? That is looked at in place where the only one is
 * direct mapped. */
static inline bool mem_line_above(const struct mem_levels *l, const struct mem_cache *c,
                                  const struct mem_line *e)
{
    const struct mem_cache *above = l->first;
    if (above->next != c || above->ways > 1) return true;
    const uint32_t parts = c->shift - above->shift;
    const uint64_t first = e->key >> 8 << parts;
    for (uint64_t line = first; line < first + (UINT64_C(1) << parts); line++)
        if (mem_line_is(above->line + (line & above->set_mask), line << 8 | MEM_LINE_HELD))
            return true;
    return false;
}

static inline void mem_evict(struct mem_peer *peer, struct mem_cache *c, struct mem_line *e,
                             int64_t now)
{
    if (c == peer->levels.first)
        mem_filter_drop(peer->levels.filter, e->host);
    else if (mem_line_above(&peer->levels, c, e) &&
             mem_cache_drop_above(&peer->levels, c, e, MEM_DROP_EVICTED))
        e->key |= MEM_LINE_DIRTY;
    if (!c->next) {
        if (mem_line_matters(peer->domain, e)) mem_line_evict(peer, e, now);
    } else if (e->key & MEM_LINE_DIRTY) {
        c->count.write_backs++;
        mem_way_out_of_set(&c->way, e->key >> 8);
        mem_cache_below(c, e)->key |= MEM_LINE_DIRTY;
    }
}

/* below: where the next level has it; NULL: c is the last. */
static inline struct mem_line *mem_line_place(struct mem_peer *peer, struct mem_cache *c,
                                              const struct mem_line *below, uint64_t model,
                                              uintptr_t addr, enum coh_state state, int64_t now)
{
    const uint64_t set = (model >> c->shift) & c->set_mask;
    struct mem_line *e = c->line + set * c->ways;
    uint32_t way = 0;
    if (c->ways > 1) {
        const uint32_t last = mem_order_last(&c->order, set);
        way = mem_cache_victim(c, set, last, !mem_line_held(e + last));
        e += way;
    }
    c->used = MAX(c->used, set + 1);
    if (mem_line_held(e)) mem_evict(peer, c, e, now);
    e->key = (model >> c->shift) << 8 | MEM_LINE_HELD | state;
    e->host = (uint64_t)addr >> c->shift;
    if (c->below) c->below[e - c->line] = (uint32_t)(below - c->next->line);
    if (c->ways == 1) return e;
    mem_cache_mark(c, set, way, mem_line_mark(model >> c->shift));
    mem_cache_used(&peer->levels, c, e);
    return e;
}

/* The first level has not got a private line, but the next one has, `below`: it comes from there.
 * Complete when? */
static inline int64_t mem_line_from_next(struct mem_core *core, const struct mem_line *below,
                                         uintptr_t addr, uint64_t model, int64_t now)
{
    struct mem_cache *first = core->peer.levels.first, *next = first->next;
    next->count.loads++;
    if (next->ordered) mem_cache_used(&core->peer.levels, next, below);
    now = mem_way_into_set(&first->way, model, mem_way_gives(&next->way, model, now));
    mem_line_place(&core->peer, first, below, model, addr, COH_I, now);
    return now;
}

/* Private lines that this processor has not got: may it ask for them as far ahead as it is? */
static inline bool mem_owes_in_time(const struct mem_core *core, int64_t owed)
{
    const struct mem_domain *d = &core->node->domain;
    if (!mem_meets_others(d)) return MEM_LIKELY(!d->long_owed) || owed <= d->quantum;
    if (owed > d->quantum) return false;
    return !d->in_turn || owed <= 0 || d->in_turn <= core->cpu->ledger.clock + owed;
}
static inline bool mem_in_time_on_bus(const struct mem_core *core)
{
    return mem_owes_in_time(core, mem_owed(&core->cpu->ledger));
}

/* One that it may not ask for: can the rank just pay? A processor that nobody observes may be
 * further ahead, for all that this knows. */
static inline bool mem_pays_first(const struct mem_cpu *cpu)
{
    return !cpu->unobserved && mem_above.pay_first;
}

#endif
