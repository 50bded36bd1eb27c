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

/* Has the slot of a direct mapped level the private line? Its host number says so. */
static inline bool slot_has(const struct mem_cache *c, const struct mem_line *slot, uintptr_t addr)
{
    return slot->host == (uint64_t)addr >> c->shift;
}

/* The row of the load in flight, the only one; NULL: it is not at hand. */
static inline struct profile_stall *row_in_flight(const struct mem_cpu *cpu)
{
    const struct mem_flight *f = cpu->flight;
    return MEM_LIKELY(f->row != NULL) ? f->row : mem_row_of(cpu, f->load[0].pc);
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
    struct profile_stall *row = row_in_flight(cpu);
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
