/* access: the one path of loads and stores, line by line. shortcut.c has what is common.
 *
 * A private line needs the walk and the filter. A segment's line that is in the cache is left
 * alone, however old the processor's view of it is; if it differs from the image, on a node without
 * coherence, that is a stale load. A line that has to be fetched brings the image's bytes into the
 * view before the load happens (the event `filled`). Of a store only the address is known: its
 * bytes are deferred; they go to the write buffer, are dirty in a cache, or on a coherent node are
 * posted at once, and the caches are time only.
 */
#include "mem/access/flying.h"
#include "mem/access/quiet.h"
#include "profile/moves/moves.h"

/* ---- the path -------------------------------------------------------------------------------- */

/* Is [addr, addr+bytes), inside one line, in a line of the last level that holds bytes of a
 * segment? */
static inline bool in_segment(struct mem_node *node, uint64_t where, uintptr_t addr)
{
    if (MEM_LIKELY(!mem_page_of_segment(where))) return false;
    uintptr_t line = addr >> node->domain.line_shift << node->domain.line_shift;
    return mem_region_find(&node->values, line, line + ((uintptr_t)1 << node->domain.line_shift)) !=
           NULL;
}

static op_site site_of(const struct mem_cpu *cpu, uintptr_t pc)
{
    return mem_place(cpu, pc ? pc : cpu->call_pc);
}

void mem_store_noted(struct mem_core *core, uintptr_t addr, uintptr_t pc)
{
    struct mem_region *r =
        core->agents_turn ? NULL : mem_region_find(&core->node->values, addr, addr + 1);
    if (r && r->rank == core->cpu->rank) r->stored = pc ? pc : core->cpu->call_pc;
}

void mem_check_stale(struct mem_core *core, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                     int64_t at)
{
    struct findings_stale stale;
    if (!mem_stale(&core->own, addr, bytes, &stale)) return;
    stale.time_s = mem_seconds(core->node->scale, at);
    stale.load_site = site_of(core->cpu, pc);
    core->stale++;
    findings_stale_note(&stale);
}

/* The line came out of another's cache, or the copies of it went, for this access. */
static __attribute__((noinline)) struct mem_moving note_move(struct mem_core *core,
                                                             const struct mem_access *a,
                                                             uintptr_t pc, bool store, int64_t now,
                                                             int64_t ticks)
{
    struct mem_node *node = core->node;
    uint32_t shift = node->domain.line_shift;
    uintptr_t begin = a->addr >> shift << shift;
    struct profile_moved *row = profile_moved_row(node, a->model >> shift);
    if (!row) {
        const struct mem_registration *reg = mem_registration_at(&node->values, a->addr);
        row = profile_moved_new(
            &(struct profile_moved){.node = node,
                                    .line = a->model >> shift,
                                    .segment = reg ? reg->id : -1,
                                    .offset = reg ? (int64_t)begin - (int64_t)reg->base : 0,
                                    .bytes = UINT64_C(1) << shift,
                                    .first_s = mem_seconds(node->scale, now)});
    }
    const struct profile_mover who = {
        .rank = core->cpu->rank, .store = store, .site = site_of(core->cpu, pc)};
    if (row) profile_move(row, &who, a->addr - begin, a->bytes, ticks);
    return (struct mem_moving){.row = row, .site = who.site};
}

static bool hits_first(const struct mem_core *core, uint64_t model)
{
    const struct mem_cache *first = core->peer.levels.first;
    return first && mem_cache_find(first, model);
}

/* A load is played; complete when? */
static inline int64_t load_takes(struct mem_core *core, struct mem_access *a,
                                 const struct mem_site *site, uintptr_t pc, int64_t now)
{
    if (MEM_UNLIKELY(core->cpu->flight != NULL) && !hits_first(core, a->model)) {
        struct mem_leaving l = mem_leaves(core, site, now);
        int64_t done = mem_walk_load(core, a, l.begun);
        mem_comes(core, &l, site, pc, done);
        return done;
    }
    int64_t done = mem_walk_load(core, a, now);
    mem_stand_still(core, MAX(done - now - core->first_hit, 0));
    return done;
}

static inline void play_load(struct mem_core *core, struct mem_access *a,
                             const struct mem_site *site, uintptr_t pc, int64_t now)
{
    struct mem_cpu *cpu = core->cpu;
    const bool segment = a->segment;
    int64_t work = site ? 0 : cpu->ledger.load_word;
    mem_charge(&cpu->ledger, work, 0);
    int64_t done = load_takes(core, a, site, pc, now + work);
    if (MEM_UNLIKELY(a->moved))
        note_move(core, a, pc, a->own, now, MAX(done - now - work - core->first_hit, 0));
    if (!segment) {
        uint64_t line = (uint64_t)a->addr >> cpu->filter.line_shift;
        if (core->peer.levels.first) mem_filter_know_load(&cpu->filter, line);
    } else if (!core->peer.domain->coherent && !a->filled) {
        mem_check_stale(core, a->addr, a->bytes, pc, MAX(done - core->first_hit, now + work));
    }
}

static void load_further(struct mem_core *core, const struct mem_site *site, int64_t n)
{
    struct mem_cache *first = core->peer.levels.first;
    if (first) first->count.loads += (uint64_t)n;
    if (!site) mem_charge(&core->cpu->ledger, n * core->cpu->ledger.load_word, 0);
}

static inline void play_store(struct mem_core *core, struct mem_access *a,
                              const struct mem_site *site, uintptr_t pc, int64_t now)
{
    struct mem_cpu *cpu = core->cpu;
    const bool segment = a->segment;
    int64_t work = site ? 0 : cpu->ledger.store_word;
    now += work;
    const bool buffered = mem_store_buffered(core, a->where, a->model, now);
    const bool again = buffered && mem_line_comes(core, a->where, a->model, now);
    const int64_t leaves = buffered ? mem_store_leaves(core, now) : now;
    int64_t done = mem_walk_store(core, a, leaves);
    if (MEM_UNLIKELY(again) && !a->own)
        done = MAX(leaves, mem_in_flight_again(&core->peer, a->where, a->model));
    if (!a->kept) done = mem_store_through(core, a, segment ? site_of(cpu, pc) : 0, done);
    int64_t stall = buffered ? mem_store_waits(core, now, done)
                             : MAX(done - now - (a->kept ? core->first_hit : 0), 0);
    mem_charge(&cpu->ledger, work, 0);
    mem_stand_still(core, stall);
    if (MEM_UNLIKELY(a->moved)) {
        core->moving = note_move(core, a, pc, true, now, stall);
        core->moving.done = done;
    } else if (MEM_UNLIKELY(again) && stall > 0) {
        mem_move_waited(core, stall);
    }
    if (segment) {
        core->own.stored = now;
        mem_store_noted(core, a->addr, pc);
    }
    if (!segment) {
        const struct mem_levels *l = &core->peer.levels;
        uint64_t line = (uint64_t)a->addr >> cpu->filter.line_shift;
        if (a->kept && (a->kept == l->first || mem_cache_find(l->first, a->model)))
            mem_filter_know_store(&cpu->filter, line);
    } else if (core->peer.domain->coherent) {
        if (a->kept && mem_quiet_store(core, a->addr)) return;
        bool waits = buffered && done > now + core->first_hit;
        mem_posted_push(&core->own, a->addr, a->bytes, NULL, 0, 0,
                        mem_store_seen(core, waits ? done : now + stall));
    } else if (a->kept) {
        mem_dirty_mark(&core->node->values, a->addr, a->bytes);
        if (core->buffer.open + core->buffer.queued) {
            mem_buffer_forget(&core->buffer, a->addr, a->bytes);
            mem_buffered_forget(&core->own, a->addr, a->bytes);
        }
    }
}

static void store_further(struct mem_core *core, const struct mem_site *site, int64_t n)
{
    struct mem_cache *c = core->peer.levels.first;
    for (; c; c = c->next) { /* they count at every level they reach */
        c->count.stores += (uint64_t)n;
        if (c->write_back) break;
    }
    if (!site) mem_charge(&core->cpu->ledger, n * core->cpu->ledger.store_word, 0);
}

/* What lies inside one line of the first level; charged as one access. */
void mem_play_line(struct mem_core *core, enum mem_kind kind, const struct mem_site *site,
                   uintptr_t addr, uint64_t bytes, uint64_t where, uintptr_t pc)
{
    mem_settle(core->cpu);
    if (MEM_UNLIKELY(where & MEM_PAGE_ABSENT)) where = mem_page_fault(core, addr);
    struct mem_access a = {.addr = addr,
                           .bytes = bytes,
                           .model = mem_model(where, addr),
                           .where = where,
                           .segment = in_segment(core->node, where, addr),
                           .own = kind == MEM_LOAD && core->for_writing};
    if (kind == MEM_LOAD)
        play_load(core, &a, site, pc, mem_now(&core->cpu->ledger));
    else
        play_store(core, &a, site, pc, mem_now(&core->cpu->ledger));
}

void mem_play_further(struct mem_core *core, enum mem_kind kind, const struct mem_site *site,
                      int64_t n)
{
    if (n && kind == MEM_LOAD)
        load_further(core, site, n);
    else if (n)
        store_further(core, site, n);
}

void mem_play(struct mem_core *core, enum mem_kind kind, const struct mem_site *site,
              uintptr_t addr, uint64_t bytes, uintptr_t pc)
{
    uintptr_t end = addr + bytes;
    uint32_t shift = core->cpu->filter.line_shift;
    if (kind == MEM_LOAD)
        mem_deferred_commit(&core->own);
    else
        mem_deferred_begin(&core->own, addr, bytes);
    while (addr < end) {
        uintptr_t next = MIN(end, ((addr >> shift) + 1) << shift);
        mem_play_line(core, kind, site, addr, next - addr, mem_page_where(&core->peer.pages, addr),
                      pc);
        mem_play_further(core, kind, site, mem_further_words(next - addr));
        addr = next;
    }
}

bool mem_must_pay(struct mem_core *core, enum mem_kind kind, uintptr_t addr, uint64_t bytes)
{
    uint32_t shift = core->cpu->filter.line_shift;
    if (kind == MEM_STORE && core->for_writing) return false;
    if (core->node->domain.long_owed && mem_owed(&core->cpu->ledger) > core->node->domain.quantum)
        return true;
    for (uintptr_t end = addr + bytes; addr < end; addr = ((addr >> shift) + 1) << shift) {
        uint64_t where = mem_page_where(&core->peer.pages, addr);
        int64_t owed = mem_owed(&core->cpu->ledger);
        if (mem_out_of_order(core, addr, where, kind == MEM_STORE, owed)) return true;
        if (owed <= mem_lead(core, where, addr, mem_now(&core->cpu->ledger))) continue;
        if (in_segment(core->node, where, addr) ||
            mem_meets_on_bus(core, addr, where, kind == MEM_STORE))
            return true;
    }
    return false;
}

void mem_fold_counts(struct mem_core *core)
{
    struct mem_fold n = mem_ledger_fold(&core->cpu->ledger);
    struct mem_cache *first = core->peer.levels.first;
    if (!first) return;
    first->count.loads += n.loads;
    for (struct mem_cache *c = first; c; c = c->next) { /* they count at every level they reach */
        c->count.stores += n.stores;
        if (c->write_back) break;
    }
}
