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
static inline void comes(struct mem_core *core, const struct sought *s, const struct mem_site *site,
                         uintptr_t pc, struct profile_stall *row, int64_t now, int64_t done)
{
    struct mem_flight *f = core->cpu->flight;
    mem_flight_there(f, done);
    const int64_t need = now + MAX(core->first_hit, site->slack),
                  stall = mem_flight_add(f, need, done, site, pc, now);
    core->peer.levels.level[0].count.load_misses++;
    profile_missed(row, s->addr);
    if (MEM_LIKELY(stall == 0)) return;
    core->cpu->ledger.memory += stall;
    row->loads++;
    row->load_ticks += stall;
}

/* The second level has it. */
LAYERED void load_from_next(struct mem_core *core, const struct sought *s,
                            const struct mem_line *below, const struct mem_site *site, uintptr_t pc,
                            struct profile_stall *row, struct shape k)
{
    struct mem_cache *next = &core->peer.levels.level[1];
    const int64_t now = settled(core->cpu, site),
                  done = leaves(core->cpu, site, now) + next->way.hit;
    next->count.loads++;
    use_next(next, s, below, k);
    bring(core, s, below, k);
    comes(core, s, site, pc, row, now, done);
}

/* The second level's line goes, at `now`: from the first one, too. */
LAYERED void evict_next(struct mem_core *core, struct mem_line *e, int64_t now, struct shape k)
{
    struct mem_cache *first = &core->peer.levels.level[0];
    const uint64_t line = e->key >> 8;
    const struct sought s = {.line = line, .mark = mem_line_mark(line)};
    struct mem_line *above = in_first(first, &s, k);
    if (MEM_UNLIKELY(above != NULL)) {
        mem_filter_forget(&core->cpu->filter, above->host);
        if (above->key & MEM_LINE_DIRTY) first->count.write_backs++;
        e->key |= above->key & MEM_LINE_DIRTY;
        mem_cache_empty(first, above);
    }
    mem_line_goes(core, e, now);
}
/* The line comes to the second level at `now`. */
LAYERED struct mem_line *place_in_next(struct mem_core *core, const struct sought *s, int64_t now,
                                       struct shape k)
{
    struct mem_cache *next = &core->peer.levels.level[1];
    const uint32_t n = ways_of(next, k.next);
    const uint64_t set = s->line & next->set_mask, start = start_of(next, k.next);
    uint64_t *word = &next->order.word[set];
    const uint64_t order = *word ^ start, last = order >> 4 * (n - 1) & 15;
    struct mem_line *e = next->line + set * n + last;
    if (MEM_UNLIKELY(set >= next->used)) next->used = set + 1;
    if (mem_line_held(e)) evict_next(core, e, now, k);
    *e = (struct mem_line){s->line << 8 | MEM_LINE_HELD | mem_loaded_state(core->peer.domain),
                           s->host};
    mark_way(next, set, k.next, last, s->mark);
    *word = mem_order_rotated(order, n, last) ^ start;
    return e;
}

/* The way of the second level that the line will come to lie in. */
LAYERED struct mem_line *last_of_next(const struct mem_cache *next, const struct sought *s,
                                      struct shape k)
{
    const uint32_t n = ways_of(next, k.next);
    const uint64_t set = s->line & next->set_mask;
    return next->line + set * n +
           ((next->order.word[set] ^ start_of(next, k.next)) >> 4 * (n - 1) & 15);
}
/* The shared level will be asked for the line, and for what leaves for it, if that was written. */
LAYERED void shared_level_soon(const struct mem_core *core, const struct sought *s, struct shape k)
{
    const struct mem_shared_level *shared = core->node->domain.shared;
    const struct mem_cache *next = &core->peer.levels.level[1];
    if (!shared) return;
    mem_shared_level_soon(shared, s->model);
    const struct mem_line *last = last_of_next(next, s, k);
    if (last->key & MEM_LINE_DIRTY) mem_shared_level_soon(shared, (last->key >> 8) << next->shift);
}
/* Neither has it. */
LAYERED enum played load_deep(struct mem_core *core, const struct sought *s,
                              const struct mem_site *site, uintptr_t pc, struct profile_stall *row,
                              struct shape k)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_cache *next = &core->peer.levels.level[1];
    shared_level_soon(core, s, k);
    const int64_t now = settled(cpu, site);
    if (!mem_owes_in_time(core, now - cpu->ledger.clock))
        return mem_pays_first(cpu) ? PAY_FIRST : NOT;
    const int64_t begun = leaves(cpu, site, now);
    const unsigned floating = base_sse_begin(); /* a calendar guesses a place in it by fractions */
    const int64_t done = core->node->domain.shared ? mem_from_shared(core, s->model, begun)
                                                   : mem_from_memory(core, s->model, begun);
    next->count.loads++;
    next->count.load_misses++;
    row->missed[1]++;
    bring(core, s, place_in_next(core, s, done, k), k);
    base_sse_end(floating);
    comes(core, s, site, pc, row, now, done);
    return DONE;
}

/* It gets a copy, so that what is sought need not lie in memory elsewhere. */
static __attribute__((noinline)) enum played load_deep_any(struct mem_core *core, struct sought s,
                                                           const struct mem_site *site,
                                                           uintptr_t pc, struct profile_stall *row)
{
    return load_deep(core, &s, site, pc, row, LAYERED_ANY);
}

LAYERED enum played load(struct mem_core *core, const struct sought *s, const struct mem_site *site,
                         uintptr_t pc, struct shape k)
{
    const struct mem_line *e = in_first(&core->peer.levels.level[0], s, k);
    struct profile_stall *row = e ? NULL : row_to_leave(core->cpu, s->addr, pc);
    const struct mem_line *below = row ? in_next(&core->peer.levels.level[1], s, k) : NULL;
    if (e)
        use(core, s, e);
    else if (below)
        load_from_next(core, s, below, site, pc, row, k);
    else if (!row)
        return NOT;
    else
        return k.first ? load_deep(core, s, site, pc, row, LAYERED_USUAL)
                       : load_deep_any(core, *s, site, pc, row);
    return DONE;
}

static __attribute__((noinline)) void load_missing(uintptr_t addr, uint32_t what,
                                                   struct mem_cpu *cpu, const struct mem_site *site,
                                                   uintptr_t pc)
{
    struct mem_core *core = cpu->core;
    struct sought s;
    enum played played = NOT;
    if (MEM_LIKELY(seek(core, addr, what & MEM_ASK_BYTES, false, &s)))
        played = is_usual(&core->peer.levels) ? load(core, &s, site, pc, LAYERED_USUAL)
                                              : load(core, &s, site, pc, LAYERED_ANY);
    if (MEM_LIKELY(played == DONE))
        cpu->filter.load_ok[s.host & (MEM_FILTER - 1)] = s.host;
    else if (played == PAY_FIRST)
        mem_above.pay_first(addr, what, cpu, site, pc);
    else
        mem_hit_load_further(addr, what, cpu, site, pc);
}

void mem_layered_load(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                      const struct mem_site *site, uintptr_t pc)
{
    if (MEM_UNLIKELY(!mem_held_load(addr, what & MEM_ASK_BYTES, cpu)))
        load_missing(addr, what, cpu, site, pc);
}
