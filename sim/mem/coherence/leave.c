/* leave: lines of the last level that go: evicted, killed, flushed or written back. */
#include "mem/coherence/coherence.h"

static bool newer_than_memory(const struct mem_domain *d, const struct mem_line *e)
{
    if (!d->coherent) return mem_line_state(e) == COH_M;
    return coh_step(d->protocol, mem_line_state(e), COH_EVICT).actions & COH_WRITE_BACK;
}

void mem_line_out_of_shared(struct mem_peer *peer, int64_t now)
{
    peer->levels.below.write_backs++;
    mem_line_to_memory(peer, now);
}

void mem_line_to_shared(struct mem_peer *peer, uint64_t model, bool dirty, int64_t now)
{
    if (mem_shared_level_fill(peer->domain->shared, model, dirty))
        mem_line_out_of_shared(peer, now);
}

void mem_line_write_back(struct mem_peer *peer, const struct mem_line *e, int64_t now)
{
    struct mem_domain *d = peer->domain;
    if (!newer_than_memory(d, e)) return;
    uint64_t bytes = UINT64_C(1) << d->line_shift;
    peer->levels.last->count.write_backs++;
    if (d->shared)
        mem_line_to_shared(peer, (e->key >> 8) << d->line_shift, true, now);
    else
        mem_line_to_memory(peer, now);
    if (!d->coherent)
        d->events->written_back(peer->who, (uintptr_t)(e->host << d->line_shift), bytes, now);
}

void mem_line_evict(struct mem_peer *peer, struct mem_line *e, int64_t now)
{
    struct mem_domain *d = peer->domain;
    uintptr_t addr = (uintptr_t)(e->host << d->line_shift);
    mem_line_write_back(peer, e, now);
    if (e->key & MEM_LINE_BEHIND) d->events->dropped(peer->who, addr, UINT64_C(1) << d->line_shift);
    if (!d->directory->len) return;
    uint64_t where = mem_page_where(&peer->pages, addr);
    if (where & MEM_PAGE_SHARED) mem_sharer_clear(peer, where, (e->key >> 8) << d->line_shift);
}

void mem_line_drop(struct mem_peer *peer, struct mem_line *e, enum mem_drop why, bool supplied,
                   int64_t now)
{
    struct mem_levels *l = &peer->levels;
    if (l->first == l->last)
        mem_filter_drop(l->filter, e->host);
    else
        mem_cache_drop_above(l, l->last, e, why);
    if (!supplied) mem_line_evict(peer, e, now);
    mem_cache_empty(l->last, e);
    mem_cache_count_drop(l->last, why);
}
