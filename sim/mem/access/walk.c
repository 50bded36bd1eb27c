/* walk: one access goes through the levels of its processor, from the first to memory; returns when
 * it is complete.
 *
 * A load is answered by the first level that has the line, and costs what that level takes in all;
 * every level it missed gets the line. A store goes on through write-through levels until a
 * write-back level keeps it; if none does, it goes to memory (through.c). Before a level keeps a
 * store, the last level must hold the line as M. When the processor goes on is not decided here
 * (flying.h). Left out: victim buffers' forwarding.
 */
#include "mem/access/line.h"

/* ---- a line comes from outside the processor ------------------------------------------------- */

/* The state in which the protocol wants the line, after asking the others. */
static enum coh_state ask(const struct mem_peer *peer, struct mem_access *a, int64_t now,
                          unsigned *answered)
{
    const struct mem_domain *d = peer->domain;
    bool held = mem_line_shared(d, peer, a->where, a->model);
    struct coh_step step = coh_step(d->protocol, COH_I,
                                    a->own ? COH_STORE
                                    : held ? COH_LOAD_SHARED
                                           : COH_LOAD);
    g_assert(!(step.actions & COH_ILLEGAL));
    if (held)
        *answered = mem_snoop(d, peer, a->where, a->model,
                              step.actions & COH_BUS_READ ? COH_SNOOP_READ : COH_SNOOP_OWN, now);
    a->moved = held && (a->own || *answered & (COH_SUPPLY | COH_WRITE_BACK));
    mem_sharer_set(peer, a->where, a->model);
    return step.next;
}

static bool from_pool(const struct mem_node *node, const struct mem_access *a)
{
    return node->pool && (a->segment || a->where & MEM_PAGE_POOL);
}

static int64_t pool_line(struct mem_core *core, int64_t now)
{
    struct mem_node *node = core->node;
    core->elsewhere++;
    node->pool_accesses++;
    node->pool_bytes += UINT64_C(1) << node->domain.line_shift;
    now = MAX(now, core->pool_free);
    core->pool_free = now + node->pool_line;
    return now + node->pool;
}

static int64_t from_memory(struct mem_core *core, const struct mem_access *a, int64_t now)
{
    struct mem_domain *d = core->peer.domain;
    struct mem_dram_port *port = &core->peer.port;
    bool pool = from_pool(core->node, a);
    if (!d->bus) return pool ? pool_line(core, now) : mem_read_line(core, a->model, now);
    now = mem_bus_book(&core->peer, now, d->slot, UINT64_C(1) << d->line_shift);
    int64_t done =
        pool ? pool_line(core, now) : mem_dram_read(port, a->model >> d->line_shift, now);
    return MAX(done, now + d->slot);
}

static int64_t fetch_by_bus(struct mem_core *core, const struct mem_access *a, unsigned answered,
                            int64_t asked)
{
    struct mem_domain *d = core->peer.domain;
    uint64_t line = UINT64_C(1) << d->line_shift;
    const int64_t begun = mem_in_flight_until(d, a->where, a->model, asked);
    int64_t now = begun, done;
    /* A protocol that does not supply writes the line back first; the asker then reads memory. */
    if (answered & COH_WRITE_BACK && !(answered & COH_SUPPLY))
        now = mem_bus_book(&core->peer, now, d->slot, line) + d->slot;
    if (answered & COH_SUPPLY && d->cache_to_cache)
        done = mem_bus_book(&core->peer, now, d->slot, line) + MAX(d->cache_to_cache, d->slot);
    else
        done = from_memory(core, a, now);
    if (a->own) mem_in_flight_set(&core->peer, a->where, a->model, begun, done);
    return done;
}

/* Newer bytes of another processor are in the shared level as soon as they are here. */
static int64_t fetch_by_shared(struct mem_core *core, const struct mem_access *a, unsigned answered,
                               int64_t asked)
{
    struct mem_domain *d = core->peer.domain;
    struct mem_cache_count *count = &core->peer.levels.below;
    const int64_t now = d->coherent ? mem_in_flight_until(d, a->where, a->model, asked) : asked;
    int64_t done;
    if (answered & COH_WRITE_BACK) mem_line_to_shared(&core->peer, a->model, true, now);
    if (answered & COH_SUPPLY && d->cache_to_cache) {
        done = now + d->cache_to_cache;
    } else {
        *(a->own ? &count->stores : &count->loads) += 1;
        if (mem_shared_level_hit(d->shared, a->model)) {
            done = mem_way_gives(&core->peer.levels.way_below, a->model, now);
        } else {
            *(a->own ? &count->store_misses : &count->load_misses) += 1;
            mem_way_misses(&core->peer.levels.way_below, a->model, now);
            done = from_memory(core, a, now);
            mem_line_to_shared(&core->peer, a->model, false, done);
        }
    }
    if (a->own && d->coherent) mem_in_flight_set(&core->peer, a->where, a->model, now, done);
    return done;
}

static int64_t fetch(struct mem_core *core, struct mem_access *a, int64_t now,
                     enum coh_state *state)
{
    const struct mem_domain *d = core->peer.domain;
    unsigned answered = 0;
    int64_t done;
    *state = d->coherent ? ask(&core->peer, a, now, &answered) : a->own ? COH_M : COH_S;
    a->filled = true;
    if (d->shared)
        done = fetch_by_shared(core, a, answered, now);
    else if (d->bus)
        done = fetch_by_bus(core, a, answered, now);
    else if (answered & COH_SUPPLY && d->cache_to_cache)
        done = now + d->cache_to_cache;
    else
        done = from_memory(core, a, now);
    if (a->segment && !d->coherent)
        d->events->filled(core->peer.who, a->addr >> d->line_shift << d->line_shift,
                          UINT64_C(1) << d->line_shift);
    return done;
}

static inline void missed(struct mem_core *core, int level)
{
    core->cpu->missed.level[MIN(level, MEM_MISSED - 1)]++;
}

struct mem_line *mem_walk_miss(struct mem_core *core, struct mem_cache *c, int level,
                               struct mem_access *a, int64_t *now)
{
    struct mem_cache *next = c->next;
    enum coh_state state = COH_I;
    missed(core, level);
    if (!next) {
        if (core->node->domain.shared) mem_out_soon(core, c, a->model);
        *now = mem_way_into_set(&c->way, a->model, fetch(core, a, *now, &state));
        return mem_line_place(&core->peer, c, NULL, a->model, a->addr, state, *now);
    }
    struct mem_line *e = mem_cache_find(next, a->model);
    *(a->own ? &next->count.stores : &next->count.loads) += 1;
    if (e) {
        *now = mem_way_gives(&next->way, a->model, *now);
        if (next->ordered) mem_cache_used(&core->peer.levels, next, e);
    } else {
        *(a->own ? &next->count.store_misses : &next->count.load_misses) += 1;
        mem_way_misses(&next->way, a->model, *now);
        e = mem_walk_miss(core, next, level + 1, a, now);
    }
    *now = mem_way_into_set(&c->way, a->model, *now);
    return mem_line_place(&core->peer, c, e, a->model, a->addr, COH_I, *now);
}

/* The last level holds the line: it is M there now, after a step of which somebody may be told. */
static inline struct coh_step to_own(const struct mem_domain *d, const struct mem_line *e)
{
    enum coh_state state = mem_line_state(e);
    if (state == COH_M || !d->coherent) return (struct coh_step){.next = COH_M};
    struct coh_step step = coh_step(d->protocol, state, COH_STORE);
    g_assert(!(step.actions & COH_ILLEGAL));
    return step;
}
static inline void owned(struct mem_line *e, enum coh_state state)
{
    e->key = (e->key & ~(uint64_t)MEM_LINE_STATE) | state | MEM_LINE_DIRTY;
}

bool mem_own_unasked(const struct mem_core *core, const struct mem_cache *c, struct mem_line *e)
{
    for (; c->next; c = c->next) e = mem_cache_below(c, e);
    struct coh_step step = to_own(core->peer.domain, e);
    if (step.actions & (COH_BUS_UPGRADE | COH_BUS_OWN)) return false;
    owned(e, step.next);
    return true;
}

static int64_t own(struct mem_core *core, struct mem_access *a, int64_t now)
{
    struct mem_domain *d = core->peer.domain;
    struct mem_line *e = mem_cache_find(core->peer.levels.last, a->model);
    struct coh_step step = to_own(d, e);
    int64_t done = now;
    if (step.actions & (COH_BUS_UPGRADE | COH_BUS_OWN)) {
        done = now = mem_in_flight_until(d, a->where, a->model, now);
        if (d->bus) done = mem_bus_book(&core->peer, now, d->address_slot, 0);
        done += d->address_slot;
        a->moved = a->moved || mem_line_shared(d, &core->peer, a->where, a->model);
        mem_snoop(d, &core->peer, a->where, a->model, COH_SNOOP_OWN, now);
        mem_in_flight_set(&core->peer, a->where, a->model, now, done);
    }
    owned(e, step.next);
    return done;
}

/* ---- the walks ------------------------------------------------------------------------------- */

/* A page's translation is fetched; one that goes for it takes what the shortcuts know along. */
static __attribute__((noinline)) int64_t fetch_page(struct mem_core *core, uint64_t model,
                                                    int64_t now)
{
    struct mem_tlb *tlb = &core->peer.tlb;
    if (mem_tlb_has(tlb, model)) return now;
    core->cpu->missed.pages++;
    if (mem_tlb_fetch(tlb, model)) {
        mem_filter_clear(&core->cpu->filter);
        mem_near_clear(core);
        core->buffer.newest = &core->buffer.none;
    }
    return mem_tlb_comes(tlb, model, now);
}

int64_t mem_walk_load(struct mem_core *core, struct mem_access *a, int64_t now)
{
    if (MEM_UNLIKELY(core->peer.tlb.entries)) now = fetch_page(core, a->model, now);
    struct mem_cache *c = core->peer.levels.first;
    enum coh_state state;
    if (MEM_UNLIKELY(!c)) return fetch(core, a, now, &state);
    struct mem_line *e = mem_cache_find(c, a->model);
    c->count.loads++;
    if (e) {
        if (c->ordered) mem_cache_used(&core->peer.levels, c, e);
        return now + c->hit;
    }
    c->count.load_misses++;
    mem_walk_miss(core, c, 0, a, &now);
    return now;
}

int64_t mem_walk_store(struct mem_core *core, struct mem_access *a, int64_t now)
{
    if (MEM_UNLIKELY(core->peer.tlb.entries)) now = fetch_page(core, a->model, now);
    struct mem_cache *first = core->peer.levels.first;
    int level = 0;
    for (struct mem_cache *c = first; c; c = c->next, level++) {
        struct mem_line *e = mem_cache_find(c, a->model);
        bool hit = e != NULL;
        c->count.stores++;
        if (hit) {
            if (c->ordered) mem_cache_used(&core->peer.levels, c, e);
        } else {
            c->count.store_misses++;
            if (!c->allocate_write) {
                missed(core, level);
                continue;
            }
            if (MEM_UNLIKELY(core->block_to) && !c->next && level > 0 &&
                mem_store_block(core, a, &now)) {
                missed(core, level);
                core->elsewhere++;
                a->kept = c; /* nothing is left to store */
                return now;
            }
            a->own = c->write_back;
            e = mem_walk_miss(core, c, level, a, &now);
        }
        if (!c->write_back) continue;
        if (!(e->key & MEM_LINE_DIRTY)) {
            now = own(core, a, now);
            e->key |= MEM_LINE_DIRTY;
        }
        a->kept = c;
        /* a store buffer hides what lies behind the first level */
        return hit ? now + first->hit : now;
    }
    return now;
}

bool mem_needs_bus(const struct mem_core *core, uint64_t model, bool store)
{
    const struct mem_cache *last = core->peer.levels.last;
    const struct mem_domain *d = core->peer.domain;
    if (!d->bus && !d->shared) return false;
    if (!last) return true;
    const struct mem_line *e = mem_cache_find(last, model);
    if (!e) return true;
    if (!store) return false;
    if (!last->write_back) return true;
    /* where nobody snoops, a line is its own in every state */
    return d->coherent && mem_line_state(e) != COH_M && mem_line_state(e) != COH_E;
}
