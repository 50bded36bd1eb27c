/* straight: accesses of the simplest processors (node.c: is_simple), each from beginning to end in
 * one place: private ones, and of segments loads, and stores that fetch nothing.
 *
 * They do what shortcut.c, the core model, the memory and the write buffer say, where so many of
 * their questions have one answer: a first level that is direct mapped and written through, one
 * load in flight that stops nobody until its value is needed, and behind it a second level that has
 * the line, or memory that answers in place. Counts of accesses stay where instrumented code has
 * put them, and what the profile counts goes to its row at once. Left out, and so left to the one
 * path: what may be stale in a segment, or must be paid for first; pages whose translation is not
 * at hand, a line that memory has newer bytes of, entries of a write buffer that leave by
 * themselves.
 *
 * Dates are integers here: nothing touches the program's state of floating point (probe/hooks.c).
 */
#include "base/floating/floating.h"
#include "mem/access/deep.h"
#include "mem/access/straight.h"

/* What keeps the processor waiting when it asks at `now`, in whose row; NULL: nothing. */
struct waiting {
    int64_t ticks;
    struct profile_stall *row;
};
static inline struct waiting waits_for(const struct mem_flight *f, int64_t now,
                                       struct profile_stall *row)
{
    const struct mem_flying *load = mem_flight_only(f);
    if (MEM_LIKELY(f->due <= now)) /* the load in flight is needed first, and is there then */
        return (struct waiting){MAX(load->done - f->due, 0), f->row};
    const int64_t there = *mem_flight_only_there(f); /* another may be on its way */
    return (struct waiting){MAX(there - now, 0), row};
}

/* It waits. False: that has no row; nothing was done. */
static inline bool waited(struct mem_cpu *cpu, const struct waiting *w)
{
    if (MEM_UNLIKELY(!w->row)) return false;
    w->row->loads++;
    w->row->load_ticks += w->ticks;
    cpu->flight->late += w->ticks;
    cpu->ledger.memory += w->ticks;
    return true;
}

/* The line comes to `e` of the first level, asked for at `now`; the row is at hand, and counts that
 * miss afterwards. */
static inline __attribute__((always_inline)) void
arrive(uintptr_t addr, struct mem_cpu *cpu, struct mem_line *e, uint64_t line, int64_t now,
       const struct mem_site *site, uintptr_t pc, struct profile_stall *row, bool two)
{
    struct mem_core *core = cpu->core;
    struct mem_cache *first = &core->peer.levels.level[0], *next = &core->peer.levels.level[1];
    const uint64_t host = (uint64_t)addr >> cpu->filter.line_shift;
    int64_t done;
    mem_filter_forget(&cpu->filter, e->host);
    *e = (struct mem_line){line << 8 | MEM_LINE_HELD | (two ? COH_I : COH_S), host};
    first->count.load_misses++;
    if (two) {
        next->count.loads++;
        done = now + next->hit;
    } else {
        struct mem_dram_port *port = &core->peer.port;
        const int64_t read = MAX(port->free, now);
        done = read + mem_dram_fast(port, line);
        mem_dram_taken(port, read, done);
    }
    mem_flight_only_is(cpu->flight, now + MAX(core->first_hit, site->slack), done, pc, row);
}
/* The same of a private line where writes wait for memory: what has begun by then goes on. */
static __attribute__((noinline)) void arrive_behind(uintptr_t addr, struct mem_cpu *cpu,
                                                    int64_t now, const struct mem_site *site,
                                                    uintptr_t pc, struct profile_stall *row)
{
    struct mem_core *core = cpu->core;
    struct mem_cache *first = &core->peer.levels.level[0];
    const uint64_t host = (uint64_t)addr >> first->shift;
    uint64_t model;
    mem_page_near(core, addr, &model);
    mem_buffer_advance(&core->buffer, now);
    arrive(addr, cpu, mem_cache_slot(first, model), model >> first->shift, now, site, pc, row,
           false);
    cpu->filter.load_ok[host & (MEM_FILTER - 1)] = host;
    profile_missed(row, cpu->rank, addr);
}

/* The first level has another line where this one, which is of that number, belongs: it is fetched,
 * from the second level if there are two. False: a row is not at hand, or the other line leaves
 * something behind; nothing was done. */
static inline bool fetch(struct mem_cpu *cpu, struct mem_line *e, uint64_t line, uintptr_t addr,
                         bool two, const struct mem_site *site, uintptr_t pc)
{
    struct mem_flight *f = cpu->flight;
    struct mem_core *core = cpu->core;
    struct profile_stall *row = mem_row_at(cpu, addr, pc);
    int64_t now = mem_now(&cpu->ledger) - site->rest;
    if (!row || e->key & MEM_LINE_BEHIND) return false;
    struct waiting w = waits_for(f, now, row);
    if (w.ticks > 0 && !w.row) w.row = row_in_flight(cpu);
    if (w.ticks > 0 && !waited(cpu, &w)) return false;
    now += w.ticks;
    if (!two && core->buffer.queued) mem_buffer_advance(&core->buffer, now);
    mem_cache_uses(&core->peer.levels.level[0], e);
    arrive(addr, cpu, e, line, now, site, pc, row, two);
    profile_missed(row, cpu->rank, addr);
    return true;
}

/* The same; a second level of several ways is searched. */
static bool fetch_anywhere(struct mem_core *core, struct mem_line *e, uintptr_t addr,
                           uint64_t model, const struct mem_site *site, uintptr_t pc)
{
    struct mem_cache *first = &core->peer.levels.level[0], *next = first->next;
    const uint64_t line = model >> first->shift;
    if (!next) return fetch(core->cpu, e, line, addr, false, site, pc);
    const struct mem_line *below = mem_cache_find(next, model);
    if (!below || !fetch(core->cpu, e, line, addr, true, site, pc)) return false;
    if (next->ordered) mem_cache_used(&core->peer.levels, next, below);
    return true;
}

/* A load from a segment. False: not that simple, or it may be stale. */
static __attribute__((noinline)) bool segment_load(struct mem_core *core,
                                                   const struct mem_near_segment *near,
                                                   uintptr_t addr, uint64_t bytes, uintptr_t pc,
                                                   const struct mem_site *site)
{
    struct mem_cpu *cpu = core->cpu;
    const struct mem_cache *first = &core->peer.levels.level[0];
    uint64_t model = mem_model(near->where, addr), line = model >> first->shift;
    int64_t now = settled(cpu, cpu->flight, mem_now(&cpu->ledger) - site->rest);
    if (!mem_may_lead(core, near->where, addr, now)) return false;
    mem_deferred_commit(&core->own);
    struct mem_line *e = first->line + (line & first->set_mask);
    if (mem_line_is(e, line << 8 | MEM_LINE_HELD)) {
        mem_filter_segment(core, near->region, addr);
        return !near->image || mem_same_bytes((const void *)addr,
                                              near->image + (addr & (MEM_PAGE_BYTES - 1)), bytes);
    }
    if ((!first->next && core->node->pool) || !fetch_anywhere(core, e, addr, model, site, pc))
        return false;
    if (!first->next)
        mem_view_catch_up(&core->own, addr >> first->shift << first->shift,
                          UINT64_C(1) << first->shift);
    mem_filter_segment(core, near->region, addr);
    return true;
}

/* False: nothing was done. */
static bool load_anywhere(struct mem_core *core, uintptr_t addr, uint64_t bytes,
                          const struct mem_site *site, uintptr_t pc)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_cache *first = &core->peer.levels.level[0];
    uint64_t model, host = (uint64_t)addr >> first->shift;
    if ((addr + bytes - 1) >> first->shift != host) return false;
    if (!mem_page_near(core, addr, &model) && !mem_lends(core, addr, false, &model)) {
        const struct mem_near_segment *near = mem_segment_near(core, addr);
        if (near) return segment_load(core, near, addr, bytes, pc, site);
        if (!mem_is_private(core, addr, &model)) return false;
    }
    struct mem_line *e = mem_cache_slot(first, model);
    if (!mem_line_is(e, model >> first->shift << 8 | MEM_LINE_HELD) &&
        !fetch_anywhere(core, e, addr, model, site, pc) &&
        !mem_load_further(core, addr, model, site, pc))
        return false;
    cpu->filter.load_ok[host & (MEM_FILTER - 1)] = host;
    return true;
}
static __attribute__((noinline)) void load_further(uintptr_t addr, uint32_t what,
                                                   struct mem_cpu *cpu, const struct mem_site *site,
                                                   uintptr_t pc)
{
    if (!load_anywhere(cpu->core, addr, what & MEM_ASK_BYTES, site, pc))
        mem_above.load(addr, what, cpu, site, pc);
}

/* ---- what neither of two levels has, as hit.c and deep.c say it of any levels ------------------
 */

/* The second level's line goes, at `now`: from the first one, too, which has no newer bytes. */
static inline void evict_next(struct mem_core *core, struct mem_line *e, int64_t now)
{
    struct mem_cache *first = &core->peer.levels.level[0], *next = &core->peer.levels.level[1];
    const uint64_t lines = UINT64_C(1) << (next->shift - first->shift),
                   from = (e->key >> 8) * lines;
    for (uint64_t line = from; line < from + lines; line++) {
        struct mem_line *above = first->line + (line & first->set_mask);
        if (!mem_line_is(above, line << 8 | MEM_LINE_HELD)) continue;
        mem_filter_drop(&core->cpu->filter, above->host);
        *above = (struct mem_line){0};
    }
    mem_line_goes(core, e, now);
}
/* The private line comes to both at `now`; it takes the places of others. */
static inline void place_in_both(struct mem_core *core, uintptr_t addr, uint64_t model, int64_t now)
{
    struct mem_cache *first = &core->peer.levels.level[0], *next = &core->peer.levels.level[1];
    struct mem_line *e = mem_cache_slot(first, model), *below = mem_cache_slot(next, model);
    mem_cache_uses(next, below);
    if (mem_line_held(below)) evict_next(core, below, now);
    *below = (struct mem_line){(model >> next->shift) << 8 | MEM_LINE_HELD |
                                   mem_loaded_state(core->peer.domain),
                               (uint64_t)addr >> next->shift};
    mem_cache_uses(first, e);
    if (mem_line_held(e)) mem_filter_drop(&core->cpu->filter, e->host);
    *e = (struct mem_line){(model >> first->shift) << 8 | MEM_LINE_HELD | COH_I,
                           (uint64_t)addr >> first->shift};
}
/* NOT: a row is not at hand, or something must be noted first; nothing was done but that what was
 * needed by now has been waited for. */
enum played { NOT, DONE, PAY_FIRST };
static inline enum played load_deep(struct mem_core *core, uintptr_t addr, uint64_t model,
                                    const struct mem_site *site, uintptr_t pc)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_flight *f = cpu->flight;
    struct mem_cache *first = &core->peer.levels.level[0], *next = &core->peer.levels.level[1];
    struct profile_stall *row = mem_row_at(cpu, addr, pc);
    if (!row || mem_missed_any(&cpu->missed) || !mem_note_waits(cpu)) return NOT;
    const int64_t now = settled(cpu, f, mem_now(&cpu->ledger) - site->rest);
    if (!mem_owes_in_time(core, now - cpu->ledger.clock))
        return mem_pays_first(cpu) ? PAY_FIRST : NOT;
    const int64_t begun = mem_flight_leaves(f, now), stall = begun - now;
    const unsigned floating = base_sse_begin(); /* a calendar guesses a place in it by fractions */
    const int64_t done = core->node->domain.shared ? mem_behind_last(core, model, begun)
                                                   : mem_from_memory(core, model, begun);
    place_in_both(core, addr, model, done);
    base_sse_end(floating);
    next->count.loads++;
    next->count.load_misses++;
    first->count.load_misses++;
    f->late += stall;
    f->there[0] = done;
    mem_flight_alone(
        f, (struct mem_flying){begun + MAX(core->first_hit, site->slack), done, site, pc});
    f->row = row;
    cpu->ledger.memory += stall;
    profile_missed(row, core->cpu->rank, addr);
    row->missed[1]++;
    if (stall == 0) return DONE;
    row->loads++;
    row->load_ticks += stall;
    return DONE;
}
/* Both levels are direct mapped, there is no third, and neither has the private line? */
static inline bool is_missing(struct mem_core *core, uintptr_t addr, uint64_t bytes,
                              uint64_t *model)
{
    const struct mem_cache *first = &core->peer.levels.level[0], *next = first->next;
    if (next->next || next->ways != 1) return false;
    if ((addr ^ (addr + bytes - 1)) >> first->shift) return false;
    if (!mem_page_near(core, addr, model) && !mem_lends(core, addr, false, model) &&
        (mem_segment_at_hand(core, addr) || !mem_is_private(core, addr, model)))
        return false;
    return !first_has(first, *model) && !mem_cache_find(next, *model);
}
static __attribute__((noinline)) void load_missing_two(uintptr_t addr, uint32_t what,
                                                       struct mem_cpu *cpu,
                                                       const struct mem_site *site, uintptr_t pc)
{
    struct mem_core *core = cpu->core;
    const uint64_t host = (uint64_t)addr >> cpu->filter.line_shift;
    uint64_t model;
    enum played played = NOT;
    if (is_missing(core, addr, what & MEM_ASK_BYTES, &model))
        played = load_deep(core, addr, model, site, pc);
    if (MEM_LIKELY(played == DONE))
        cpu->filter.load_ok[host & (MEM_FILTER - 1)] = host;
    else if (played == PAY_FIRST)
        mem_above.pay_first(addr, what, cpu, site, pc);
    else
        load_further(addr, what, cpu, site, pc);
}

/* What most loads are: no call comes back here, so that nothing is saved for one. False: not that
 * simple, nothing was done. */
static inline __attribute__((always_inline)) bool quick_load(uintptr_t addr, uint32_t what,
                                                             struct mem_cpu *cpu,
                                                             const struct mem_site *site,
                                                             uintptr_t pc, bool two)
{
    struct mem_core *core = cpu->core;
    struct mem_cache *first = &core->peer.levels.level[0], *next = &core->peer.levels.level[1];
    const uint32_t shift = cpu->filter.line_shift;
    const uint64_t host = (uint64_t)addr >> shift;
    uint64_t model;
    if (!mem_page_near(core, addr, &model)) return false;
    if ((addr ^ (addr + (what & MEM_ASK_BYTES) - 1)) >> shift) return false;
    const uint64_t line = model >> shift, set = line & first->set_mask;
    struct mem_line *e = first->line + set;
    if (e->host == host) {
        cpu->filter.load_ok[host & (MEM_FILTER - 1)] = host;
        cpu->played--;
        return true;
    }
    if (two && (next->ways != 1 || !slot_has(next, mem_cache_slot(next, model), addr)))
        return false;
    struct profile_stall *row = mem_row_near(cpu, addr, pc);
    if (!row) return false;
    if (e->key & MEM_LINE_BEHIND || set >= first->used) return false;
    struct mem_flight *f = cpu->flight;
    int64_t now = mem_now(&cpu->ledger) - site->rest;
    const struct waiting w = waits_for(f, now, row);
    if (w.ticks > 0 && !waited(cpu, &w)) return false;
    now += w.ticks;
    if (!two && core->buffer.queued) {
        arrive_behind(addr, cpu, now, site, pc, row);
    } else {
        arrive(addr, cpu, e, line, now, site, pc, row, two);
        cpu->filter.load_ok[host & (MEM_FILTER - 1)] = host;
        profile_missed(row, cpu->rank, addr);
    }
    return true;
}

/* Its page may be a private one that was not at hand. */
static __attribute__((noinline)) void load_far(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                                               const struct mem_site *site, uintptr_t pc)
{
    uint64_t model;
    if (mem_page_near(cpu->core, addr, &model) || !mem_find_private(cpu->core, addr) ||
        !quick_load(addr, what, cpu, site, pc, false))
        load_further(addr, what, cpu, site, pc);
}
void mem_straight_load(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                       const struct mem_site *site, uintptr_t pc)
{
    if (MEM_UNLIKELY(!quick_load(addr, what, cpu, site, pc, false)))
        load_far(addr, what, cpu, site, pc);
}
void mem_straight_load_two(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                           const struct mem_site *site, uintptr_t pc)
{
    if (MEM_UNLIKELY(!quick_load(addr, what, cpu, site, pc, true)))
        load_missing_two(addr, what, cpu, site, pc);
}
