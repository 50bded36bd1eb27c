/* held: lines that the first level held when they were last used, so that a hit which the filter
 * does not know, because other lines of its set were used since, searches no set, and of a private
 * one looks for no page. Private to mem/access. */
#ifndef MEM_ACCESS_HELD_H
#define MEM_ACCESS_HELD_H

#include "mem/access/access.h"

/* Two lines a large power of two apart shall not have one place. */
static inline uint32_t mem_held_place(uint64_t line)
{
    return (uint32_t)line * 0x9e3779b1u >> (32 - MEM_HELD_LOG2);
}
/* The first level holds the private line, in front of its set: it is kept in mind, if hits count.
 */
static inline void mem_hold(struct mem_core *core, uint64_t line, uint64_t model)
{
    const struct mem_cache *first = core->peer.levels.first;
    if (!first->ordered || !first->order.place) return;
    core->holds = true;
    const uint64_t set = model >> first->shift & first->set_mask,
                   way = mem_order_first(&first->order, set);
    const uint32_t stores = mem_held_stores(core, line << first->shift);
    core->held[mem_held_place(line)] =
        (struct mem_held){~line, first->line + set * first->ways + way,
                          first->order.place + set * first->order.room, (uint32_t)way, stores};
}

/* The same of a segment's line, which is `at`. It is of another number than a private one: of it
 * more must be known than that it is held. */
#define MEM_HELD_SEGMENT (UINT64_C(1) << 63)
static inline void mem_hold_segment(struct mem_core *core, uint64_t line, const struct mem_line *at)
{
    const struct mem_cache *first = core->peer.levels.first;
    if (!first->ordered || !first->order.place) return;
    core->holds = true;
    core->held[mem_held_place(line)] = (struct mem_held){~line ^ MEM_HELD_SEGMENT, at, NULL, 0, 0};
}
static inline const struct mem_line *mem_held_segment(const struct mem_core *core, uint64_t line,
                                                      uint64_t flags)
{
    const struct mem_held *held = &core->held[mem_held_place(line)];
    const struct mem_line *e = held->at;
    if (held->unlike != (~line ^ MEM_HELD_SEGMENT)) return NULL;
    return e->host == line && (e->key & flags) == flags ? e : NULL;
}

/* The line that an access lies in, if it is in mind, and private; NULL: it is not. */
static inline const struct mem_held *mem_held(const struct mem_cpu *cpu, uintptr_t addr,
                                              uint64_t bytes)
{
    const uint32_t shift = cpu->filter.line_shift;
    const uint64_t line = (uint64_t)addr >> shift;
    const struct mem_held *held = &cpu->core->held[mem_held_place(line)];
    if (held->unlike != ~line || (addr + bytes - 1) >> shift != line) return NULL;
    return held->at->host == line ? held : NULL;
}
/* It is hit: it comes to the front of its set, and what was there leaves the filter. room: of the
 * first level's sets (order.h). */
static inline void mem_held_use(struct mem_cpu *cpu, const struct mem_held *held, uint32_t room)
{
    mem_cache_use_way(&cpu->filter, &cpu->core->peer.levels.level[0].order, room, held->place,
                      held->at, held->way);
}
/* A load hits it, and nothing but that was played. */
static inline void mem_held_loaded(uintptr_t addr, struct mem_cpu *cpu, const struct mem_held *held,
                                   uint32_t room)
{
    const uint64_t line = (uint64_t)addr >> cpu->filter.line_shift;
    mem_held_use(cpu, held, room);
    cpu->filter.load_ok[line & (MEM_FILTER - 1)] = line;
    if (held->at->key & held->stores) cpu->filter.store_ok[line & (MEM_FILTER - 1)] = line;
    cpu->played--;
}
/* The same of a store; the line is the processor's own to write. */
static inline void mem_held_stored(uintptr_t addr, struct mem_cpu *cpu, const struct mem_held *held,
                                   uint32_t room)
{
    mem_held_use(cpu, held, room);
    mem_filter_stored(&cpu->filter, (uint64_t)addr >> cpu->filter.line_shift);
    cpu->played--;
}
/* Is it? A first level that writes through has none of these. */
static inline bool mem_held_own(const struct mem_held *held)
{
    return held->at->key & held->stores;
}

#endif
