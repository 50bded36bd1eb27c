/* straight: what loads and stores of the simplest processors share (straight.c). Private to
 * mem/access. */
#ifndef MEM_ACCESS_STRAIGHT_H
#define MEM_ACCESS_STRAIGHT_H

#include "mem/access/flying.h"

/* Has the first level, direct mapped, the line? */
static inline bool first_has(const struct mem_cache *first, uint64_t model)
{
    return mem_line_is(mem_cache_slot(first, model), model >> first->shift << 8 | MEM_LINE_HELD);
}

/* The load in flight, the only one, is needed by now: the processor has waited for it. */
static inline int64_t settled(struct mem_cpu *cpu, struct mem_flight *f, int64_t now)
{
    const struct mem_flying *load = &f->load[0];
    if (f->due > now) return now;
    int64_t stall = load->done - f->due;
    f->loads = 0;
    f->due = INT64_MAX;
    if (stall <= 0) return now;
    struct profile_stall *row = mem_row_of(cpu, load->pc);
    if (MEM_LIKELY(row != NULL)) {
        row->loads++;
        row->load_ticks += stall;
    } else {
        mem_flight_note(f, load->pc, stall);
    }
    f->late += stall;
    cpu->ledger.memory += stall;
    return now + stall;
}

#endif
