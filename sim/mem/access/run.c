/* run: an agent's accesses to a long range, page by page: what stays the same along a page is
 * looked up once, and each line is played in one place.
 *
 * They do what access.c and walk.c say, where so many of their questions have one answer: one or
 * two levels, direct mapped, no shared level, no pool, pages at hand, a processor that stands
 * still, or goes on behind one load. Lines that other processors may hold, pages of which only a
 * part is a segment's, and stores that a cache keeps are left to the one path (the unit suite
 * mem_run compares them). */
#include "mem/access/flying.h"
#include "mem/access/line.h"

/* A page, and what an agent's access to its lines is. */
struct run_page {
    uint64_t where;
    bool simple, segment; /* all of it, or nothing */
    bool stale;           /* what a cache has of it may be older than memory */
    uint64_t *sharers;    /* of its lines; NULL: nobody knows of any */
};

static struct run_page page_of(struct mem_core *core, uintptr_t addr)
{
    struct mem_domain *d = core->peer.domain;
    struct run_page p = {.where = mem_page_where(&core->peer.pages, addr), .simple = true};
    if (p.where & MEM_PAGE_SEGMENT) {
        uintptr_t page = addr & ~(uintptr_t)(MEM_PAGE_BYTES - 1);
        const struct mem_region *r = mem_region_find(&core->node->values, addr, addr + 1);
        p.simple = r && r->base <= page && page + MEM_PAGE_BYTES <= r->end;
        p.segment = true;
        p.stale = !d->coherent;
    }
    p.sharers =
        mem_sharers(d, p.where, mem_model(p.where, addr & ~(uintptr_t)(MEM_PAGE_BYTES - 1)));
    return p;
}

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

static inline struct mem_line *place_of(const struct mem_cache *c, uint64_t model)
{
    return c->line + ((model >> c->shift) & c->set_mask);
}
static inline bool has(const struct mem_cache *c, const struct mem_line *e, uint64_t model)
{
    return mem_line_is(e, model >> c->shift << 8 | MEM_LINE_HELD);
}

/* The processor waits for the load in flight, the only one, if it needs it by now. Nobody asks of
 * an agent for which. */
static inline void settle(struct mem_cpu *cpu)
{
    struct mem_flight *f = cpu->flight;
    if (!f || f->due > mem_now(&cpu->ledger)) return;
    const int64_t stall = MAX(f->load[0].done - f->due, 0);
    f->loads = 0;
    f->due = INT64_MAX;
    f->late += stall;
    cpu->ledger.memory += stall;
}

/* By the one path. */
static void play_one(struct mem_core *core, enum mem_kind kind, const struct run_page *p,
                     uintptr_t addr, uint64_t bytes)
{
    mem_play_line(core, kind, NULL, addr, bytes, p->where, 0);
    mem_play_further(core, kind, NULL, mem_further_words(bytes));
}

/* ---- loads ----------------------------------------------------------------------------------- */

/* The last level has not got the line, nor has anybody else: from memory. Complete when? */
static inline int64_t from_memory(struct mem_core *core, struct run_page *p, uintptr_t addr,
                                  uint64_t model, int64_t now, enum coh_state *state)
{
    struct mem_domain *d = core->peer.domain;
    *state = d->coherent ? coh_step(d->protocol, COH_I, COH_LOAD).next : COH_S;
    if (d->coherent && p->where & MEM_PAGE_SHARED) {
        mem_sharer_set(&core->peer, p->where, model);
        if (!p->sharers)
            p->sharers = mem_sharers(d, p->where, model & ~(uint64_t)(MEM_PAGE_BYTES - 1));
    }
    if (d->bus) {
        now = mem_in_flight_until(d, p->where, model, now);
        now = mem_bus_book(d, now, d->slot, UINT64_C(1) << d->line_shift);
        return MAX(mem_dram_read(&core->peer.port, model >> d->line_shift, now), now + d->slot);
    }
    int64_t done = mem_read_line(core, model, now);
    if (p->stale)
        d->events->filled(core->peer.who, addr >> d->line_shift << d->line_shift,
                          UINT64_C(1) << d->line_shift);
    return done;
}

/* The first level has not got the line. Complete when? filled: it came from memory. */
static inline int64_t come(struct mem_core *core, struct run_page *p, uintptr_t addr,
                           uint64_t model, int64_t now, bool *filled)
{
    struct mem_peer *peer = &core->peer;
    struct mem_cache *first = peer->levels.first, *next = first->next;
    enum coh_state state = COH_I;
    core->cpu->missed.level[0]++;
    if (next) {
        next->count.loads++;
        if (has(next, place_of(next, model), model)) {
            now = mem_way_gives(&next->way, model, now);
            mem_line_place(peer, first, model, addr, COH_I, now);
            return now;
        }
        next->count.load_misses++;
        mem_way_misses(&next->way, model, now);
        core->cpu->missed.level[1]++;
    }
    now = from_memory(core, p, addr, model, now, &state);
    *filled = true;
    if (next) {
        mem_line_place(peer, next, model, addr, state, now);
        state = COH_I;
    }
    mem_line_place(peer, first, model, addr, state, now);
    return now;
}

static inline void load_line(struct mem_core *core, struct run_page *p, uintptr_t addr,
                             uint64_t bytes)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_ledger *l = &cpu->ledger;
    struct mem_cache *first = core->peer.levels.first;
    const uint64_t model = mem_model(p->where, addr);
    bool filled = false;
    settle(cpu);
    l->work += l->load_word;
    first->count.loads++;
    int64_t now = mem_now(l), done = now + first->hit;
    if (!has(first, place_of(first, model), model)) {
        first->count.load_misses++;
        if (cpu->flight) {
            const struct mem_leaving leaving = mem_leaves(core, NULL, now);
            done = come(core, p, addr, model, leaving.begun, &filled);
            mem_comes(core, &leaving, NULL, 0, done);
        } else {
            done = come(core, p, addr, model, now, &filled);
            l->memory += MAX(done - now - core->first_hit, 0);
        }
    }
    if (!p->segment) {
        uint64_t line = (uint64_t)addr >> cpu->filter.line_shift;
        cpu->filter.load_ok[line & (MEM_FILTER - 1)] = line;
    } else if (p->stale && !filled) {
        mem_check_stale(core, addr, bytes, 0, MAX(done - core->first_hit, now));
    }
    const int64_t n = mem_further_words(bytes);
    first->count.loads += (uint64_t)n;
    l->work += n * l->load_word;
}

static void load_page(struct mem_core *core, struct run_page *p, uintptr_t addr, uintptr_t end)
{
    const uintptr_t line = (uintptr_t)1 << core->peer.levels.first->shift;
    for (uintptr_t till; addr < end; addr = till) {
        till = MIN(end, (addr & ~(line - 1)) + line);
        if (p->simple && !others_hold(core, p, addr))
            load_line(core, p, addr, till - addr);
        else
            play_one(core, MEM_LOAD, p, addr, till - addr);
    }
}

/* ---- stores of whole lines that are not fetched (block.c) ------------------------------------ */

/* The part of such a line that lies in one of the first level; the line goes to memory with its
 * first one. */
static inline void store_part(struct mem_core *core, const struct run_page *p, uintptr_t addr,
                              uint64_t bytes, bool begins)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_ledger *l = &cpu->ledger;
    struct mem_domain *d = core->peer.domain;
    struct mem_cache *first = core->peer.levels.first, *next = first->next;
    settle(cpu);
    const bool buffered = cpu->flight && cpu->flight->stores;
    const uint64_t words = 1 + (uint64_t)mem_further_words(bytes);
    const int64_t now = mem_now(l) + l->store_word;
    int64_t done = buffered ? mem_store_leaves(core, now) : now;
    first->count.stores += words;
    first->count.store_misses++;
    next->count.stores += words;
    next->count.store_misses++;
    cpu->missed.level[0]++;
    cpu->missed.level[1]++;
    core->elsewhere++;
    if (begins && d->bus)
        done = mem_bus_book(d, done, d->slot, UINT64_C(1) << d->line_shift) + d->slot;
    else if (begins)
        mem_dram_behind(&core->peer.port, done, d->line_time);
    const bool waits = buffered && done > now + core->first_hit;
    const int64_t stall =
        buffered ? mem_store_waits(core, now, done) : MAX(done - now - core->first_hit, 0);
    l->work += l->store_word;
    mem_stand_still(core, stall);
    if (p->segment) {
        core->own.stored = now;
        mem_posted_push(&core->own, addr, bytes, NULL, 0, 0,
                        mem_store_seen(core, waits ? done : now + stall));
    }
    l->work += (int64_t)(words - 1) * l->store_word;
}

/* Is it part of a line of the last level that a copy stores whole, and that no cache holds? */
static inline bool is_block(const struct mem_core *core, const struct run_page *p, uintptr_t addr)
{
    const struct mem_cache *first = core->peer.levels.first, *next = first->next;
    const uintptr_t line = (uintptr_t)1 << core->peer.domain->line_shift,
                    begin = addr & ~(line - 1);
    const uint64_t model = mem_model(p->where, addr);
    if (begin < core->block_from || begin + line > core->block_to || !p->simple) return false;
    if (has(next, place_of(next, model), model) || has(first, place_of(first, model), model))
        return false;
    return addr != begin || !others_hold(core, p, addr);
}

static void store_page(struct mem_core *core, const struct run_page *p, uintptr_t addr,
                       uintptr_t end)
{
    const struct mem_cache *first = core->peer.levels.first;
    const bool blocks =
        core->block_to && first->next && !first->write_back && !first->allocate_write;
    const uintptr_t line = (uintptr_t)1 << first->shift,
                    step = (uintptr_t)1 << core->peer.domain->line_shift;
    for (uintptr_t till; addr < end; addr = till) {
        till = MIN(end, (addr & ~(line - 1)) + line);
        if (blocks && is_block(core, p, addr))
            store_part(core, p, addr, till - addr, !(addr & (step - 1)));
        else
            play_one(core, MEM_STORE, p, addr, till - addr);
    }
}

/* ---- the run --------------------------------------------------------------------------------- */

void mem_play_run(struct mem_core *core, enum mem_kind kind, uintptr_t addr, uint64_t bytes)
{
    if (!core->runs || core->for_writing) {
        mem_play(core, kind, NULL, addr, bytes, 0);
        return;
    }
    if (kind == MEM_LOAD)
        mem_deferred_commit(&core->own);
    else
        mem_deferred_begin(&core->own, addr, bytes);
    for (uintptr_t end = addr + bytes, till; addr < end; addr = till) {
        struct run_page p = page_of(core, addr);
        till = MIN(end, (addr & ~(uintptr_t)(MEM_PAGE_BYTES - 1)) + MEM_PAGE_BYTES);
        if (kind == MEM_LOAD)
            load_page(core, &p, addr, till);
        else
            store_page(core, &p, addr, till);
    }
}
