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
    struct run_page p = {.where = mem_page_where(&core->peer.pages, addr)};
    p.simple = !(p.where & MEM_PAGE_ABSENT);
    if (p.where & MEM_PAGE_SEGMENT) {
        uintptr_t page = addr & ~(uintptr_t)(MEM_PAGE_BYTES - 1);
        const struct mem_region *r = mem_region_find(&core->node->values, addr, addr + 1);
        p.simple = p.simple && r && r->base <= page && page + MEM_PAGE_BYTES <= r->end;
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
        now = mem_bus_book(&core->peer, now, d->slot, UINT64_C(1) << d->line_shift);
        const int64_t done = mem_dram_read(&core->peer.port, model >> d->line_shift, now);
        return MAX(done, now + d->slot);
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
                                                          int64_t now, bool two, bool *filled)
{
    struct mem_peer *peer = &core->peer;
    struct mem_cache *first = peer->levels.first, *next = two ? first->next : NULL;
    const struct mem_line *below = NULL;
    enum coh_state state = COH_I;
    if (two) {
        next->count.loads++;
        below = mem_cache_slot(next, model);
        if (has(next, below, model)) {
            now = mem_way_gives(&next->way, model, now);
            mem_line_place(peer, first, below, model, addr, COH_I, now);
            return now;
        }
        next->count.load_misses++;
        mem_way_misses(&next->way, model, now);
        core->cpu->missed.level[1]++;
    }
    now = from_memory(core, p, addr, model, now, &state);
    *filled = true;
    if (two) {
        mem_line_place(peer, next, NULL, model, addr, state, now);
        state = COH_I;
    }
    mem_line_place(peer, first, below, model, addr, state, now);
    return now;
}

/* The processor's date while it loads, kept out of its ledger: nobody else asks. */
struct run_date {
    int64_t now, waited; /* waited: of it, since the page's first line */
    bool asked;          /* a line was, since then */
    int64_t due, done;   /* the load in flight, the only one: needed, there; due INT64_MAX: none */
};

static inline struct run_date date_of(const struct mem_cpu *cpu)
{
    const struct mem_flight *f = cpu->flight;
    return (struct run_date){.now = mem_now(&cpu->ledger),
                             .due = f ? f->due : INT64_MAX,
                             .done = f ? f->load[0].done : 0};
}

static inline void wait(struct run_date *t, int64_t ticks)
{
    t->now += ticks;
    t->waited += ticks;
}

/* The ledger has it again; nobody asks of an agent for which load it waited. */
static inline void date_is(struct mem_cpu *cpu, const struct run_date *t, int64_t work)
{
    struct mem_flight *f = cpu->flight;
    mem_charge(&cpu->ledger, work, t->waited);
    if (!f) return;
    f->late += t->waited;
    if (t->asked) {
        f->youngest = f->there[0] = t->done;
        f->first = 0;
        f->load[0] = (struct mem_flying){.need = t->due - f->late, .done = t->done};
    }
    f->due = t->due;
    f->loads = t->due != INT64_MAX;
}

/* Lines that nobody else may hold, of a page that is simple; returns where they end. */
static inline __attribute__((always_inline)) uintptr_t load_lines(struct mem_core *core,
                                                                  struct run_page *p,
                                                                  uintptr_t addr, uintptr_t end,
                                                                  bool two)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_cache *first = core->peer.levels.first;
    struct run_date t = date_of(cpu);
    const bool flies = cpu->flight != NULL;
    const int64_t hit = core->first_hit, word = cpu->ledger.load_word,
                  slack = MAX(hit, core->library_slack);
    const uintptr_t line = (uintptr_t)1 << first->shift;
    int64_t words = 0, there = flies ? cpu->flight->there[0] : 0;
    uint32_t misses = 0;
    for (uintptr_t till; addr < end && !others_hold(core, p, addr); addr = till) {
        till = MIN(end, (addr & ~(line - 1)) + line);
        const uint64_t model = mem_model(p->where, addr);
        const int64_t n = 1 + mem_further_words(till - addr);
        bool filled = false;
        if (t.due <= t.now) { /* it needs the one in flight by now */
            wait(&t, MAX(t.done - t.due, 0));
            t.due = INT64_MAX;
        }
        t.now += word;
        const int64_t now = t.now;
        int64_t done = now + first->hit;
        if (!has(first, mem_cache_slot(first, model), model)) {
            misses++;
            const int64_t begun = flies ? MAX(there, now) : now;
            done = come(core, p, addr, model, begun, two, &filled);
            if (flies) {
                wait(&t, begun - now);
                t.asked = true;
                t.due = begun + slack;
                t.done = there = done;
            } else {
                wait(&t, MAX(done - now - hit, 0));
            }
        }
        if (!p->segment) {
            mem_filter_know_load(&cpu->filter, (uint64_t)addr >> cpu->filter.line_shift);
        } else if (p->stale && !filled) {
            mem_check_stale(core, addr, till - addr, 0, MAX(done - hit, now));
        }
        words += n;
        t.now += (n - 1) * word;
    }
    first->count.loads += (uint64_t)words;
    first->count.load_misses += misses;
    cpu->missed.level[0] += misses;
    date_is(cpu, &t, words * word);
    return addr;
}

static void load_page(struct mem_core *core, struct run_page *p, uintptr_t addr, uintptr_t end)
{
    const struct mem_cache *first = core->peer.levels.first;
    const uintptr_t line = (uintptr_t)1 << first->shift;
    while (addr < end) {
        if (!p->simple || others_hold(core, p, addr)) {
            const uintptr_t till = MIN(end, (addr & ~(line - 1)) + line);
            play_one(core, MEM_LOAD, p, addr, till - addr);
            addr = till;
        } else {
            addr = first->next ? load_lines(core, p, addr, end, true)
                               : load_lines(core, p, addr, end, false);
        }
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
    if (begins) done = mem_line_stored(core, done);
    const bool waits = buffered && done > now + core->first_hit;
    const int64_t stall =
        buffered ? mem_store_waits(core, now, done) : MAX(done - now - core->first_hit, 0);
    l->work += l->store_word;
    mem_stand_still(core, stall);
    if (p->segment) {
        core->own.stored = now;
        mem_store_noted(core, addr, 0);
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
    if (has(next, mem_cache_slot(next, model), model) ||
        has(first, mem_cache_slot(first, model), model))
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
