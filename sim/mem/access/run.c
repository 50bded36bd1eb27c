/* run: an agent's accesses to a long range, page by page: what stays the same along a page is
 * looked up once, and each line is played in one place.
 *
 * They do what access.c and walk.c say, where so many of their questions have one answer: one or
 * two levels, direct mapped, no shared level, no pool, pages at hand, a processor that stands
 * still, or goes on behind one load. Lines that other processors may hold, pages of which only a
 * part is a segment's, and stores that a cache keeps behind a store buffer, or without coherence,
 * are left to the one path (the unit suite mem_run compares them). */
#include "mem/access/run.h"

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

/* ---- loads ----------------------------------------------------------------------------------- */

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
            done = come(core, p, addr, model, begun, two, false, &filled);
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
            mem_run_stores(core, &p, addr, till);
    }
}
