/* layered: what loads and stores of processors share that go on out of order behind several levels
 * (layered.c). Private to mem/access. */
#ifndef MEM_ACCESS_LAYERED_H
#define MEM_ACCESS_LAYERED_H

#include "mem/access/flying.h"
#include "mem/access/held.h"
#include "mem/access/line.h"

/* Ways of the two levels: those that most machines have, known while this is compiled; 0: whatever
 * the level says. */
struct shape {
    uint32_t first, next;
};
#define LAYERED_USUAL ((struct shape){8, 16})
#define LAYERED_ANY   ((struct shape){0, 0})
#define LAYERED       static inline __attribute__((always_inline))
LAYERED bool is_usual(const struct mem_levels *l)
{
    return MEM_LIKELY(l->level[0].ways == 8 && l->level[1].ways == 16);
}
LAYERED uint32_t ways_of(const struct mem_cache *c, uint32_t known)
{
    return known ? known : c->ways;
}
LAYERED uint64_t start_of(const struct mem_cache *c, uint32_t known)
{
    return known == 8    ? UINT64_C(0xfedcba9801234567)
           : known == 16 ? UINT64_C(0x0123456789abcdef)
                         : c->order.start;
}

/* A private line, as both levels name it. */
struct sought {
    uintptr_t addr;                   /* of the access */
    uint64_t host, model, line, mark; /* its host number; address; number and mark in the levels */
    uint32_t stores;                  /* MEM_LINE_DIRTY: its page is at hand for stores, too */
};

/* Is its page private for what is asked? One whose loads are lent is not for stores. */
static inline bool is_private(struct mem_core *core, uintptr_t addr, bool stores, uint64_t *model)
{
    return stores ? mem_is_private_store(core, addr, model) : mem_is_private(core, addr, model);
}
/* False: it is of two lines, or its page is not private, or its translation not there. */
static inline bool seek(struct mem_core *core, uintptr_t addr, uint64_t bytes, bool stores,
                        struct sought *s)
{
    const uint32_t shift = core->cpu->filter.line_shift;
    s->addr = addr;
    s->host = (uint64_t)addr >> shift;
    if ((addr + bytes - 1) >> shift != s->host) return false;
    const bool near =
        stores ? mem_page_near_store(core, addr, &s->model) : mem_page_near(core, addr, &s->model);
    if (!near && !mem_lends(core, addr, stores, &s->model) &&
        (mem_segment_at_hand(core, addr) || !is_private(core, addr, stores, &s->model)))
        return false;
    s->line = s->model >> shift;
    s->mark = mem_line_mark(s->line);
    s->stores = mem_held_stores(core, addr);
    return true;
}

/* The mark of a way, where the words of a set are known. */
LAYERED void mark_way(const struct mem_cache *c, uint64_t set, uint32_t known, uint64_t way,
                      uint64_t mark)
{
    const uint32_t words = known ? (known + 7) / 8 : c->words;
    ((uint8_t *)(c->mark + set * words))[way] = (uint8_t)mark;
}

LAYERED struct mem_line *in_first(const struct mem_cache *first, const struct sought *s,
                                  struct shape k)
{
    const uint64_t set = s->line & first->set_mask;
    struct mem_line *e = first->line + set * ways_of(first, k.first);
    for (uint64_t at = mem_marks_like(first->mark[set], s->mark); at; at &= at - 1) {
        struct mem_line *found = e + (uint32_t)__builtin_ctzll(at) / 8;
        if (mem_line_is(found, s->line << 8 | MEM_LINE_HELD)) return found;
    }
    return NULL;
}

LAYERED struct mem_line *in_next(const struct mem_cache *next, const struct sought *s,
                                 struct shape k)
{
    const uint64_t set = s->line & next->set_mask;
    struct mem_line *e = next->line + set * ways_of(next, k.next);
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
    core->held[mem_held_place(s->host)] =
        (struct mem_held){~s->host, at, order, (uint32_t)way, s->stores};
}

/* It is hit there. */
static inline void use(struct mem_core *core, const struct sought *s, const struct mem_line *e)
{
    struct mem_cache *first = &core->peer.levels.level[0];
    const uint64_t set = s->line & first->set_mask;
    mem_cache_use_line(&core->peer.levels, first, e);
    hold(core, s, e, &first->order.word[set], (uint64_t)(e - (first->line + set * first->ways)));
}

/* It comes from the second level, where it is `below`. */
LAYERED struct mem_line *bring(struct mem_core *core, const struct sought *s,
                               const struct mem_line *below, struct shape k)
{
    struct mem_cache *first = &core->peer.levels.level[0], *next = &core->peer.levels.level[1];
    struct mem_filter *filter = &core->cpu->filter;
    const uint32_t n = ways_of(first, k.first);
    const uint64_t set = s->line & first->set_mask, start = start_of(first, k.first);
    uint64_t *word = &first->order.word[set];
    const uint64_t order = *word ^ start, last = order >> 4 * (n - 1) & 15;
    struct mem_line *ways = first->line + set * n, *e = ways + last;
    if (e->key & MEM_LINE_DIRTY) {
        first->count.write_backs++;
        mem_cache_below(first, e)->key |= MEM_LINE_DIRTY;
    }
    mem_filter_forget(filter, ways[order & 15].host);
    *e = (struct mem_line){s->line << 8 | MEM_LINE_HELD | COH_I, s->host};
    first->below[e - first->line] = (uint32_t)(below - next->line);
    mark_way(first, set, k.first, last, s->mark);
    *word = mem_order_rotated(order, n, last) ^ start;
    if (MEM_UNLIKELY(set >= first->used)) first->used = set + 1;
    hold(core, s, e, word, last);
    return e;
}

/* The second level's line is hit. */
LAYERED void use_next(struct mem_cache *next, const struct sought *s, const struct mem_line *e,
                      struct shape k)
{
    const uint64_t set = s->line & next->set_mask, start = start_of(next, k.next);
    uint64_t *word = &next->order.word[set];
    const uint32_t way = (uint32_t)(e - (next->line + set * ways_of(next, k.next)));
    *word = mem_order_brought(*word ^ start, way) ^ start;
}

/* The date of the access, once what is needed by then has been waited for, as the rows of its
 * places say; what has no row at hand is kept. */
static inline int64_t settled(struct mem_cpu *cpu, const struct mem_site *site)
{
    struct mem_flight *f = cpu->flight;
    const int64_t now = mem_now(&cpu->ledger) - site->rest;
    int64_t waited = 0, due = f->due;
    if (due > now) return now;
    const struct mem_flying *const ring = f->load;
    const int64_t late = f->late;
    uint32_t first = f->first, loads = f->loads;
    do {
        const int64_t stall = ring[first].done - due;
        if (stall > 0) {
            struct profile_stall *row = mem_row_of(cpu, ring[first].pc);
            waited += stall;
            if (MEM_LIKELY(row != NULL)) {
                row->loads++;
                row->load_ticks += stall;
            } else {
                mem_flight_note(f, ring[first].pc, stall);
            }
        }
        first = (first + 1) % MEM_FLIGHT_RING;
        due = --loads ? ring[first].need + late + waited : INT64_MAX;
    } while (due <= now + waited);
    f->first = loads ? first : 0;
    f->loads = loads;
    f->due = due;
    f->late = late + waited;
    cpu->ledger.memory += waited;
    return now + waited;
}

/* The row of an access that misses, if nothing else must be noted first; else NULL. */
static inline struct profile_stall *row_to_leave(struct mem_cpu *cpu, uintptr_t addr, uintptr_t pc)
{
    if (mem_missed_any(&cpu->missed) || cpu->flight->waits) return NULL;
    return mem_row_at(cpu, addr, pc);
}

#endif
