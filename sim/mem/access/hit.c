/* hit: what instrumented code asks of processors that are not the simplest, where the first level
 * has the line: private ones, and of segments on a node with coherence. Nothing changes but the
 * order of the set and, of a store to a segment, what memory is to get. And private lines that a
 * load finds further on, of two levels and more, and of segments what the second one has: what it
 * missed and waited is in the profile's rows at once, if they are at hand. */
#include "base/floating/floating.h"
#include "mem/access/flying.h"
#include "mem/access/held.h"
#include "mem/access/line.h"
#include "mem/access/quiet.h"

/* A hit in a segment's page on a node with coherence, at a date when nothing in flight is needed.
 * NULL: not that simple, nothing was done. */
static inline const struct mem_line *coherent_hit(struct mem_core *core,
                                                  const struct mem_near_segment *near,
                                                  uintptr_t addr, int64_t now, uint64_t flags)
{
    if (!near || near->image) return NULL;
    if (core->cpu->flight && core->cpu->flight->due <= now) return NULL;
    if (!mem_may_lead(core, near->where, addr, now)) return NULL;
    struct mem_cache *first = core->peer.levels.first;
    const uint64_t line = (uint64_t)addr >> core->cpu->filter.line_shift;
    const struct mem_line *e = mem_held_segment(core, line, flags | MEM_LINE_HELD);
    if (e) {
        mem_cache_use_line(&core->peer.levels, first, e);
        return e;
    }
    e = mem_cache_use(&core->peer.levels, first, mem_model(near->where, addr), flags);
    if (e) mem_hold_segment(core, line, e);
    return e;
}
/* What is in flight and needed by now has been waited for. */
static inline void settle(struct mem_cpu *cpu)
{
    mem_settle(cpu);
    mem_note_waits(cpu);
}
/* Complete when? */
static inline int64_t come(struct mem_core *core, const struct mem_line *below, uintptr_t addr,
                           uint64_t model, int64_t now)
{
    if (below) return mem_line_from_next(core, below, addr, model, now);
    const unsigned floating = base_sse_begin(); /* a calendar guesses a place in it by fractions */
    now = mem_deep_load(core, addr, model, now);
    base_sse_end(floating);
    return now;
}
/* What the load at pc has missed and waited. Lines of the second level are counted here. */
static inline void note(struct mem_cpu *cpu, struct profile_stall *row, uintptr_t addr,
                        int64_t waited, bool further)
{
    profile_missed(row, cpu->rank, addr);
    if (further) {
        for (int level = 1; level < PROFILE_LEVELS; level++)
            row->missed[level] += cpu->missed.level[level];
        row->pages += cpu->missed.pages;
        row->around += cpu->missed.around;
        cpu->missed = (struct mem_missed){0};
    }
    if (waited <= 0) return;
    row->loads++;
    row->load_ticks += waited;
}
/* A load is about to leave the first level of a processor that asks for its row at once: what was
 * needed by now has been waited for. NULL: something must be noted first. */
static inline struct profile_stall *row_to_leave(struct mem_core *core, uintptr_t addr,
                                                 uintptr_t pc)
{
    struct mem_cpu *cpu = core->cpu;
    struct profile_stall *row = mem_row_at(cpu, addr, pc);
    return row && !mem_missed_any(&cpu->missed) && mem_note_waits(cpu) ? row : NULL;
}
/* The load leaves the first level at `now`. */
static inline void leave(struct mem_core *core, const struct mem_line *below, uintptr_t addr,
                         uint64_t model, const struct mem_site *site, uintptr_t pc, int64_t now)
{
    core->peer.levels.first->count.load_misses++;
    if (core->cpu->flight) {
        struct mem_leaving l = mem_leaves(core, site, now);
        mem_comes(core, &l, site, pc, come(core, below, addr, model, l.begun));
    } else {
        int64_t done = come(core, below, addr, model, now);
        core->cpu->ledger.memory += MAX(done - now - core->first_hit, 0);
    }
}
/* As flying.h says. */
static inline __attribute__((always_inline)) bool from_further(struct mem_core *core,
                                                               uintptr_t addr, uint64_t model,
                                                               const struct mem_site *site,
                                                               uintptr_t pc)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_cache *first = core->peer.levels.first;
    struct profile_stall *row = first->next ? row_to_leave(core, addr, pc) : NULL;
    if (!row) return false;
    const struct mem_line *below = mem_cache_find_further(first->next, model);
    if (!below && core->node->domain.shared)
        mem_shared_level_soon(core->node->domain.shared, model);
    cpu->ledger.work -= site->rest;
    settle(cpu);
    const int64_t now = mem_now(&cpu->ledger), before = cpu->ledger.memory;
    if (!below && !mem_in_time_on_bus(core)) {
        cpu->ledger.work += site->rest;
        return false;
    }
    leave(core, below, addr, model, site, pc, now);
    cpu->ledger.work += site->rest;
    note(cpu, row, addr, cpu->ledger.memory - before, !below);
    return true;
}

bool mem_load_further(struct mem_core *core, uintptr_t addr, uint64_t model,
                      const struct mem_site *site, uintptr_t pc)
{
    return from_further(core, addr, model, site, pc);
}

/* A load from a segment on a node with coherence: the first level has not got its line, and the
 * next one has it, so that nobody is asked. False: as mem_load_further. */
static bool segment_from_next(struct mem_core *core, const struct mem_near_segment *near,
                              uintptr_t addr, const struct mem_site *site, uintptr_t pc)
{
    struct mem_cpu *cpu = core->cpu;
    const struct mem_cache *first = core->peer.levels.first;
    const uint64_t model = mem_model(near->where, addr);
    if (near->image || !first->next || mem_cache_find(first, model)) return false;
    struct profile_stall *row = row_to_leave(core, addr, pc);
    const struct mem_line *below = row ? mem_cache_find_further(first->next, model) : NULL;
    if (!below) return false;
    cpu->ledger.work -= site->rest;
    settle(cpu);
    const int64_t now = mem_now(&cpu->ledger), before = cpu->ledger.memory;
    const bool leads = mem_may_lead(core, near->where, addr, now);
    if (leads) {
        mem_deferred_commit(&core->own);
        leave(core, below, addr, model, site, pc, now);
        note(cpu, row, addr, cpu->ledger.memory - before, false);
    }
    cpu->ledger.work += site->rest;
    return leads;
}
static __attribute__((noinline)) bool load_segment(struct mem_core *core, uintptr_t addr,
                                                   const struct mem_site *site, uintptr_t pc)
{
    const struct mem_near_segment *near = mem_segment_near(core, addr);
    const int64_t now = mem_now(&core->cpu->ledger) - site->rest;
    if (coherent_hit(core, near, addr, now, 0))
        mem_deferred_commit(&core->own);
    else if (!near || !segment_from_next(core, near, addr, site, pc))
        return false;
    mem_filter_segment(core, near->region, addr);
    return true;
}

static bool hit_load(struct mem_core *core, uintptr_t addr, uint64_t bytes,
                     const struct mem_site *site, uintptr_t pc)
{
    struct mem_cpu *cpu = core->cpu;
    uint64_t model, line = (uint64_t)addr >> cpu->filter.line_shift;
    if ((addr + bytes - 1) >> cpu->filter.line_shift != line) return false;
    if (!mem_page_near(core, addr, &model) && !mem_lends(core, addr, false, &model)) {
        if (mem_segment_at_hand(core, addr)) return load_segment(core, addr, site, pc);
        if (!mem_is_private(core, addr, &model))
            return mem_segment_near(core, addr) && load_segment(core, addr, site, pc);
    }
    if (!mem_cache_use(&core->peer.levels, core->peer.levels.first, model, 0) &&
        !from_further(core, addr, model, site, pc))
        return false;
    mem_hold(core, line, model);
    cpu->filter.load_ok[line & (MEM_FILTER - 1)] = line;
    return true;
}
void mem_hit_load_further(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                          const struct mem_site *site, uintptr_t pc)
{
    if (!hit_load(cpu->core, addr, what & MEM_ASK_BYTES, site, pc))
        mem_above.load(addr, what, cpu, site, pc);
}
void mem_hit_load(uintptr_t addr, uint32_t what, struct mem_cpu *cpu, const struct mem_site *site,
                  uintptr_t pc)
{
    const struct mem_held *held = mem_held(cpu, addr, what & MEM_ASK_BYTES);
    if (MEM_UNLIKELY(!held))
        mem_hit_load_further(addr, what, cpu, site, pc);
    else
        mem_held_loaded(addr, cpu, held, cpu->core->peer.levels.level[0].order.room);
}

/* Its line is the processor's own to write: memory gets the bytes by the date. */
static __attribute__((noinline)) bool hit_store_segment(struct mem_core *core, uintptr_t addr,
                                                        uint64_t bytes, const struct mem_site *site,
                                                        uintptr_t pc)
{
    const struct mem_near_segment *near = mem_segment_near(core, addr);
    int64_t now = mem_now(&core->cpu->ledger) - site->rest;
    if (bytes > core->node->fast_bytes) return false;
    const struct mem_line *e = coherent_hit(core, near, addr, now, MEM_LINE_DIRTY);
    if (!e || mem_line_comes(core, near->where, mem_model(near->where, addr), now)) return false;
    mem_deferred_commit(&core->own);
    mem_near_stored(core, near, pc);
    if (mem_quiet_store(core, addr)) {
        const struct mem_cache *first = core->peer.levels.first;
        if (first->ordered && first->order.place) mem_quiet_at(core, near->where, addr, e);
        return true;
    }
    mem_deferred_begin(&core->own, addr, bytes);
    core->own.stored = now;
    mem_posted_push(&core->own, addr, bytes, NULL, 0, 0, mem_store_seen(core, now));
    return true;
}

/* The first level has not got the line, and the next one, which is the last, has it: it comes from
 * there to be written. False: somebody must be asked, noted or paid first; nothing was done but
 * that what was needed by now has been waited for. */
static bool store_from_next(struct mem_core *core, uintptr_t addr, uint64_t model,
                            const struct mem_site *site, uintptr_t pc)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_ledger *l = &cpu->ledger;
    struct profile_stall *row = row_to_leave(core, addr, pc);
    struct mem_line *below = row ? mem_comes_own(core, model) : NULL;
    if (!below) return false;
    l->work -= site->rest;
    settle(cpu);
    const int64_t before = l->memory;
    const bool comes = mem_come_own(core, below, 0, addr, model);
    l->work += site->rest;
    if (!comes) return false;
    row->store = true;
    profile_missed(row, core->cpu->rank, addr);
    if (l->memory == before) return true;
    row->stores++;
    row->store_ticks += l->memory - before;
    return true;
}

static bool hit_store(struct mem_core *core, uintptr_t addr, uint64_t bytes,
                      const struct mem_site *site, uintptr_t pc)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_cache *first = core->peer.levels.first;
    uint64_t model, line = (uint64_t)addr >> cpu->filter.line_shift;
    if ((addr + bytes - 1) >> cpu->filter.line_shift != line || !first->write_back) return false;
    if (!mem_page_near_store(core, addr, &model) && !mem_lends(core, addr, true, &model))
        return hit_store_segment(core, addr, bytes, site, pc);
    struct mem_line *e = mem_cache_find(first, model);
    if (!e) return store_from_next(core, addr, model, site, pc);
    if (!(e->key & MEM_LINE_DIRTY || mem_ask_own(core, site, e, addr, pc))) return false;
    if (first->ordered) mem_cache_used(&core->peer.levels, first, e);
    mem_hold(core, line, model);
    mem_filter_stored(&cpu->filter, line);
    return true;
}
void mem_hit_store_further(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                           const struct mem_site *site, uintptr_t pc)
{
    if (!hit_store(cpu->core, addr, what & MEM_ASK_BYTES, site, pc))
        mem_above.store(addr, what, cpu, site, pc);
}
/* Of a line in mind, or not. */
static inline void store_held(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                              const struct mem_site *site, uintptr_t pc)
{
    const struct mem_held *held = mem_held(cpu, addr, what & MEM_ASK_BYTES);
    if (MEM_UNLIKELY(!held || !mem_held_own(held)))
        mem_hit_store_further(addr, what, cpu, site, pc);
    else
        mem_held_stored(addr, cpu, held, cpu->core->peer.levels.level[0].order.room);
}
/* While stores to segments wait. */
static __attribute__((noinline)) void store_quietly(uintptr_t addr, uint32_t what,
                                                    struct mem_cpu *cpu,
                                                    const struct mem_site *site, uintptr_t pc)
{
    struct mem_core *core = cpu->core;
    struct mem_cache *first = core->peer.levels.first;
    const struct mem_line *e = mem_quiet_again(core, first, addr, what & MEM_ASK_BYTES, site);
    if (!e) {
        store_held(addr, what, cpu, site, pc);
        return;
    }
    mem_cache_use_line(&core->peer.levels, first, e);
    mem_quiet_known(core, addr);
}
void mem_hit_store(uintptr_t addr, uint32_t what, struct mem_cpu *cpu, const struct mem_site *site,
                   uintptr_t pc)
{
    if (MEM_UNLIKELY(cpu->core->quiet.some))
        store_quietly(addr, what, cpu, site, pc);
    else
        store_held(addr, what, cpu, site, pc);
}
