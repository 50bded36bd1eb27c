/* flight: what a processor has asked of memory and goes on behind: loads until it can go no further
 * without their values, stores while its store buffer has room.
 *
 * Everything in flight is a date. A payment neither drains nor prolongs it, and nothing depends on
 * when somebody asks: what the processor waits is found from the dates alone, in their order.
 *
 * Loads stand in a ring, by need, where those that are there by now stay until somebody wants their
 * room, and in a row of the dates at which they come, in no order: who finds it full throws out
 * what has come. Beside them a small table knows when the value that a site loaded last is there.
 * So each question is answered at one end or in one entry. Left out: a hit of a line that is still
 * on its way, unless both loads are from one pointer (struct mem_site: beside); the order of stores
 * that miss and loads.
 */
#ifndef MEM_CORE_FLIGHT_H
#define MEM_CORE_FLIGHT_H

#include "mem/time/ticks.h"

/* Whose value the address of a load is made of, as a difference of sites (struct mem_site: after);
 * of none in flight, or of the youngest there is. */
enum { MEM_AFTER_BITS = 20, MEM_BESIDE_BITS = 7, MEM_BETWEEN_BITS = 5 };
#define MEM_AFTER_NONE     ((1 << (MEM_AFTER_BITS - 1)) - 1)
#define MEM_AFTER_YOUNGEST (-(1 << (MEM_AFTER_BITS - 1)))

struct mem_site; /* mem/access/processor.h */

/* Loads that are not there yet; entries of the ring by need; sites known. Powers of two. */
enum { MEM_FLIGHTS = 64, MEM_FLIGHT_RING = 2 * MEM_FLIGHTS, MEM_FLIGHT_SITES = 64 };
enum { MEM_FLIGHT_EARLY = 16 }; /* a power of two */
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
    int64_t *there, latest; /* the last of these dates */
    /* stores that wait for their lines together at most: when each is done */
    int64_t *stored;
    uint32_t stores, store;
    int64_t last_stored, youngest;
    uint32_t waits, waits_kept; /* since somebody looked; what is beyond counts with the last */
    struct mem_waited *waited;  /* loads come in one by one, and are looked at then */
    /* several: what lies behind this is struct mem_flights */
    bool several;
    uint32_t dones, next_early;
};
/* Where several loads are in flight. */
struct mem_flights {
    struct mem_flying load[MEM_FLIGHT_RING];
    /* `dones` dates; of those needed before, some may still be there */
    int64_t done[MEM_FLIGHTS];
    struct mem_known known[MEM_FLIGHT_SITES];
    /* loads whose value comes before it is needed, by more than a payment may bring the date back
     * (mem_flight_value). Nobody ever waits for them, since a processor that stands still needs
     * everything later: they stand in no order. A ring of the last ones, for who asks when the
     * value of a site is there, or what comes at a date. */
    struct mem_flying early[MEM_FLIGHT_EARLY];
};
static inline struct mem_flights *mem_flight_several(const struct mem_flight *f)
{
    _Static_assert(sizeof *f % 16 == 0, "nothing lies between");
    return (struct mem_flights *)(uintptr_t)(f + 1);
}

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
static inline int64_t mem_flight_latest(const struct mem_flight *f) { return f->latest; }
/* It comes into the ring, and what was first leaves; most are there behind all others. */
void mem_flight_there_before(struct mem_flight *f, int64_t done);
static inline void mem_flight_there(struct mem_flight *f, int64_t done)
{
    const uint32_t at = f->place, behind = at + 1;
    if (done < f->latest) {
        mem_flight_there_before(f, done);
        return;
    }
    f->latest = f->there[at] = done;
    f->place = behind == f->places ? 0 : behind;
}
/* When the value that a site loaded last is known; NULL: the load asked for last. */
int64_t mem_flight_value(const struct mem_flight *f, const struct mem_site *site, int64_t now);
/* The place of the load in flight that is there then; 0: none is. */
uintptr_t mem_flight_place(const struct mem_flight *f, int64_t done);
/* Who asks for the value of a site has another one from now on, which comes at `done`: what it
 * loaded is no longer asked for. */
void mem_flight_begin(struct mem_flight *f, const struct mem_site *site, int64_t done, int64_t now);
/* A load of that site is on its way. */
static inline struct mem_known *mem_flight_known(const struct mem_flight *f,
                                                 const struct mem_site *site)
{
    return &mem_flight_several(f)->known[(uintptr_t)site / 16 % MEM_FLIGHT_SITES];
}
static inline void mem_flight_know(struct mem_flight *f, const struct mem_site *site, int64_t done,
                                   int64_t now)
{
    struct mem_known *k = mem_flight_known(f, site);
    const bool others = k->done + MEM_TICK_SLACK > now;
    k->site = others && k->site != site ? NULL : site;
    k->done = others ? MAX(k->done, done) : done;
}
static inline void mem_flight_on_its_way(struct mem_flight *f, int64_t done,
                                         const struct mem_site *site, int64_t now)
{
    f->youngest = done;
    mem_flight_several(f)->done[f->dones++] = done;
    if (MEM_LIKELY(site != NULL)) mem_flight_know(f, site, done, now);
}
/* One load more (struct mem_flying), whose line is there then (mem_flight_there): what the
 * processor, at `now`, waits for room first. In single
 * words, which a host hands on faster than a structure that was just written. In place, since most
 * are early, and the one whose place it takes is there. */
int64_t mem_flight_add_late(struct mem_flight *f, int64_t need, int64_t done,
                            const struct mem_site *site, uintptr_t pc, int64_t now);
static inline bool mem_flight_is_early(const struct mem_flight *f, int64_t need, int64_t done,
                                       int64_t now)
{
    return done + MEM_TICK_SLACK <= need &&
           mem_flight_several(f)->early[f->next_early % MEM_FLIGHT_EARLY].done <= now;
}
static inline void mem_flight_add_early(struct mem_flight *f, int64_t need, int64_t done,
                                        const struct mem_site *site, uintptr_t pc, int64_t now)
{
    struct mem_flying *load = &mem_flight_several(f)->early[f->next_early++ % MEM_FLIGHT_EARLY];
    load->need = need - f->late;
    load->done = done;
    load->site = site;
    load->pc = pc;
    mem_flight_on_its_way(f, done, site, now);
}
static inline int64_t mem_flight_add(struct mem_flight *f, int64_t need, int64_t done,
                                     const struct mem_site *site, uintptr_t pc, int64_t now)
{
    if (f->dones == MEM_FLIGHTS || !mem_flight_is_early(f, need, done, now))
        return mem_flight_add_late(f, need, done, site, pc, now);
    mem_flight_add_early(f, need, done, site, pc, now);
    return 0;
}
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
