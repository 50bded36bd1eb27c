/* run: what the two files of an agent's long ranges share: run.c has the loads, run_store.c the
 * stores. Private to mem/access. */
#ifndef MEM_ACCESS_RUN_H
#define MEM_ACCESS_RUN_H

#include "mem/access/flying.h"
#include "mem/access/line.h"

/* A page, and what an agent's access to its lines is. */
struct run_page {
    uint64_t where;
    bool simple, segment; /* all of it, or nothing */
    bool stale;           /* what a cache has of it may be older than memory */
    uint64_t *sharers;    /* of its lines; NULL: nobody knows of any */
};

/* May another processor hold the line? */
static inline bool others_hold(const struct mem_core *core, const struct run_page *p,
                               uintptr_t addr)
{
    const struct mem_peer *peer = &core->peer;
    if (!p->sharers) return false;
    uint64_t sharers = p->sharers[(addr & (MEM_PAGE_BYTES - 1)) >> peer->domain->line_shift];
    return sharers & ~(UINT64_C(1) << (peer->index & 63)) ||
           (sharers && peer->domain->processors > 64);
}

static inline bool has(const struct mem_cache *c, const struct mem_line *e, uint64_t model)
{
    return mem_line_is(e, model >> c->shift << 8 | MEM_LINE_HELD);
}

/* By the one path. */
static inline void play_one(struct mem_core *core, enum mem_kind kind, const struct run_page *p,
                            uintptr_t addr, uint64_t bytes)
{
    mem_play_line(core, kind, NULL, addr, bytes, p->where, 0);
    mem_play_further(core, kind, NULL, mem_further_words(bytes));
}

/* ---- lines that come, to be loaded or to be stored to (`own`) -------------------------------- */

/* The last level has not got the line, nor has anybody else: from memory. Complete when? */
static inline int64_t from_memory(struct mem_core *core, struct run_page *p, uintptr_t addr,
                                  uint64_t model, int64_t now, bool own, enum coh_state *state)
{
    struct mem_domain *d = core->peer.domain;
    const enum coh_event event = own ? COH_STORE : COH_LOAD;
    *state = d->coherent ? coh_step(d->protocol, COH_I, event).next : COH_S;
    if (d->coherent && p->where & MEM_PAGE_SHARED) {
        mem_sharer_set(&core->peer, p->where, model);
        if (!p->sharers)
            p->sharers = mem_sharers(d, p->where, model & ~(uint64_t)(MEM_PAGE_BYTES - 1));
    }
    if (d->bus) {
        const int64_t begun = mem_in_flight_until(d, p->where, model, now);
        now = mem_bus_book(&core->peer, begun, d->slot, UINT64_C(1) << d->line_shift);
        int64_t done = mem_dram_read(&core->peer.port, model >> d->line_shift, now);
        done = MAX(done, now + d->slot);
        if (own) mem_in_flight_set(&core->peer, p->where, model, begun, done);
        return done;
    }
    int64_t done = mem_read_line(core, model, now);
    if (p->stale)
        d->events->filled(core->peer.who, addr >> d->line_shift << d->line_shift,
                          UINT64_C(1) << d->line_shift);
    return done;
}

/* The first level has not got the line. Complete when? filled: it came from memory. */
static inline __attribute__((always_inline)) int64_t come(struct mem_core *core, struct run_page *p,
                                                          uintptr_t addr, uint64_t model,
                                                          int64_t now, bool two, bool own,
                                                          bool *filled)
{
    struct mem_peer *peer = &core->peer;
    struct mem_cache *first = peer->levels.first, *next = two ? first->next : NULL;
    const struct mem_line *below = NULL;
    enum coh_state state = COH_I;
    if (two) {
        *(own ? &next->count.stores : &next->count.loads) += 1;
        below = mem_cache_slot(next, model);
        if (has(next, below, model)) {
            now = mem_way_gives(&next->way, model, now);
            mem_line_place(peer, first, below, model, addr, COH_I, now);
            return now;
        }
        *(own ? &next->count.store_misses : &next->count.load_misses) += 1;
        mem_way_misses(&next->way, model, now);
        core->cpu->missed.level[1]++;
    }
    now = from_memory(core, p, addr, model, now, own, &state);
    *filled = true;
    if (two) {
        mem_line_place(peer, next, NULL, model, addr, state, now);
        state = COH_I;
    }
    mem_line_place(peer, first, below, model, addr, state, now);
    return now;
}

/* ---- run_store.c ----------------------------------------------------------------------------- */

/* Stores of a page, line by line. */
void mem_run_stores(struct mem_core *core, struct run_page *p, uintptr_t addr, uintptr_t end);

#endif
