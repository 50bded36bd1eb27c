/* layered: what loads and stores of processors share that go on out of order behind several levels
 * (layered.c). Private to mem/access. */
#ifndef MEM_ACCESS_LAYERED_H
#define MEM_ACCESS_LAYERED_H

#include "mem/access/flying.h"
#include "mem/access/held.h"
#include "mem/access/line.h"

/* Ways of the two levels, and log2 of their line: those that most machines have, known while this
 * is compiled; 0: whatever the level says. */
struct shape {
    uint32_t first, next, shift;
};
#define LAYERED_USUAL ((struct shape){8, 16, 6})
#define LAYERED_ANY   ((struct shape){0, 0, 0})
#define LAYERED       static inline __attribute__((always_inline))
/* Bytes of a set of each (order.h), whatever its ways: node.c, is_layered. */
enum { LAYERED_FIRST = 8, LAYERED_NEXT = 16 };
LAYERED uint32_t ways_of(const struct mem_cache *c, uint32_t known)
{
    return known ? known : c->ways;
}
LAYERED uint32_t shift_of(const struct mem_cpu *cpu, struct shape k)
{
    return k.shift ? k.shift : cpu->filter.line_shift;
}

/* layered_store.c, for mem_layered_asks */
mem_ask mem_layered_store, mem_layered_store_any;

/* Where a line is kept in mind (held.h), and if it is. */
LAYERED const struct mem_held *layered_held(const struct mem_cpu *cpu, uint64_t host)
{
    return &cpu->core->held[mem_held_place(host)];
}
LAYERED bool layered_is(const struct mem_held *held, uint64_t host)
{
    return held->unlike + host == UINT64_MAX && held->at->host == host;
}

/* A private line, as both levels name it. */
struct sought {
    uintptr_t addr;            /* of the access */
    uint64_t host, line, mark; /* its host number; number and mark in the levels */
    __m128i like;              /* the mark 16 times */
};
LAYERED struct sought sought(uint64_t line)
{
    const uint64_t mark = mem_line_mark(line);
    return (struct sought){
        .line = line, .mark = mark, .like = _mm_set1_epi64x((long long)(mark * MEM_MARKS))};
}

/* Is its page, which is not at hand, private for what is asked? One whose loads are lent is not for
 * stores. False: it is not, or its translation is not there. */
static inline bool seek_page(struct mem_core *core, uintptr_t addr, bool stores, uint64_t *model)
{
    if (mem_lends(core, addr, stores, model)) return true;
    if (mem_segment_at_hand(core, addr)) return false;
    return stores ? mem_is_private_store(core, addr, model) : mem_is_private(core, addr, model);
}
/* It lies in one line. False: as above. */
LAYERED bool seek(struct mem_core *core, struct mem_cpu *cpu, uintptr_t addr, bool stores,
                  struct sought *s, struct shape k)
{
    const uint32_t shift = shift_of(cpu, k);
    uint64_t model;
    const bool near =
        stores ? mem_page_near_store(core, addr, &model) : mem_page_near(core, addr, &model);
    if (MEM_UNLIKELY(!near) && !seek_page(core, addr, stores, &model)) return false;
    *s = sought(model >> shift);
    s->addr = addr;
    s->host = (uint64_t)addr >> shift;
    return true;
}

/* Where the first level has it; NULL: nowhere. */
LAYERED struct mem_line *in_first(const struct mem_cache *first, const struct sought *s,
                                  struct shape k)
{
    const uint64_t set = s->line & first->set_mask;
    const __m128i marks = _mm_loadl_epi64((const __m128i *)(const void *)(first->mark + set));
    uint32_t at = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(marks, s->like)) & 0xff;
    if (MEM_LIKELY(at == 0)) return NULL;
    for (struct mem_line *e = first->line + set * ways_of(first, k.first); at; at &= at - 1)
        if (mem_line_is(e + __builtin_ctz(at), s->line << 8 | MEM_LINE_HELD))
            return e + __builtin_ctz(at);
    return NULL;
}
/* The same of the next level; its way. */
LAYERED struct mem_line *in_next(const struct mem_cache *next, const struct sought *s,
                                 uint32_t *way, struct shape k)
{
    const uint64_t set = s->line & next->set_mask;
    const __m128i marks = _mm_loadu_si128((const __m128i *)(const void *)(next->mark + 2 * set));
    uint32_t at = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(marks, s->like));
    for (struct mem_line *e = next->line + set * ways_of(next, k.next); at; at &= at - 1) {
        *way = (uint32_t)__builtin_ctz(at);
        if (mem_line_is(e + *way, s->line << 8 | MEM_LINE_HELD)) return e + *way;
    }
    return NULL;
}

/* The line, whose page is at hand, lies there in the first level, in front of its set. */
LAYERED void hold(struct mem_core *core, const struct sought *s, const struct mem_line *at,
                  uint8_t *place, uint32_t way)
{
    const struct mem_near *near = &core->near[s->addr >> MEM_PAGE_BITS & core->last_near];
    core->holds = true;
    core->held[mem_held_place(s->host)] = (struct mem_held){~s->host, at, place, way, near->held};
}

/* It is hit there. */
LAYERED void use(struct mem_core *core, struct mem_cpu *cpu, const struct sought *s,
                 const struct mem_line *e, struct shape k)
{
    const struct mem_cache *first = &core->peer.levels.level[0];
    const uint64_t set = s->line & first->set_mask;
    const uint32_t way = (uint32_t)(e - (first->line + set * ways_of(first, k.first)));
    uint8_t *place = first->order.place + LAYERED_FIRST * set;
    mem_cache_use_way(&cpu->filter, &first->order, LAYERED_FIRST, place, e, way);
    hold(core, s, e, place, way);
}

/* The places of a set (order.h), and what they differ from where they are stored. */
struct places {
    uint8_t *at;
    __m128i start, all;
};
LAYERED struct places places_of(const struct mem_cache *c, uint64_t set, uint32_t room)
{
    uint8_t *at = c->order.place + room * set;
    const __m128i start = mem_order_read(c->order.start, room);
    return (struct places){at, start, _mm_xor_si128(mem_order_read(at, room), start)};
}
/* The way that stands last comes to the front. */
LAYERED void bring_last(const struct places *p, uint32_t room, uint32_t ways, uint32_t last)
{
    const __m128i brought = mem_order_brought(p->all, last, ways - 1);
    mem_order_write(p->at, room, _mm_xor_si128(brought, p->start));
}

/* It comes from the second level, where it is `below`. */
LAYERED struct mem_line *bring(struct mem_core *core, struct mem_cpu *cpu, const struct sought *s,
                               const struct mem_line *below, struct shape k)
{
    struct mem_cache *first = &core->peer.levels.level[0], *next = &core->peer.levels.level[1];
    const uint32_t n = ways_of(first, k.first);
    const uint64_t set = s->line & first->set_mask;
    const struct places p = places_of(first, set, LAYERED_FIRST);
    const uint32_t last = mem_order_way(p.all, n - 1), front = mem_order_way(p.all, 0);
    struct mem_line *ways = first->line + set * n, *e = ways + last;
    if (e->key & MEM_LINE_DIRTY) {
        first->count.write_backs++;
        mem_cache_below(first, e)->key |= MEM_LINE_DIRTY;
    }
    mem_filter_forget(&cpu->filter, ways[front].host);
    *e = (struct mem_line){s->line << 8 | MEM_LINE_HELD | COH_I, s->host};
    first->below[set * n + last] = (uint32_t)(below - next->line);
    ((uint8_t *)(first->mark + set))[last] = (uint8_t)s->mark;
    bring_last(&p, LAYERED_FIRST, n, last);
    if (MEM_UNLIKELY(set >= first->used)) first->used = set + 1;
    hold(core, s, e, p.at, last);
    return e;
}

/* The second level's line is hit. */
LAYERED void use_next(struct mem_cache *next, const struct sought *s, uint32_t way)
{
    const uint64_t set = s->line & next->set_mask;
    mem_order_bring(next->order.place + LAYERED_NEXT * set, next->order.start, LAYERED_NEXT, way);
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
