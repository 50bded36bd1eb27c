/* straight: accesses of the simplest processors (node.c: is_simple), each from beginning to end in
 * one place: private ones, and of segments loads, and stores that fetch nothing.
 *
 * They do what shortcut.c, the core model, the memory and the write buffer say, where so many of
 * their questions have one answer: a first level that is direct mapped and written through, one
 * load in flight that stops nobody until its value is needed, and behind it a second level that has
 * the line, or memory that answers in place. Counts of accesses stay where instrumented code has
 * put them, and what the profile counts goes to its row at once. What neither of two levels has is
 * hit.c's. Left out, and so left to the one path: what may be stale in a segment, or must be paid
 * for first; pages whose translation is not at hand, a line that memory has newer bytes of, entries
 * of a write buffer that leave by themselves.
 *
 * Dates are integers here: nothing touches the program's state of floating point (probe/hooks.c).
 */
#include "mem/access/straight.h"

/* A line that the first level has not got, and where it belongs there. */
struct missing {
    struct mem_line *at;
    uint64_t key, host; /* its key, without a state; its host number */
};

/* The line of the first level that lies where this one belongs has gone; it is asked for at `now`,
 * and comes from the second level or, if there is none, from memory. */
static inline __attribute__((always_inline)) void come(struct mem_cpu *cpu, struct missing m,
                                                       bool two, int64_t now,
                                                       const struct mem_site *site, uintptr_t pc,
                                                       struct profile_stall *row)
{
    struct mem_core *core = cpu->core;
    struct mem_flight *f = cpu->flight;
    struct mem_cache *first = &core->peer.levels.level[0], *next = &core->peer.levels.level[1];
    struct mem_dram_port *port = &core->peer.port;
    int64_t done;
    if (two) {
        next->count.loads++;
        done = now + next->hit;
    } else {
        const int64_t read = MAX(port->free, now);
        done = read + mem_dram_fast(port, m.key >> 8);
        mem_dram_taken(port, read, done);
    }
    mem_filter_forget(&cpu->filter, m.at->host);
    mem_cache_uses(first, m.at);
    *m.at = (struct mem_line){m.key | (two ? COH_I : COH_S), m.host};
    first->count.load_misses++;
    f->there[0] = done;
    mem_flight_alone(f,
                     (struct mem_flying){now + MAX(core->first_hit, site->slack), done, site, pc});
    f->row = row;
}

/* The same where writes wait for memory: what has begun by then goes on. */
static __attribute__((noinline)) void come_behind(struct mem_cpu *cpu, struct missing m,
                                                  int64_t now, const struct mem_site *site,
                                                  uintptr_t pc, struct profile_stall *row)
{
    mem_buffer_advance(&cpu->core->buffer, now);
    come(cpu, m, false, now, site, pc, row);
}

/* The first level has another line where this one belongs: it is fetched, from the second level if
 * there are two. False: a row is not at hand, or the other line leaves something behind; nothing
 * was done. */
static inline __attribute__((always_inline)) bool fetch(struct mem_cpu *cpu, struct missing m,
                                                        uintptr_t addr, bool two,
                                                        const struct mem_site *site, uintptr_t pc)
{
    struct mem_flight *f = cpu->flight;
    struct profile_stall *row = mem_row_at(cpu, addr, pc);
    int64_t now = mem_now(&cpu->ledger) - site->rest, stall = 0;
    if (!row || m.at->key & MEM_LINE_BEHIND) return false;
    if (MEM_LIKELY(f->due <= now)) { /* the load in flight is needed first, and is there then */
        stall = MAX(f->load[0].done - f->due, 0);
        struct profile_stall *waiting = stall > 0 ? row_in_flight(cpu) : row;
        if (!waiting) return false;
        waiting->loads += stall > 0;
        waiting->load_ticks += stall;
    } else if (f->there[0] > now) { /* another is on its way */
        stall = f->there[0] - now;
        row->loads++;
        row->load_ticks += stall;
    }
    now += stall;
    profile_missed(row, addr);
    f->late += stall;
    cpu->ledger.memory += stall;
    if (!two && cpu->core->buffer.queued)
        come_behind(cpu, m, now, site, pc, row);
    else
        come(cpu, m, two, now, site, pc, row);
    return true;
}

/* The same; a second level of several ways is searched. */
static bool fetch_anywhere(struct mem_core *core, struct mem_line *e, uintptr_t addr,
                           uint64_t model, const struct mem_site *site, uintptr_t pc)
{
    struct mem_cache *first = &core->peer.levels.level[0], *next = first->next;
    const struct missing m = {e, model >> first->shift << 8 | MEM_LINE_HELD,
                              (uint64_t)addr >> first->shift};
    if (!next) return fetch(core->cpu, m, addr, false, site, pc);
    const struct mem_line *below = mem_cache_find(next, model);
    if (!below || !fetch(core->cpu, m, addr, true, site, pc)) return false;
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

/* What most loads are, without a call. */
static inline __attribute__((always_inline)) void load(uintptr_t addr, uint32_t what,
                                                       struct mem_cpu *cpu,
                                                       const struct mem_site *site, uintptr_t pc,
                                                       bool two)
{
    struct mem_core *core = cpu->core;
    const struct mem_cache *first = &core->peer.levels.level[0],
                           *next = &core->peer.levels.level[1];
    const uint32_t shift = cpu->filter.line_shift;
    const uint64_t host = (uint64_t)addr >> shift;
    uint64_t model;
    bool known =
        mem_page_near(core, addr, &model) && (addr + (what & MEM_ASK_BYTES) - 1) >> shift == host;
    const uint64_t line = model >> shift;
    struct mem_line *e = first->line + (line & first->set_mask);
    if (known && e->host != host) {
        known = !two || (next->ways == 1 && slot_has(next, mem_cache_slot(next, model), addr));
        const uint64_t key = line << 8 | MEM_LINE_HELD;
        known = known && fetch(cpu, (struct missing){e, key, host}, addr, two, site, pc);
    }
    if (MEM_LIKELY(known))
        cpu->filter.load_ok[host & (MEM_FILTER - 1)] = host;
    else
        load_further(addr, what, cpu, site, pc);
}

void mem_straight_load(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                       const struct mem_site *site, uintptr_t pc)
{
    load(addr, what, cpu, site, pc, false);
}
void mem_straight_load_two(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                           const struct mem_site *site, uintptr_t pc)
{
    load(addr, what, cpu, site, pc, true);
}
