/* layered: private accesses of processors that go on out of order, of two levels and more (node.c:
 * is_layered), each from beginning to end in one place.
 *
 * They do what hit.c, line.h, own.c, the core model and the levels say, where so many of their
 * questions have one answer: a first level of up to 8 ways that keeps stores and a second one of up
 * to 16, whose lines are of one size; in both a hit counts, and the line that was hit longest ago
 * goes; the second takes one time for each line. So a line's set, number and mark are found once,
 * and what leaves the first level, the one used longest ago, is not in the filter. What is not that
 * simple is left to hit.c with nothing done, but that what was needed by now has been waited for.
 */
#include "base/floating/floating.h"
#include "mem/access/deep.h"
#include "mem/access/layered.h"

/* NOT: it is left to hit.c. */
enum played { NOT, DONE, PAY_FIRST };

/* When the load may leave. */
static inline int64_t leaves(const struct mem_cpu *cpu, const struct mem_site *site, int64_t now)
{
    int64_t known = now;
    if (site->after != MEM_AFTER_NONE) known = mem_address_known(cpu->flight, site, now);
    return mem_flight_leaves(cpu->flight, known);
}
/* It was asked for at `now`, and is there at `done`. */
LAYERED void comes(struct mem_core *core, struct mem_cpu *cpu, const struct sought *s,
                   const struct mem_site *site, uintptr_t pc, struct profile_stall *row,
                   int64_t now, int64_t done)
{
    struct mem_flight *f = cpu->flight;
    mem_flight_there(f, done);
    const int64_t need = now + MAX(core->first_hit, site->slack),
                  stall = mem_flight_add(f, need, done, site, pc, now);
    core->peer.levels.level[0].count.load_misses++;
    profile_missed(row, cpu->rank, s->addr);
    if (MEM_LIKELY(stall == 0)) return;
    cpu->ledger.memory += stall;
    row->loads++;
    row->load_ticks += stall;
}

/* The second level has it, in that way. */
LAYERED void load_from_next(struct mem_core *core, struct mem_cpu *cpu, const struct sought *s,
                            const struct mem_line *below, uint32_t way, const struct mem_site *site,
                            uintptr_t pc, struct profile_stall *row, struct shape k)
{
    struct mem_cache *next = &core->peer.levels.level[1];
    const int64_t now = settled(cpu, site), done = leaves(cpu, site, now) + next->way.hit;
    next->count.loads++;
    use_next(next, s, way);
    bring(core, cpu, s, below, k);
    comes(core, cpu, s, site, pc, row, now, done);
}

/* The second level's line goes, at `now`: from the first one, too. */
LAYERED void evict_next(struct mem_core *core, struct mem_cpu *cpu, struct mem_line *e, int64_t now,
                        struct shape k)
{
    struct mem_cache *first = &core->peer.levels.level[0];
    const struct sought s = sought(e->key >> 8);
    struct mem_line *above = in_first(first, &s, k);
    if (MEM_UNLIKELY(above != NULL)) {
        mem_filter_forget(&cpu->filter, above->host);
        if (above->key & MEM_LINE_DIRTY) first->count.write_backs++;
        e->key |= above->key & MEM_LINE_DIRTY;
        mem_cache_empty(first, above);
    }
    mem_line_goes(core, e, now);
}
/* The line comes to the second level at `now`. */
LAYERED struct mem_line *place_in_next(struct mem_core *core, struct mem_cpu *cpu,
                                       const struct sought *s, int64_t now, struct shape k)
{
    struct mem_cache *next = &core->peer.levels.level[1];
    const uint32_t n = ways_of(next, k.next);
    const uint64_t set = s->line & next->set_mask;
    const struct places p = places_of(next, set, LAYERED_NEXT);
    const uint32_t last = mem_order_way(p.all, n - 1);
    struct mem_line *e = next->line + set * n + last;
    if (MEM_UNLIKELY(set >= next->used)) next->used = set + 1;
    if (mem_line_held(e)) evict_next(core, cpu, e, now, k);
    *e = (struct mem_line){s->line << 8 | MEM_LINE_HELD | mem_loaded_state(core->peer.domain),
                           s->host};
    ((uint8_t *)(next->mark + 2 * set))[last] = (uint8_t)s->mark;
    bring_last(&p, LAYERED_NEXT, n, last);
    return e;
}

/* The way of the second level that the line will come to lie in. */
LAYERED struct mem_line *last_of_next(const struct mem_cache *next, const struct sought *s,
                                      struct shape k)
{
    const uint32_t n = ways_of(next, k.next);
    const uint64_t set = s->line & next->set_mask;
    return next->line + set * n + mem_order_way(places_of(next, set, LAYERED_NEXT).all, n - 1);
}
/* The shared level will be asked for the line, and for what leaves for it, if that was written. */
LAYERED void shared_level_soon(const struct mem_core *core, const struct sought *s, struct shape k)
{
    const struct mem_shared_level *shared = core->node->domain.shared;
    const struct mem_cache *next = &core->peer.levels.level[1];
    if (!shared) return;
    mem_shared_level_soon(shared, s->line << next->shift);
    const struct mem_line *last = last_of_next(next, s, k);
    if (last->key & MEM_LINE_DIRTY) mem_shared_level_soon(shared, (last->key >> 8) << next->shift);
}
/* Neither has it. */
LAYERED enum played load_deep(struct mem_core *core, struct mem_cpu *cpu, const struct sought *s,
                              const struct mem_site *site, uintptr_t pc, struct profile_stall *row,
                              struct shape k)
{
    struct mem_cache *next = &core->peer.levels.level[1];
    const uint64_t model = s->line << next->shift;
    shared_level_soon(core, s, k);
    const int64_t now = settled(cpu, site);
    if (!mem_owes_in_time(core, now - cpu->ledger.clock))
        return mem_pays_first(cpu) ? PAY_FIRST : NOT;
    const int64_t begun = leaves(cpu, site, now);
    const unsigned floating = base_sse_begin(); /* a calendar guesses a place in it by fractions */
    const int64_t done = core->node->domain.shared ? mem_from_shared(core, model, begun)
                                                   : mem_from_memory(core, model, begun);
    next->count.loads++;
    next->count.load_misses++;
    row->missed[1]++;
    bring(core, cpu, s, place_in_next(core, cpu, s, done, k), k);
    base_sse_end(floating);
    comes(core, cpu, s, site, pc, row, now, done);
    return DONE;
}

LAYERED enum played load(struct mem_core *core, struct mem_cpu *cpu, const struct sought *s,
                         const struct mem_site *site, uintptr_t pc, struct shape k)
{
    const struct mem_line *e = in_first(&core->peer.levels.level[0], s, k);
    if (e) {
        use(core, cpu, s, e, k);
        return DONE;
    }
    struct profile_stall *row = row_to_leave(cpu, s->addr, pc);
    if (MEM_UNLIKELY(!row)) return NOT;
    uint32_t way;
    const struct mem_line *below = in_next(&core->peer.levels.level[1], s, &way, k);
    if (!below) return load_deep(core, cpu, s, site, pc, row, k);
    load_from_next(core, cpu, s, below, way, site, pc, row, k);
    return DONE;
}

LAYERED void load_missing(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                          const struct mem_site *site, uintptr_t pc, struct shape k)
{
    struct mem_core *core = cpu->core;
    struct sought s;
    enum played played = NOT;
    if (MEM_LIKELY(seek(core, cpu, addr, false, &s, k))) played = load(core, cpu, &s, site, pc, k);
    if (MEM_LIKELY(played == DONE))
        cpu->filter.load_ok[s.host & (MEM_FILTER - 1)] = s.host;
    else if (played == PAY_FIRST)
        mem_above.pay_first(addr, what, cpu, site, pc);
    else
        mem_hit_load_further(addr, what, cpu, site, pc);
}
static __attribute__((noinline)) void load_missing_usual(uintptr_t addr, uint32_t what,
                                                         struct mem_cpu *cpu,
                                                         const struct mem_site *site, uintptr_t pc)
{
    load_missing(addr, what, cpu, site, pc, LAYERED_USUAL);
}
static __attribute__((noinline)) void load_missing_any(uintptr_t addr, uint32_t what,
                                                       struct mem_cpu *cpu,
                                                       const struct mem_site *site, uintptr_t pc)
{
    load_missing(addr, what, cpu, site, pc, LAYERED_ANY);
}

/* Of a line in mind. Apart, so that what is not saves no registers for it; what it is handed stands
 * where it was. */
static __attribute__((noinline)) void load_held(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                                                const struct mem_site *site,
                                                const struct mem_held *held)
{
    (void)what, (void)site;
    mem_held_loaded(addr, cpu, held, LAYERED_FIRST);
}
LAYERED void layered_load(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                          const struct mem_site *site, uintptr_t pc, mem_ask *missing,
                          struct shape k)
{
    const uint64_t host = (uint64_t)addr >> shift_of(cpu, k);
    const struct mem_held *held = layered_held(cpu, host);
    if (MEM_UNLIKELY((addr + (what & MEM_ASK_BYTES) - 1) >> shift_of(cpu, k) != host))
        mem_hit_load_further(addr, what, cpu, site, pc);
    else if (layered_is(held, host))
        load_held(addr, what, cpu, site, held);
    else
        missing(addr, what, cpu, site, pc);
}
static void load_usual(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                       const struct mem_site *site, uintptr_t pc)
{
    layered_load(addr, what, cpu, site, pc, load_missing_usual, LAYERED_USUAL);
}
static void load_any(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                     const struct mem_site *site, uintptr_t pc)
{
    layered_load(addr, what, cpu, site, pc, load_missing_any, LAYERED_ANY);
}

void mem_layered_asks(struct mem_cpu *cpu)
{
    const struct mem_levels *l = &cpu->core->peer.levels;
    const struct shape k = LAYERED_USUAL;
    const bool usual = l->level[0].ways == k.first && l->level[1].ways == k.next &&
                       cpu->filter.line_shift == k.shift;
    cpu->load = usual ? load_usual : load_any;
    cpu->store = usual ? mem_layered_store : mem_layered_store_any;
}
