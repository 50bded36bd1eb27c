/* flight: what a processor has asked of memory and goes on behind: loads until it can go no further
 * without their values, stores while its store buffer has room.
 *
 * Everything in flight is a date. A payment neither drains nor prolongs it, and nothing depends on
 * when somebody asks: what the processor waits is found from the dates alone, in their order.
 *
 * Loads stand in a ring, by need, where those that are there by now stay until somebody wants their
 * room, and in a row of the dates at which they come. Beside them a small table knows when the
 * value that a site loaded last is there. So each question is answered at one end or in one entry.
 * Left out: a hit of a line that is still on its way, unless both loads are from one pointer
 * (struct mem_site: beside); the order of stores that miss and loads.
 */
#ifndef MEM_CORE_FLIGHT_H
#define MEM_CORE_FLIGHT_H

#include "base/base.h"

/* Whose value the address of a load is made of, as a difference of sites (struct mem_site: after);
 * of none in flight, or of the youngest there is. */
enum { MEM_AFTER_BITS = 20, MEM_BESIDE_BITS = 12 };
#define MEM_AFTER_NONE     ((1 << (MEM_AFTER_BITS - 1)) - 1)
#define MEM_AFTER_YOUNGEST (-(1 << (MEM_AFTER_BITS - 1)))

struct mem_site; /* mem/access/processor.h */

/* Loads that are not there yet; entries of the ring by need; sites known. Powers of two. */
enum { MEM_FLIGHTS = 64, MEM_FLIGHT_RING = 2 * MEM_FLIGHTS, MEM_FLIGHT_SITES = 64 };
enum { MEM_FLIGHT_DATES = 3 * MEM_FLIGHTS }; /* room for dates */
/* A load: the processor can go on until `need`; the value comes at `done`. */
struct mem_flying {
    int64_t need; /* without what it stood still since the beginning (mem_flight: late) */
    int64_t done;
    const struct mem_site *site;
    uintptr_t pc;
};
/* The loads of a site that is the only one of this number with a load not yet there; NULL: there
 * are several of them. */
struct mem_known {
    const struct mem_site *site;
    int64_t done; /* of all of them, when the last is there */
};
/* What the processor waited for a load. */
struct mem_waited {
    uintptr_t pc;
    int64_t ticks;
};
struct mem_flight {
    int64_t due;  /* the earliest need; INT64_MAX: no load is in flight */
    int64_t late; /* what the processor stood still so far: it needs everything so much later */
    struct mem_flying *load; /* a ring, by need */
    void *row;               /* of the one that is alone, for its asker; NULL: to be looked up */
    uint32_t first, loads;
    /* lines that are asked for together at most: when each is there, a ring in that order, from
     * `place` on; the next takes the place of the first that is */
    uint32_t places, place;
    int64_t *there;
    /* stores that wait for their lines together at most: when each is done */
    int64_t *stored;
    uint32_t stores, store;
    int64_t last_stored, youngest;
    uint32_t waits, waits_kept; /* since somebody looked; what is beyond counts with the last */
    struct mem_waited *waited;  /* loads come in one by one, and are looked at then */
    /* where several loads are in flight: their dates, in order, from `first_done` on; of those
     * needed before, some may still be there */
    uint32_t first_done, dones;
    int64_t *done;
    struct mem_known *known;
};

/* together: of several loads, or is each alone there before the next (mem_flight_alone)? kept:
 * waits that somebody looks at. It is one block of memory. */
struct mem_flight *mem_flight_new(uint32_t places, uint32_t stores, bool together, uint32_t kept);
void mem_flight_free(struct mem_flight *f); /* NULL: nothing */

static inline struct mem_flying *mem_flight_at(struct mem_flight *f, uint32_t i)
{
    return &f->load[(f->first + i) % MEM_FLIGHT_RING];
}
/* The processor has waited so long for the load at pc. */
void mem_flight_note(struct mem_flight *f, uintptr_t pc, int64_t ticks);
/* The loads that the processor, at `now`, cannot go on without: how long it has waited for them. */
int64_t mem_flight_settle_due(struct mem_flight *f, int64_t now);
static inline int64_t mem_flight_settle(struct mem_flight *f, int64_t now)
{
    return f->due > now ? 0 : mem_flight_settle_due(f, now);
}
/* All of them, and of the stores; nobody asks for whom. */
int64_t mem_flight_drain(struct mem_flight *f, int64_t now);
/* The processor has stood still so long: what it needs it needs later. */
static inline void mem_flight_shift(struct mem_flight *f, int64_t ticks)
{
    f->late += ticks;
    if (f->loads) f->due += ticks;
}

/* When a line asked for at `now` may leave; it will be there. */
static inline int64_t mem_flight_leaves(const struct mem_flight *f, int64_t now)
{
    return MAX(f->there[f->place], now);
}
/* When the last of all that were asked for is there. */
static inline int64_t mem_flight_latest(const struct mem_flight *f)
{
    return f->there[(f->place ? f->place : f->places) - 1];
}
/* It comes into the ring from the end that is nearer to its date, and what was first leaves. */
static inline void mem_flight_there(struct mem_flight *f, int64_t done)
{
    const uint32_t places = f->places, middle = f->place + places / 2;
    uint32_t at = f->place;
    if (done < f->there[middle < places ? middle : middle - places]) {
        for (;;) {
            const uint32_t behind = at + 1 == places ? 0 : at + 1;
            if (f->there[behind] >= done) break;
            f->there[at] = f->there[behind];
            at = behind;
        }
    } else {
        f->place = at + 1 == places ? 0 : at + 1;
        while (at != f->place) {
            const uint32_t before = (at ? at : places) - 1;
            if (f->there[before] <= done) break;
            f->there[at] = f->there[before];
            at = before;
        }
    }
    f->there[at] = done;
}
/* When the value that a site loaded last is known; NULL: the load asked for last. */
int64_t mem_flight_value(const struct mem_flight *f, const struct mem_site *site, int64_t now);
/* The place of the load in flight that is there then; 0: none is. */
uintptr_t mem_flight_place(const struct mem_flight *f, int64_t done);
/* Who asks for the value of a site has another one from now on, which comes at `done`: what it
 * loaded is no longer asked for. */
void mem_flight_begin(struct mem_flight *f, const struct mem_site *site, int64_t done, int64_t now);
/* One load more (struct mem_flying): what the processor, at `now`, waits for room first. In single
 * words, which a host hands on faster than a structure that was just written. */
int64_t mem_flight_add(struct mem_flight *f, int64_t need, int64_t done,
                       const struct mem_site *site, uintptr_t pc, int64_t now);
/* The same where what was in flight before is there by now: it keeps nobody waiting any more. */
static inline void mem_flight_alone(struct mem_flight *f, struct mem_flying load)
{
    f->youngest = load.done;
    f->row = NULL;
    f->due = load.need;
    load.need -= f->late;
    f->loads = 1;
    f->first = 0;
    f->load[0] = load;
}
/* Of a processor that never has several: the load in flight, or the last one; when its line is
 * there. They lie behind the rest (mem_flight_new). */
static inline struct mem_flying *mem_flight_only(const struct mem_flight *f)
{
    _Static_assert(sizeof *f % 16 == 0, "nothing lies between");
    return (struct mem_flying *)(uintptr_t)(f + 1);
}
static inline int64_t *mem_flight_only_there(const struct mem_flight *f)
{
    return (int64_t *)(mem_flight_only(f) + 1);
}
/* The same as mem_flight_alone where nobody asks by site, nor for the youngest; its row is known.
 */
static inline void mem_flight_only_is(struct mem_flight *f, int64_t need, int64_t done,
                                      uintptr_t pc, void *row)
{
    struct mem_flying *load = mem_flight_only(f);
    f->due = need;
    f->row = row;
    f->loads = 1;
    load->need = need - f->late;
    load->done = *mem_flight_only_there(f) = done;
    load->pc = pc;
}
/* One store more that is done then; what the processor waits for room. */
int64_t mem_flight_store(struct mem_flight *f, int64_t done, int64_t now);

#endif
