/* flight: what a processor has asked of memory and goes on behind: loads until it can go no further
 * without their values, stores while its store buffer has room.
 *
 * Everything in flight is a date. A payment neither drains nor prolongs it, and nothing depends on
 * when somebody asks: what the processor waits is found from the dates alone, in their order.
 * Left out: a hit of a line that is still on its way; the order of stores that miss and loads.
 */
#ifndef MEM_CORE_FLIGHT_H
#define MEM_CORE_FLIGHT_H

#include "base/base.h"

/* Whose value the address of a load is made of, as a difference of sites (struct mem_site: after);
 * of none in flight, or of the youngest there is. */
#define MEM_AFTER_NONE     INT32_MAX
#define MEM_AFTER_YOUNGEST INT32_MIN

struct mem_site; /* mem/access/fast_path.h */

enum { MEM_FLIGHTS = 64 };
/* A load: the processor can go on until `need`; the value comes at `done`. */
struct mem_flying {
    int64_t need, done;
    const struct mem_site *site;
    uintptr_t pc;
};
/* What the processor waited for a load. */
struct mem_waited {
    uintptr_t pc;
    int64_t ticks;
};
struct mem_flight {
    int64_t due; /* the earliest need; INT64_MAX: no load is in flight */
    struct mem_flying load[MEM_FLIGHTS];
    uint32_t loads;
    /* lines that are asked for together at most: when each is there; the next takes the oldest's */
    uint32_t places, place;
    int64_t there[MEM_FLIGHTS];
    /* stores that wait for their lines together at most: when each is done */
    uint32_t stores, store;
    int64_t stored[MEM_FLIGHTS], last_stored;
    /* since somebody looked; a settlement adds one a load */
    struct mem_waited waited[2 * MEM_FLIGHTS];
    uint32_t waits;
};

void mem_flight_init(struct mem_flight *f, uint32_t places, uint32_t stores);

/* The loads that the processor, at `now`, cannot go on without: how long it has waited for them. */
int64_t mem_flight_settle_due(struct mem_flight *f, int64_t now);
static inline int64_t mem_flight_settle(struct mem_flight *f, int64_t now)
{
    return f->due > now ? 0 : mem_flight_settle_due(f, now);
}
/* All of them, and of the stores; nobody asks for whom. */
int64_t mem_flight_drain(struct mem_flight *f, int64_t now);
/* The processor has stood still so long: what it needs it needs later. */
void mem_flight_shift(struct mem_flight *f, int64_t ticks);

/* When a line asked for at `now` may leave; it will be there. */
static inline int64_t mem_flight_leaves(const struct mem_flight *f, int64_t now)
{
    return MAX(f->there[f->place], now);
}
static inline void mem_flight_there(struct mem_flight *f, int64_t done)
{
    f->there[f->place] = done;
    if (++f->place == f->places) f->place = 0;
}
/* When the address of a site's load is known. */
int64_t mem_flight_address(const struct mem_flight *f, const struct mem_site *site, int64_t now);
/* One load more; what the processor waits for room. */
int64_t mem_flight_add(struct mem_flight *f, struct mem_flying load, int64_t now);
/* One store more that is done then; what the processor waits for room. */
int64_t mem_flight_store(struct mem_flight *f, int64_t done, int64_t now);
/* The processor waited for that load; who asks takes it. */
void mem_flight_note(struct mem_flight *f, uintptr_t pc, int64_t ticks);

#endif
