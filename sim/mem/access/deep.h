/* deep: where a line comes from that none of a processor's own levels has, of a private page, and
 * where one goes that leaves the last of them. In place, since most misses need nothing else.
 * Private to mem/access. */
#ifndef MEM_ACCESS_DEEP_H
#define MEM_ACCESS_DEEP_H

#include "mem/access/line.h"

static inline int64_t mem_from_memory(struct mem_core *core, uint64_t model, int64_t now)
{
    struct mem_domain *d = core->peer.domain;
    if (!d->bus) return mem_read_line(core, model, now);
    now = mem_bus_book(&core->peer, now, d->slot, UINT64_C(1) << d->line_shift);
    const int64_t done = mem_dram_read(&core->peer.port, model >> d->line_shift, now);
    return MAX(done, now + d->slot);
}

static inline int64_t mem_from_shared(struct mem_core *core, uint64_t model, int64_t now)
{
    struct mem_levels *l = &core->peer.levels;
    bool written;
    l->below.loads++;
    if (mem_shared_level_load(core->peer.domain->shared, model, &written))
        return mem_way_gives(&l->way_below, model, now);
    l->below.load_misses++;
    mem_way_misses(&l->way_below, model, now);
    now = mem_from_memory(core, model, now);
    if (written) mem_line_out_of_shared(&core->peer, now);
    return now;
}

/* A line of the last level, which no level above has, goes at `now`: what nobody else may know of
 * goes to memory, or the shared level, if it was written. */
static inline void mem_line_goes(struct mem_core *core, struct mem_line *e, int64_t now)
{
    struct mem_peer *peer = &core->peer;
    const struct mem_domain *d = peer->domain;
    if (MEM_UNLIKELY(!d->coherent || d->directory->len)) {
        if (mem_line_matters(d, e)) mem_line_evict(peer, e, now);
        return;
    }
    if (!(coh_step(d->protocol, mem_line_state(e), COH_EVICT).actions & COH_WRITE_BACK)) return;
    peer->levels.last->count.write_backs++;
    if (!d->shared)
        mem_line_to_memory(peer, now);
    else if (mem_shared_level_fill(d->shared, (e->key >> 8) << d->line_shift, true))
        mem_line_out_of_shared(peer, now);
}

#endif
