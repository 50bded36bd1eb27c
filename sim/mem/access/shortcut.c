/* shortcut: the doors of a program's loads and stores: what is common in short, the rest by the one
 * path (access.c), with the same counts, charges and values (the unit suite mem_fast compares
 * them).
 *
 * Private lines: a load that the first or the second level has, or that a processor without
 * coherence fetches; a store to a line that the processor may write without asking, or that goes to
 * the write buffer. Segments: a load that hits. Both: a store into the buffer's youngest entry.
 */
#include "mem/access/flying.h"
#include "mem/access/line.h"
#include "mem/access/held.h"

static inline bool short_enough(const struct mem_core *core, uintptr_t addr, uint64_t bytes)
{
    return MEM_LIKELY(bytes - 1 < core->node->fast_bytes &&
                      (addr ^ (addr + bytes - 1)) >> core->cpu->filter.line_shift == 0);
}

static inline void hit(struct mem_core *core, struct mem_cache *c, const struct mem_line *e)
{
    if (c->ordered) mem_cache_used(&core->peer.levels, c, e);
}

/* Atomic operations on segments ask for lines to write them. */
static bool is_lent(struct mem_core *core, uintptr_t addr)
{
    return mem_page_where(&core->peer.pages, addr) & MEM_PAGE_LENT;
}

/* ---- loads ----------------------------------------------------------------------------------- */

/* The first level has not got it: from the next one, if that has it, else from memory. Complete
 * when? */
static inline int64_t come(struct mem_core *core, struct mem_line *below, uintptr_t addr,
                           uint64_t bytes, uint64_t model, int64_t now)
{
    struct mem_peer *peer = &core->peer;
    struct mem_cache *first = peer->levels.first, *next = first->next;
    if (below) {
        core->cpu->missed.level[0]++;
        now = mem_line_from_next(core, below, addr, model, now);
    } else if (core->alone) {
        core->cpu->missed.level[0]++;
        now = mem_way_into_set(&first->way, model, mem_read_line(core, model, now));
        mem_line_place(peer, first, NULL, model, addr, COH_S, now);
    } else {
        if (next) return mem_deep_load(core, addr, model, now);
        struct mem_access a = {.addr = addr, .bytes = bytes, .model = model};
        a.where = mem_page_where(&peer->pages, addr);
        mem_walk_miss(core, first, 0, &a, &now);
    }
    return now;
}

/* False: nothing was done. */
static inline bool private_load(struct mem_core *core, const struct mem_site *site, uintptr_t addr,
                                uint64_t bytes, uint64_t model, uintptr_t pc)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_cache *first = core->peer.levels.first;
    int64_t work = MEM_LIKELY(site != NULL) ? 0 : cpu->ledger.load_word;
    const struct mem_line *e = mem_cache_find(first, model);
    if (e) {
        cpu->ledger.work += work;
        hit(core, first, e);
    } else {
        struct mem_line *below = first->next ? mem_cache_find(first->next, model) : NULL;
        if (!below && core->node->domain.shared)
            mem_shared_level_soon(core->node->domain.shared, model);
        mem_settle(cpu);
        if (!below && !core->alone && !mem_in_time_on_bus(core)) return false;
        cpu->ledger.work += work;
        int64_t now = mem_now(&cpu->ledger);
        first->count.load_misses++;
        if (cpu->flight) {
            struct mem_leaving l = mem_leaves(core, site, now);
            mem_comes(core, &l, site, pc, come(core, below, addr, bytes, model, l.begun));
        } else {
            int64_t done = come(core, below, addr, bytes, model, now);
            cpu->ledger.memory += MAX(done - now - core->first_hit, 0);
        }
    }
    first->count.loads++;
    uint64_t line = (uint64_t)addr >> cpu->filter.line_shift;
    mem_filter_know_load(&cpu->filter, line);
    mem_hold(core, line, model);
    return true;
}

/* A load that hits in a segment. False: not that simple. */
static inline bool segment_hit(struct mem_core *core, const struct mem_site *site, uintptr_t addr,
                               uint64_t bytes, uint64_t where, uintptr_t pc)
{
    struct mem_values *v = &core->node->values;
    struct mem_cache *c = core->peer.levels.first;
    struct mem_ledger *l = &core->cpu->ledger;
    const struct mem_region *r = v->region + v->hint;
    if (!v->regions || addr < r->base || addr + bytes > r->end) return false;
    mem_deferred_commit(&core->own);
    struct mem_line *e = c ? mem_cache_find(c, mem_model(where, addr)) : NULL;
    if (!e || !mem_tlb_has(&core->peer.tlb, mem_model(where, addr))) return false;
    c->count.loads++;
    if (!site) mem_charge(l, l->load_word, 0);
    hit(core, c, e);
    if (!v->coherent && mem_anothers(&core->own, r)) return true;
    mem_filter_segment(core, r, addr);
    if (v->coherent) return true;
    if (MEM_UNLIKELY(!mem_same_bytes((const void *)addr, r->image + (addr - r->base), bytes)))
        mem_check_stale(core, addr, bytes, pc, mem_now(l));
    return true;
}

/* What is not that simple, by the one path. */
static __attribute__((noinline)) enum mem_result other(struct mem_core *core, enum mem_kind kind,
                                                       uintptr_t addr, uint64_t bytes, uintptr_t pc,
                                                       const struct mem_site *site)
{
    mem_settle(core->cpu);
    if (short_enough(core, addr, bytes)) {
        uint64_t where = mem_page_where(&core->peer.pages, addr);
        if (mem_in_time(core, addr, where, kind == MEM_STORE)) {
            bool segment = mem_page_of_segment(where);
            if (segment && kind == MEM_LOAD) {
                if (segment_hit(core, site, addr, bytes, where, pc)) return MEM_DONE;
                mem_deferred_commit(&core->own);
            } else if (segment) {
                mem_deferred_begin(&core->own, addr, bytes);
            }
            mem_play_line(core, kind, site, addr, bytes, where, pc);
            return MEM_DONE;
        }
    }
    if (mem_must_pay(core, kind, addr, bytes)) return MEM_PAY_FIRST;
    mem_play(core, kind, site, addr, bytes, pc);
    return MEM_DONE;
}

enum mem_result mem_load(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                         const struct mem_site *site)
{
    struct mem_core *core = cpu->core;
    if (short_enough(core, addr, bytes)) {
        uint64_t model;
        if (mem_is_private(core, addr, &model) && !(core->for_writing && is_lent(core, addr)) &&
            private_load(core, site, addr, bytes, model, pc))
            return MEM_DONE;
    }
    return other(core, MEM_LOAD, addr, bytes, pc, site);
}

bool mem_load_pays_first(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes)
{
    mem_settle(cpu);
    return mem_owed(&cpu->ledger) > 0 && mem_must_pay(cpu->core, MEM_LOAD, addr, bytes);
}

/* ---- stores ---------------------------------------------------------------------------------- */

/* On a write-through cache: one more store into the entry last stored to. Few of them need to know
 * the date. */
static inline bool merge(struct mem_core *core, const struct mem_site *site, uintptr_t addr,
                         uint64_t bytes, uintptr_t pc)
{
    const struct mem_node *node = core->node;
    struct mem_write_buffer *b = &core->buffer;
    struct mem_entry *e = b->newest;
    if (e->host != (uint64_t)addr >> b->shift || bytes - 1 >= node->fast_bytes) return false;
    if ((addr ^ (addr + bytes - 1)) >> node->piece_shift || (node->subword && (addr | bytes) & 3))
        return false;
    struct mem_cpu *cpu = core->cpu;
    struct mem_ledger *l = &cpu->ledger;
    if (b->timeout < INT64_MAX && !mem_buffer_stay(b, mem_date(cpu))) return false;
    uint32_t at = (uint32_t)addr & ((1u << b->shift) - 1);
    uint64_t mask = ((UINT64_C(1) << bytes) - 1) << at;
    if (e->segment) {
        struct mem_buffered *buffered = &core->own.buffered[e->index];
        mem_settle(cpu);
        if (mem_owed(l) > mem_lead(core, 0, addr, 0)) return false;
        mem_deferred_begin(&core->own, addr, bytes);
        core->own.stored = mem_now(l);
        mem_store_noted(core, addr, pc);
        buffered->mask |= mask;
        buffered->stored |= mask;
        mem_buffered_late(&core->own, buffered);
    }
    struct mem_cache *c = core->peer.levels.first;
    struct mem_line *line = mem_cache_find(c, (e->model >> b->shift << b->shift) + at);
    if (!site) mem_charge(l, l->store_word, 0);
    c->count.stores++;
    if (line) {
        hit(core, c, line);
    } else {
        c->count.store_misses++;
        cpu->missed.level[0]++;
    }
    e->mask |= mask;
    if (e->mask == b->full) mem_buffer_complete(b, e, mem_date(cpu));
    return true;
}

/* A store that goes to the write buffer, and not into an entry last stored to. */
static inline bool to_buffer(struct mem_core *core, const struct mem_site *site, uintptr_t addr,
                             uint64_t bytes, uint64_t model)
{
    const struct mem_node *node = core->node;
    struct mem_write_buffer *b = &core->buffer;
    struct mem_ledger *l = &core->cpu->ledger;
    if (node->domain.coherent || !b->entries || (node->subword && (addr | bytes) & 3) ||
        (addr ^ (addr + bytes - 1)) >> node->piece_shift)
        return false;
    mem_settle(core->cpu);
    if (!site) l->work += l->store_word;
    int64_t asked = mem_now(l), now = asked;
    uint64_t host = (uint64_t)addr >> b->shift;
    mem_buffer_expire(b, now);
    struct mem_entry *e = mem_buffer_find(b, host);
    if (!e) e = mem_buffer_open(b, host, model, &now);
    e->mask |= ((UINT64_C(1) << bytes) - 1) << ((uint32_t)addr & ((1u << b->shift) - 1));
    b->newest = b->merges ? e : &b->none;
    if (e->mask == b->full || !b->hold) mem_buffer_complete(b, e, now);
    if (now > asked) mem_stand_still(core, now - asked);
    return true;
}

/* A store to a line that the last level has, and the one above it has not: it comes there to be
 * written. False: somebody must be asked, or paid first; nothing was done. */
static __attribute__((noinline)) bool come_own(struct mem_core *core, const struct mem_site *site,
                                               uintptr_t addr, uint64_t model)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_line *below = mem_comes_own(core, model);
    if (!below) return false;
    mem_settle(cpu);
    if (!mem_come_own(core, below, site ? 0 : cpu->ledger.store_word, addr, model)) return false;
    core->peer.levels.first->count.stores++;
    cpu->missed.level[0]++;
    return true;
}

static inline bool is_own(struct mem_core *core, const struct mem_site *site,
                          struct mem_line *keeps)
{
    return MEM_LIKELY(keeps->key & MEM_LINE_DIRTY) || mem_make_own(core, site, keeps);
}

/* False: nothing was done. */
static inline bool private_store(struct mem_core *core, const struct mem_site *site, uintptr_t addr,
                                 uint64_t bytes, uint64_t model)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_cache *first = core->peer.levels.first;
    struct mem_cache *next = first->next;
    struct mem_line *e = mem_cache_find(first, model), *keeps = e;
    if (!first->write_back) {
        if (!e && first->allocate_write) return false;
        if (next) {
            keeps = next->write_back ? mem_cache_find(next, model) : NULL;
            if (!keeps || !is_own(core, site, keeps)) return false;
            next->count.stores++;
        } else if (!to_buffer(core, site, addr, bytes, model)) {
            return false;
        }
    } else if (!e) {
        return come_own(core, site, addr, model);
    } else if (!is_own(core, site, keeps)) {
        return false;
    }
    first->count.stores++;
    if (e) {
        hit(core, first, e);
    } else {
        first->count.store_misses++;
        cpu->missed.level[0]++;
    }
    if (!first->write_back && !next) return true; /* the buffer has it */
    if (!site) cpu->ledger.work += cpu->ledger.store_word;
    if (keeps != e) hit(core, next, keeps);
    if (e) {
        uint64_t line = (uint64_t)addr >> cpu->filter.line_shift;
        mem_filter_know_store(&cpu->filter, line);
        mem_hold(core, line, model);
    }
    return true;
}

enum mem_result mem_store(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                          const struct mem_site *site)
{
    struct mem_core *core = cpu->core;
    if (merge(core, site, addr, bytes, pc)) return MEM_DONE;
    if (short_enough(core, addr, bytes)) {
        uint64_t model;
        if (mem_is_private_store(core, addr, &model) &&
            !(core->for_writing && is_lent(core, addr)) &&
            private_store(core, site, addr, bytes, model))
            return MEM_DONE;
    }
    return other(core, MEM_STORE, addr, bytes, pc, site);
}

enum mem_result mem_load_to_write(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                                  const struct mem_site *site)
{
    cpu->core->for_writing = cpu->core->node->domain.coherent;
    enum mem_result result = mem_load(cpu, addr, bytes, pc, site);
    cpu->core->for_writing = false;
    if (result == MEM_DONE) mem_stand_alone(cpu->core);
    return result;
}

void mem_store_loaded(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                      const struct mem_site *site)
{
    cpu->core->for_writing = true;
    mem_store(cpu, addr, bytes, pc, site);
    cpu->core->for_writing = false;
}
