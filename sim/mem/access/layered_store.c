/* layered_store: stores of processors that go on out of order behind several levels: see layered.c.
 * A store goes from the first level to the store buffer where it is the first to its line; then the
 * line is the processor's own. */
#include "mem/access/layered.h"

/* The line, which its last level has as e, may be written without a word to anybody: it is the
 * processor's own now. */
static inline bool own(const struct mem_core *core, struct mem_line *e)
{
    const struct mem_domain *d = core->peer.domain;
    enum coh_state state = COH_M;
    if (mem_line_state(e) != COH_M && d->coherent) {
        const struct coh_step *step = &d->protocol->table[mem_line_state(e)][COH_STORE];
        if (step->actions & (COH_BUS_UPGRADE | COH_BUS_OWN | COH_ILLEGAL)) return false;
        state = step->next;
    }
    e->key = (e->key & ~(uint64_t)MEM_LINE_STATE) | state | MEM_LINE_DIRTY;
    return true;
}

/* A store leaves the first level, and is done `ticks` later: what the processor waits for room. */
static inline int64_t leave(struct mem_core *core, int64_t now, int64_t ticks)
{
    struct mem_flight *f = core->cpu->flight;
    const int64_t done = mem_flight_leaves(f, now) + ticks;
    if (done <= now + core->first_hit) return 0;
    mem_flight_there(f, done);
    const int64_t stall = mem_flight_store(f, done, now);
    if (stall == 0) return 0;
    mem_flight_shift(f, stall);
    core->cpu->ledger.memory += stall;
    return stall;
}

/* The first store to a line that the first level has. False: somebody must be asked. */
static inline bool store_first(struct mem_core *core, struct mem_line *e,
                               const struct mem_site *site, uintptr_t addr, uintptr_t pc)
{
    const int64_t now = settled(core->cpu, site);
    if (!own(core, mem_cache_below(&core->peer.levels.level[0], e))) return false;
    e->key |= MEM_LINE_DIRTY;
    const int64_t stall = leave(core, now, core->first_hit);
    if (stall > 0) mem_above.waited(core->cpu, stall, addr, pc);
    return true;
}

/* The same of a line that only the second level has. */
LAYERED bool store_from_next(struct mem_core *core, struct mem_cpu *cpu, const struct sought *s,
                             struct mem_line *below, uint32_t way, const struct mem_site *site,
                             struct profile_stall *row, struct shape k)
{
    struct mem_cache *next = &core->peer.levels.level[1];
    const int64_t now = settled(cpu, site);
    if (!own(core, below)) return false;
    core->peer.levels.level[0].count.store_misses++;
    next->count.stores++;
    use_next(next, s, way);
    bring(core, cpu, s, below, k)->key |= MEM_LINE_DIRTY;
    const int64_t stall = leave(core, now, next->way.hit);
    profile_missed(row, cpu->rank, s->addr);
    row->store = true;
    if (MEM_LIKELY(stall == 0)) return true;
    row->stores++;
    row->store_ticks += stall;
    return true;
}

/* Must something be noted or paid before the store? */
static inline bool something_first(const struct mem_core *core)
{
    const struct mem_cpu *cpu = core->cpu;
    return core->node->domain.long_owed || mem_missed_any(&cpu->missed) || cpu->flight->waits;
}

LAYERED bool store(struct mem_core *core, struct mem_cpu *cpu, const struct sought *s,
                   const struct mem_site *site, uintptr_t pc, struct shape k)
{
    struct mem_line *e = in_first(&core->peer.levels.level[0], s, k);
    if (!e || !(e->key & MEM_LINE_DIRTY)) {
        if (something_first(core)) return false;
        if (!e) {
            uint32_t way;
            struct profile_stall *row = mem_row_at(cpu, s->addr, pc);
            struct mem_line *below = row ? in_next(&core->peer.levels.level[1], s, &way, k) : NULL;
            return below && store_from_next(core, cpu, s, below, way, site, row, k);
        }
        if (!store_first(core, e, site, s->addr, pc)) return false;
    }
    use(core, cpu, s, e, k);
    return true;
}

LAYERED void store_missing(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                           const struct mem_site *site, uintptr_t pc, struct shape k)
{
    struct mem_core *core = cpu->core;
    struct sought s;
    if (MEM_LIKELY(seek(core, cpu, addr, true, &s, k)) &&
        MEM_LIKELY(store(core, cpu, &s, site, pc, k)))
        mem_filter_stored(&cpu->filter, s.host);
    else
        mem_hit_store_further(addr, what, cpu, site, pc);
}
static __attribute__((noinline)) void store_missing_usual(uintptr_t addr, uint32_t what,
                                                          struct mem_cpu *cpu,
                                                          const struct mem_site *site, uintptr_t pc)
{
    store_missing(addr, what, cpu, site, pc, LAYERED_USUAL);
}
static __attribute__((noinline)) void store_missing_any(uintptr_t addr, uint32_t what,
                                                        struct mem_cpu *cpu,
                                                        const struct mem_site *site, uintptr_t pc)
{
    store_missing(addr, what, cpu, site, pc, LAYERED_ANY);
}

/* Of a line in mind that is not the processor's own to write yet. */
static __attribute__((noinline)) void store_held(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                                                 const struct mem_site *site, uintptr_t pc,
                                                 const struct mem_held *held)
{
    struct mem_core *core = cpu->core;
    struct mem_cache *first = &core->peer.levels.level[0];
    if (!something_first(core) &&
        store_first(core, first->line + (held->at - first->line), site, addr, pc)) {
        mem_held_use(cpu, held, LAYERED_FIRST);
        mem_filter_stored(&cpu->filter, (uint64_t)addr >> cpu->filter.line_shift);
    } else {
        mem_hit_store_further(addr, what, cpu, site, pc);
    }
}

/* Of one that is. Apart, so that others save no registers for it. */
static __attribute__((noinline)) void store_own(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                                                const struct mem_site *site,
                                                const struct mem_held *held)
{
    (void)what, (void)site;
    mem_held_stored(addr, cpu, held, LAYERED_FIRST);
}

LAYERED void layered_store(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                           const struct mem_site *site, uintptr_t pc, mem_ask *missing,
                           struct shape k)
{
    const uint64_t host = (uint64_t)addr >> shift_of(cpu, k);
    const struct mem_held *held = layered_held(cpu, host);
    if (MEM_UNLIKELY(cpu->core->quiet.some))
        mem_hit_store(addr, what, cpu, site, pc);
    else if (MEM_UNLIKELY((addr + (what & MEM_ASK_BYTES) - 1) >> shift_of(cpu, k) != host))
        mem_hit_store_further(addr, what, cpu, site, pc);
    else if (MEM_UNLIKELY(!layered_is(held, host) || !held->stores))
        missing(addr, what, cpu, site, pc);
    else if (MEM_UNLIKELY(!mem_held_own(held)))
        store_held(addr, what, cpu, site, pc, held);
    else
        store_own(addr, what, cpu, site, held);
}
void mem_layered_store(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                       const struct mem_site *site, uintptr_t pc)
{
    layered_store(addr, what, cpu, site, pc, store_missing_usual, LAYERED_USUAL);
}
void mem_layered_store_any(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                           const struct mem_site *site, uintptr_t pc)
{
    layered_store(addr, what, cpu, site, pc, store_missing_any, LAYERED_ANY);
}
