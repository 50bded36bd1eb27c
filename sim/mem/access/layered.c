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
#include "mem/access/flying.h"
#include "mem/access/held.h"
#include "mem/access/line.h"

/* A private line, as both levels name it. */
struct sought {
    uint64_t host, model, line, mark; /* its host number; address; number and mark in the levels */
};

/* False: it is of two lines, or its page is not private, or its translation not there. */
static inline bool seek(struct mem_core *core, uintptr_t addr, uint64_t bytes, struct sought *s)
{
    const uint32_t shift = core->cpu->filter.line_shift;
    s->host = (uint64_t)addr >> shift;
    if ((addr + bytes - 1) >> shift != s->host) return false;
    if (!mem_page_near(core, addr, &s->model) &&
        (mem_segment_at_hand(core, addr) || !mem_is_private(core, addr, &s->model)))
        return false;
    s->line = s->model >> shift;
    s->mark = mem_line_mark(s->line);
    return true;
}

static inline struct mem_line *in_first(const struct mem_cache *first, const struct sought *s)
{
    const uint64_t set = s->line & first->set_mask;
    struct mem_line *e = first->line + set * first->ways;
    for (uint64_t at = mem_marks_like(first->mark[set], s->mark); at; at &= at - 1) {
        struct mem_line *found = e + (uint32_t)__builtin_ctzll(at) / 8;
        if (mem_line_is(found, s->line << 8 | MEM_LINE_HELD)) return found;
    }
    return NULL;
}

static inline struct mem_line *in_next(const struct mem_cache *next, const struct sought *s)
{
    const uint64_t set = s->line & next->set_mask;
    struct mem_line *e = next->line + set * next->ways;
    uint32_t at = mem_marks_of_two(next->mark + 2 * set, s->mark);
    for (; at; at &= at - 1)
        if (mem_line_is(e + __builtin_ctz(at), s->line << 8 | MEM_LINE_HELD))
            return e + __builtin_ctz(at);
    return NULL;
}

/* The line lies there in the first level, in front of its set. */
static inline void hold(struct mem_core *core, const struct sought *s, const struct mem_line *at,
                        uint64_t *order, uint64_t way)
{
    core->holds = true;
    core->held[mem_held_place(s->host)] = (struct mem_held){~s->host, at, order, way};
}

/* It is hit there. */
static inline void use(struct mem_core *core, const struct sought *s, const struct mem_line *e)
{
    struct mem_cache *first = &core->peer.levels.level[0];
    const uint64_t set = s->line & first->set_mask;
    mem_cache_use_line(&core->peer.levels, first, e);
    hold(core, s, e, &first->order.word[set], (uint64_t)(e - (first->line + set * first->ways)));
}

/* It comes from the second level, where it is `below`, and is there at `done`. */
static inline struct mem_line *bring(struct mem_core *core, const struct sought *s,
                                     const struct mem_line *below, int64_t done)
{
    struct mem_cache *first = &core->peer.levels.level[0], *next = &core->peer.levels.level[1];
    struct mem_filter *filter = &core->cpu->filter;
    const uint64_t set = s->line & first->set_mask, start = first->order.start;
    uint64_t *word = &first->order.word[set];
    const uint64_t order = *word ^ start, last = order >> 4 * (first->ways - 1) & 15;
    struct mem_line *ways = first->line + set * first->ways, *e = ways + last;
    if (e->key & MEM_LINE_DIRTY) {
        first->count.write_backs++;
        mem_way_back(&next->way, done);
        mem_cache_below(first, e)->key |= MEM_LINE_DIRTY;
    }
    mem_filter_forget(filter, ways[order & 15].host);
    *e = (struct mem_line){s->line << 8 | MEM_LINE_HELD | COH_I, s->host};
    first->below[e - first->line] = (uint32_t)(below - next->line);
    mem_cache_mark(first, set, (uint32_t)last, s->mark);
    *word = mem_order_rotated(order, first->ways, last) ^ start;
    first->used = MAX(first->used, set + 1);
    hold(core, s, e, word, last);
    return e;
}

/* The second level's line is hit. */
static inline void use_next(struct mem_cache *next, const struct sought *s,
                            const struct mem_line *e)
{
    const uint64_t set = s->line & next->set_mask, start = next->order.start;
    uint64_t *word = &next->order.word[set];
    const uint32_t way = (uint32_t)(e - (next->line + set * next->ways));
    *word = mem_order_brought(*word ^ start, way) ^ start;
}

/* The date of the access, once what is needed by then has been waited for, as the rows of its
 * places say; what has no row at hand is kept. */
static inline int64_t settled(struct mem_cpu *cpu, const struct mem_site *site)
{
    struct mem_flight *f = cpu->flight;
    const int64_t now = mem_now(&cpu->ledger) - site->rest, late = f->late;
    int64_t waited = 0, due = f->due;
    if (due > now) return now;
    do {
        const struct mem_flying *load = &f->load[f->first];
        const int64_t stall = load->done - due;
        if (stall > 0) {
            struct profile_stall *row = mem_row_of(cpu, load->pc);
            waited += stall;
            if (MEM_LIKELY(row != NULL)) {
                row->loads++;
                row->load_ticks += stall;
            } else {
                mem_flight_note(f, load->pc, stall);
            }
        }
        f->first = (f->first + 1) % MEM_FLIGHT_RING;
        due = --f->loads ? f->load[f->first].need + late + waited : INT64_MAX;
    } while (due <= now + waited);
    if (f->loads == 0) f->first = 0;
    f->due = due;
    f->late = late + waited;
    cpu->ledger.memory += waited;
    return now + waited;
}

/* The row of an access that misses, if nothing else must be noted first; else NULL. */
static inline struct profile_stall *row_to_leave(const struct mem_cpu *cpu, uintptr_t pc)
{
    if (mem_missed_any(&cpu->missed) || cpu->flight->waits) return NULL;
    return mem_row_of_miss(cpu, pc);
}

/* ---- loads ----------------------------------------------------------------------------------- */

/* When the load may leave. */
static inline int64_t leaves(const struct mem_cpu *cpu, const struct mem_site *site, int64_t now)
{
    int64_t known = now;
    if (site->after != MEM_AFTER_NONE) known = mem_address_known(cpu->flight, site, now);
    return mem_flight_leaves(cpu->flight, known);
}
/* It was asked for at `now`, and is there at `done`. */
static inline void comes(struct mem_core *core, const struct mem_site *site, uintptr_t pc,
                         struct profile_stall *row, int64_t now, int64_t done)
{
    struct mem_flight *f = core->cpu->flight;
    mem_flight_there(f, done);
    const int64_t need = now + MAX(core->first_hit, site->slack),
                  stall = mem_flight_add(f, need, done, site, pc, now);
    core->peer.levels.level[0].count.load_misses++;
    row->missed[0]++;
    if (MEM_LIKELY(stall == 0)) return;
    core->cpu->ledger.memory += stall;
    row->loads++;
    row->load_ticks += stall;
}

/* The second level has it. */
static inline void load_from_next(struct mem_core *core, const struct sought *s,
                                  const struct mem_line *below, const struct mem_site *site,
                                  uintptr_t pc, struct profile_stall *row)
{
    struct mem_cache *next = &core->peer.levels.level[1];
    const int64_t now = settled(core->cpu, site),
                  done = leaves(core->cpu, site, now) + next->way.hit;
    next->count.loads++;
    use_next(next, s, below);
    bring(core, s, below, done);
    comes(core, site, pc, row, now, done);
}

/* The second level's line goes, at `now`: from the first one, too. */
static inline void evict_next(struct mem_core *core, struct mem_line *e, int64_t now)
{
    struct mem_cache *first = &core->peer.levels.level[0];
    const uint64_t line = e->key >> 8;
    const struct sought s = {.line = line, .mark = mem_line_mark(line)};
    struct mem_line *above = in_first(first, &s);
    if (above) {
        mem_filter_forget(&core->cpu->filter, above->host);
        if (above->key & MEM_LINE_DIRTY) first->count.write_backs++;
        e->key |= above->key & MEM_LINE_DIRTY;
        mem_cache_empty(first, above);
    }
    if (mem_line_matters(core->peer.domain, e)) mem_line_evict(&core->peer, e, now);
}
/* The line comes to the second level at `now`. */
static inline struct mem_line *place_in_next(struct mem_core *core, const struct sought *s,
                                             int64_t now)
{
    struct mem_cache *next = &core->peer.levels.level[1];
    const uint64_t set = s->line & next->set_mask, start = next->order.start;
    uint64_t *word = &next->order.word[set];
    const uint64_t order = *word ^ start, last = order >> 4 * (next->ways - 1) & 15;
    struct mem_line *e = next->line + set * next->ways + last;
    next->used = MAX(next->used, set + 1);
    if (mem_line_held(e)) evict_next(core, e, now);
    *e = (struct mem_line){s->line << 8 | MEM_LINE_HELD | mem_loaded_state(core->peer.domain),
                           s->host};
    mem_cache_mark(next, set, (uint32_t)last, s->mark);
    *word = mem_order_rotated(order, next->ways, last) ^ start;
    return e;
}

/* Neither has it. False: it must be paid first. */
static __attribute__((noinline)) bool load_deep(struct mem_core *core, const struct sought *s,
                                                const struct mem_site *site, uintptr_t pc,
                                                struct profile_stall *row)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_cache *next = &core->peer.levels.level[1];
    if (core->node->domain.shared) mem_shared_level_soon(core->node->domain.shared, s->model);
    const int64_t now = settled(cpu, site);
    if (!mem_owes_in_time(core, now - cpu->ledger.clock)) return false;
    const int64_t begun = leaves(cpu, site, now);
    const unsigned floating = base_sse_begin(); /* a calendar guesses a place in it by fractions */
    const int64_t done = mem_behind_last(core, s->model, begun);
    next->count.loads++;
    next->count.load_misses++;
    row->missed[1]++;
    bring(core, s, place_in_next(core, s, done), done);
    base_sse_end(floating);
    comes(core, site, pc, row, now, done);
    return true;
}

static inline bool load(struct mem_core *core, const struct sought *s, const struct mem_site *site,
                        uintptr_t pc)
{
    const struct mem_line *e = in_first(&core->peer.levels.level[0], s);
    if (e) {
        use(core, s, e);
        return true;
    }
    struct profile_stall *row = row_to_leave(core->cpu, pc);
    if (!row) return false;
    const struct mem_line *below = in_next(&core->peer.levels.level[1], s);
    if (!below) return load_deep(core, s, site, pc, row);
    load_from_next(core, s, below, site, pc, row);
    return true;
}

static __attribute__((noinline)) void load_missing(uintptr_t addr, uint32_t what,
                                                   struct mem_cpu *cpu, const struct mem_site *site,
                                                   uintptr_t pc)
{
    struct sought s;
    if (MEM_LIKELY(seek(cpu->core, addr, what & MEM_ASK_BYTES, &s)) &&
        load(cpu->core, &s, site, pc))
        cpu->filter.load_ok[s.host & (MEM_FILTER - 1)] = s.host;
    else
        mem_hit_load_further(addr, what, cpu, site, pc);
}

void mem_layered_load(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                      const struct mem_site *site, uintptr_t pc)
{
    if (MEM_UNLIKELY(!mem_held_load(addr, what & MEM_ASK_BYTES, cpu)))
        load_missing(addr, what, cpu, site, pc);
}

/* ---- stores ---------------------------------------------------------------------------------- */

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
                               const struct mem_site *site, uintptr_t pc)
{
    const int64_t now = settled(core->cpu, site);
    if (!own(core, mem_cache_below(&core->peer.levels.level[0], e))) return false;
    e->key |= MEM_LINE_DIRTY;
    const int64_t stall = leave(core, now, core->first_hit);
    if (stall > 0) mem_above.waited(core->cpu, stall, pc);
    return true;
}

/* A store to a line that only the second level has. The same. */
static inline bool store_from_next(struct mem_core *core, const struct sought *s,
                                   struct mem_line *below, const struct mem_site *site,
                                   struct profile_stall *row)
{
    struct mem_cache *next = &core->peer.levels.level[1];
    const int64_t now = settled(core->cpu, site);
    if (!own(core, below)) return false;
    const int64_t done = mem_flight_leaves(core->cpu->flight, now) + next->way.hit;
    core->peer.levels.level[0].count.store_misses++;
    next->count.stores++;
    use_next(next, s, below);
    bring(core, s, below, done)->key |= MEM_LINE_DIRTY;
    const int64_t stall = leave(core, now, next->way.hit);
    row->missed[0]++;
    if (MEM_LIKELY(stall == 0)) return true;
    row->stores++;
    row->store_ticks += stall;
    return true;
}

static inline bool store(struct mem_core *core, const struct sought *s, const struct mem_site *site,
                         uintptr_t pc)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_line *e = in_first(&core->peer.levels.level[0], s);
    if (!e || !(e->key & MEM_LINE_DIRTY)) {
        if (core->node->domain.long_owed) return false;
        struct profile_stall *row = row_to_leave(cpu, pc);
        if (mem_missed_any(&cpu->missed) || cpu->flight->waits) return false;
        if (!e) {
            struct mem_line *below = row ? in_next(&core->peer.levels.level[1], s) : NULL;
            return below && store_from_next(core, s, below, site, row);
        }
        if (!store_first(core, e, site, pc)) return false;
    }
    use(core, s, e);
    return true;
}

static __attribute__((noinline)) void store_missing(uintptr_t addr, uint32_t what,
                                                    struct mem_cpu *cpu,
                                                    const struct mem_site *site, uintptr_t pc)
{
    struct sought s;
    if (MEM_LIKELY(seek(cpu->core, addr, what & MEM_ASK_BYTES, &s)) &&
        store(cpu->core, &s, site, pc))
        mem_filter_stored(&cpu->filter, s.host);
    else
        mem_hit_store_further(addr, what, cpu, site, pc);
}

/* Of a line in mind that is not the processor's own to write yet. */
static __attribute__((noinline)) void store_held(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                                                 const struct mem_site *site, uintptr_t pc,
                                                 const struct mem_held *held)
{
    struct mem_core *core = cpu->core;
    struct mem_cache *first = &core->peer.levels.level[0];
    if (core->node->domain.long_owed || mem_missed_any(&cpu->missed) || cpu->flight->waits ||
        !store_first(core, first->line + (held->at - first->line), site, pc)) {
        mem_hit_store_further(addr, what, cpu, site, pc);
        return;
    }
    mem_held_use(cpu, held);
    mem_filter_stored(&cpu->filter, (uint64_t)addr >> cpu->filter.line_shift);
}

void mem_layered_store(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                       const struct mem_site *site, uintptr_t pc)
{
    const struct mem_held *held = mem_held(cpu, addr, what & MEM_ASK_BYTES);
    if (MEM_UNLIKELY(cpu->core->quiet.some)) {
        mem_hit_store(addr, what, cpu, site, pc);
    } else if (MEM_UNLIKELY(!held)) {
        store_missing(addr, what, cpu, site, pc);
    } else if (MEM_UNLIKELY(!(held->at->key & MEM_LINE_DIRTY))) {
        store_held(addr, what, cpu, site, pc, held);
    } else {
        mem_held_use(cpu, held);
        mem_filter_stored(&cpu->filter, (uint64_t)addr >> cpu->filter.line_shift);
    }
}
