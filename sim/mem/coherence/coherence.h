/* coherence: what processors of a node do to each other's lines.
 *
 * Each processor's last level is its point of coherence: it keeps the state of its lines; the
 * protocol (coh) says how a copy answers a transaction. Only pages that hold, or held, bytes of a
 * segment can be in several caches; for each of their lines the directory remembers who may hold
 * it, so that a transaction asks only those (the hardware asks all; the answers are the same).
 *
 * Dates go in and come out; who waits is not decided here. Bytes are moved by whoever listens to
 * the events.
 */
#ifndef MEM_COHERENCE_COHERENCE_H
#define MEM_COHERENCE_COHERENCE_H

#include "coh/coh.h"
#include "mem/address/page.h"
#include "mem/address/tlb.h"
#include "mem/cache/shared.h"
#include "mem/dram/dram.h"
#include "mem/time/resource.h"

/* A processor as the others of its node see it. */
struct mem_peer {
    struct mem_domain *domain;
    int index; /* in the node */
    struct mem_levels levels;
    struct mem_pages pages;
    struct mem_tlb tlb, tlb_behind; /* asked first; of the second level, if there are two */
    struct mem_dram_port port;
    void *who; /* the events' first argument */
};

/* Bytes of segments follow their lines, on a node without coherence. */
struct mem_events {
    /* the line came from memory */
    void (*filled)(void *who, uintptr_t addr, uint64_t bytes);
    /* the line's newer bytes go to memory, at that date */
    void (*written_back)(void *who, uintptr_t addr, uint64_t bytes, int64_t at);
    /* a line marked MEM_LINE_BEHIND is in no cache of the processor any more */
    void (*dropped)(void *who, uintptr_t addr, uint64_t bytes);
};

/* A line on its way to a processor that will write it. */
struct mem_in_flight {
    int64_t begun, there; /* the last transfer to a writer */
    /* until then its accesses are played at their dates: two processors write it in turn */
    int64_t contended;
    int writer; /* index + 1 of that processor; 0: none yet */
    /* NULL: no writer has had to wait for another; else the calendar of its transfers to them */
    struct mem_resource *transfers;
};
/* The lines of a shared page; NULL: none has been asked for yet. */
struct mem_directory_page {
    uint64_t *sharers;               /* a word a line: bit cpu % 64 set: it may hold the line */
    struct mem_in_flight *in_flight; /* one a line: to its last writer */
};

/* The processors of a node, and what they share. */
struct mem_domain {
    struct mem_shared_level *shared; /* NULL: memory lies behind the processors' own levels */
    struct mem_peer **peer;
    int processors;
    const struct coh_protocol *protocol;
    bool coherent;
    const struct mem_events *events;
    struct mem_shared_pages pages;
    GArray *directory; /* struct mem_directory_page, one a shared page */
    bool bus; /* there is one, to memory; without a shared level also from cache to cache: */
    struct mem_resource resource;
    int64_t slot, address_slot, cache_to_cache; /* ticks */
    int64_t
        line_time; /* memory is occupied by a line that is written back, where there is no bus */
    uint32_t line_shift; /* log2 of the last level's line */
    /* so far ahead of the clock may a processor be; and one that nobody observes */
    int64_t quantum, unobserved;
    bool never_pays; /* nothing is paid on time: no line is contended */
    /* until then transactions of the bus are played at their dates: several processors use it; 0:
     * one does */
    int64_t in_turn;
    int on_bus; /* index + 1 of the processor that used it last; 0: none has */
    /* the calendar has very much behind the processor, which has not paid for so long */
    bool long_owed;
};

/* Is there another processor to meet on the bus, or in a shared level? Only then must one be in
 * time there. */
static inline bool mem_meets_others(const struct mem_domain *d)
{
    return (d->bus || d->shared) && d->processors > 1;
}
static inline enum coh_state mem_line_state(const struct mem_line *e)
{
    return (enum coh_state)(e->key & MEM_LINE_STATE);
}
/* Does anything happen when that line of the last level goes? Without coherence nobody else knows
 * of it. */
static inline bool mem_line_matters(const struct mem_domain *d, const struct mem_line *e)
{
    enum coh_state state = mem_line_state(e);
    return d->coherent ? state != COH_I
                       : state == COH_M || (state != COH_I && e->key & MEM_LINE_BEHIND);
}

/* ---- directory.c: who may hold a line -------------------------------------------------------- */

void mem_directory_add(struct mem_domain *d); /* of the page shared last */
void mem_directory_clear(struct mem_domain *d);
/* NULL: a private page. Of one that no processor has loaded from or written to, the lists are NULL.
 */
struct mem_directory_page *mem_directory_page(const struct mem_domain *d, uint64_t where);
/* NULL: nobody holds lines of the page */
uint64_t *mem_sharers(const struct mem_domain *d, uint64_t where, uint64_t model);
void mem_sharer_set(const struct mem_peer *peer, uint64_t where, uint64_t model);
void mem_sharer_clear(const struct mem_peer *peer, uint64_t where, uint64_t model);
/* The next processor after i that may hold the line; processors: none. */
int mem_sharer_next(const struct mem_domain *d, uint64_t sharers, int i);
/* Does another processor hold the line? */
bool mem_line_shared(const struct mem_domain *d, const struct mem_peer *asker, uint64_t where,
                     uint64_t model);
static inline struct mem_line *mem_peer_line(const struct mem_peer *peer, uint64_t model)
{
    return peer->levels.last ? mem_cache_find(peer->levels.last, model) : NULL;
}

/* ---- contention.c: lines that change writers, and a bus that several use -----------------------
 */

/* A line in flight to a writer cannot be supplied; requesters stall until it arrives: when? */
int64_t mem_in_flight_until(const struct mem_domain *d, uint64_t where, uint64_t model,
                            int64_t now);
/* It is in flight to this writer from then to then. */
void mem_in_flight_set(const struct mem_peer *peer, uint64_t where, uint64_t model, int64_t begun,
                       int64_t there);
/* Is it, at `now`, on its way to this processor itself? */
bool mem_in_flight_here(const struct mem_peer *peer, uint64_t where, uint64_t model, int64_t now);
/* It is, and this processor stores to it once more: it has the line for that when? */
int64_t mem_in_flight_again(const struct mem_peer *peer, uint64_t where, uint64_t model);
/* How far ahead of the clock a processor may be when it accesses the line of a shared page at
 * `now`. */
int64_t mem_shared_lead(const struct mem_domain *d, uint64_t where, uintptr_t addr, int64_t now);
/* Has the line of a shared page ever changed writers? */
bool mem_line_changed_writers(const struct mem_domain *d, uint64_t where, uintptr_t addr);
/* The line whose transfers to writers took longest; false: none has had to wait for another. */
struct mem_busy_line {
    uint64_t line; /* its number */
    struct mem_resource_count count;
};
bool mem_busiest_line(const struct mem_domain *d, struct mem_busy_line *busiest);
/* It serves that processor's request at `start`, and served another's last. */
void mem_bus_changes(struct mem_domain *d, int processor, int64_t start);
/* The bus is booked, for a processor's request of that date; returns when it is served. */
static inline int64_t mem_bus_book(const struct mem_peer *peer, int64_t now, int64_t ticks,
                                   uint64_t bytes)
{
    struct mem_domain *d = peer->domain;
    const int64_t start = mem_resource_book(&d->resource, now, ticks, bytes);
    if (MEM_UNLIKELY(d->on_bus != peer->index + 1)) mem_bus_changes(d, peer->index, start);
    d->long_owed = mem_resource_is_long(&d->resource, now) && !d->never_pays;
    return start;
}

/* ---- leave.c: lines of the last level that go ------------------------------------------------ */

/* A line is written to memory at `now`. */
static inline void mem_line_to_memory(struct mem_peer *peer, int64_t now)
{
    struct mem_domain *d = peer->domain;
    if (d->bus)
        mem_resource_book(&d->resource, now, d->slot, UINT64_C(1) << d->line_shift);
    else
        mem_dram_behind(&peer->port, now, d->line_time);
}
/* The line, or newer bytes of it, comes into the shared level at `now`. */
void mem_line_to_shared(struct mem_peer *peer, uint64_t model, bool dirty, int64_t now);
/* What a line that came into it has driven out goes to memory at `now`. */
void mem_line_out_of_shared(struct mem_peer *peer, int64_t now);
/* Its newer bytes, if any, go to memory at `now`; no processor waits, later transactions do. */
void mem_line_write_back(struct mem_peer *peer, const struct mem_line *e, int64_t now);
/* Its place is needed: as above, and it leaves the directory. */
void mem_line_evict(struct mem_peer *peer, struct mem_line *e, int64_t now);
/* Forget the line everywhere in this processor. Its newer bytes go to memory first, unless another
 * cache takes them over (`supplied`). */
void mem_line_drop(struct mem_peer *peer, struct mem_line *e, enum mem_drop why, bool supplied,
                   int64_t now);

/* ---- snoop.c: transactions ------------------------------------------------------------------- */

/* What the others answered: coh_action bits. asker NULL: the network interface asks. */
unsigned mem_snoop(const struct mem_domain *d, const struct mem_peer *asker, uint64_t where,
                   uint64_t model, enum coh_event event, int64_t now);

#endif
