/* access: one access of a processor, from its request to what the processor waits.
 *
 * The board: a node's processors with what belongs to each, and what they share. Timing (peer,
 * buffer, domain) returns dates and moves no byte; values know no tag and no cache. Here, for each
 * line of an access: the walk says when it is complete; the core model makes that stall; the ledger
 * is charged; values are checked or marked.
 */
#ifndef MEM_ACCESS_ACCESS_H
#define MEM_ACCESS_ACCESS_H

#include "mem/access/processor.h"
#include "mem/cache/write_buffer.h"
#include "mem/coherence/coherence.h"
#include "mem/core/core.h"
#include "mem/values/values.h"

/* A private page whose translation is at hand; all zero: none. */
struct mem_near {
    uint64_t host, model; /* page number; model address */
    uint64_t stores;      /* page number: stores there are private, too; 0: its loads only */
    uint32_t held;        /* then MEM_LINE_DIRTY; else 0 (struct mem_held) */
    uint32_t unused;
};
static inline struct mem_near mem_near(uint64_t host, uint64_t model, bool stores)
{
    return (struct mem_near){host, model, stores ? host : 0, stores ? MEM_LINE_DIRTY : 0, 0};
}
enum { MEM_NEAR = 512, MEM_NEAR_FIRST = 64 }; /* powers of two: at most, and at first */
/* A page of which every byte is a segment's, of this processor; where 0: one that is not; all zero:
 * none. */
struct mem_near_segment {
    uint64_t host, where;
    const uint8_t *image; /* of its first byte; NULL: nobody needs to know, the node is coherent */
    struct mem_region *region;
};
enum { MEM_NEAR_SEGMENTS = 128, MEM_NEAR_SEGMENTS_FIRST = 32 }; /* the same */

/* A segment's page that is lent (lend.h): its number, and its bytes in memory. */
struct mem_lent {
    uint64_t host;
    uint8_t *image;
};
struct mem_lending {
    struct mem_lent *page;
    size_t pages, room, stores; /* pages; room for pages; pages whose stores are private, too */
    uint32_t soon;              /* so many accesses are played before pages are lent */
};

/* A line, and where it lay: it is there still if `host` says so. */
struct mem_held {
    /* its host number, inverted: none is that of all zero; a segment's also in the highest bit */
    uint64_t unlike;
    const struct mem_line *at;
    uint8_t *place; /* of its set (order.h) */
    uint32_t way;
    uint32_t
        stores; /* MEM_LINE_DIRTY: stores are private, too; 0: of a page whose loads are lent */
};
enum { MEM_HELD_LOG2 = 9 };

/* A line of a segment whose stores wait (quiet.h). */
struct mem_quiet_line {
    uint64_t unlike;           /* its host number, inverted: none is that of all zero */
    const struct mem_line *at; /* where the level that keeps stores had it; NULL: to be asked */
};
enum { MEM_QUIET = 256 }; /* a power of two */
struct mem_quiet {
    bool some;            /* there are such lines */
    bool wide;            /* or pages whose stores wait: every argument counts as an address */
    uintptr_t low, bytes; /* of the processor's `foreign`, meanwhile */
};

/* The last store that took a line from other caches while the processor went on. What the processor
 * waits for it in the end, the move of that line took. */
struct mem_moving {
    struct profile_moved *row;
    op_site site;
    int64_t done;
};

/* One processor. The tables come first: what is never written there takes no memory. */
struct mem_core {
    /* lines that the first level held when they were last used, where hits count (held.h) */
    struct mem_held held[1 << MEM_HELD_LOG2];
    /* direct mapped by host line */
    struct mem_quiet_line quiet_line[MEM_QUIET];
    /* direct mapped by host page. In use are the last places of the first, from segment_places on,
     * a negative number, and the first ones of the second, up to last_near: they lie together */
    struct mem_near_segment near_segment[MEM_NEAR_SEGMENTS];
    struct mem_near near[MEM_NEAR];
    uint64_t segment_places;
    uint32_t segments_taken; /* so often has a page taken the place of another; of near, too */
    uint32_t last_near, near_taken;
    struct mem_cpu *cpu;
    struct mem_node *node;
    const struct mem_core_model *model;
    struct mem_peer peer; /* levels, pages, its port to memory */
    struct mem_write_buffer buffer;
    struct mem_own own; /* bytes that memory has not */
    uintptr_t block_from,
        block_to;       /* a copy stores whole lines there (mem_copy_begin); 0: none does */
    int64_t pool_free;  /* its link to the pool takes the next line */
    uint64_t elsewhere; /* misses of the last level that its memory had no part in */
    bool agents_turn;   /* what it plays is not its program's own */
    bool for_writing;   /* loads ask for lines to write them, and stores have done so */
    int64_t first_hit;  /* ticks of a hit of the first level, which prices cover; 0: no cache */
    /* ticks from a load of a library's until the processor can go no further without it */
    int64_t library_slack;
    /* what each has in flight; NULL: it waits for each access */
    struct mem_flight *program, *agent;
    uint64_t stale;  /* loads */
    uint64_t faults; /* pages that were absent */
    uint64_t behind; /* times that the node's views fell behind, as it last looked (charge.c) */
    bool alone;      /* one level, and behind it memory that nobody else has a say in */
    bool runs;       /* run.c plays what agents do to long ranges */
    bool holds;      /* there is a line in `held` */
    struct mem_quiet quiet;
    struct mem_lending lending;
    struct mem_moving moving;
};

static inline struct mem_near_segment *mem_segment_place(struct mem_core *core, uint64_t host)
{
    return &core->near_segment[MEM_NEAR_SEGMENTS + (host | core->segment_places)];
}
/* Pages may have become a segment's, or their translations have gone. */
static inline void mem_near_clear(struct mem_core *core)
{
    if (core->holds) memset(core->held, 0, sizeof core->held);
    core->holds = false;
    /* what is zero stays memory that nobody touched */
    for (size_t i = 0; i <= core->last_near; i++)
        if (core->near[i].host) core->near[i] = (struct mem_near){0};
    for (size_t i = MEM_NEAR_SEGMENTS + core->segment_places; i < MEM_NEAR_SEGMENTS; i++)
        if (core->near_segment[i].host) core->near_segment[i] = (struct mem_near_segment){0};
}

/* Its program stores to the segment at pc. */
void mem_store_noted(struct mem_core *core, uintptr_t addr, uintptr_t pc);

/* ---- near.c ---------------------------------------------------------------------------------- */

/* Puts the page at hand, to store there, too. False: it is neither this processor's own nor lent,
 * or its translation is not there. */
bool mem_find_page(struct mem_core *core, uintptr_t addr, bool stores);
/* The same of pages that no segment has bytes of. */
bool mem_find_private(struct mem_core *core, uintptr_t addr);
/* Its model address, if its page is at hand. */
static inline bool mem_page_near(const struct mem_core *core, uintptr_t addr, uint64_t *model)
{
    uint64_t host = (uint64_t)addr >> MEM_PAGE_BITS;
    const struct mem_near *near = &core->near[host & core->last_near];
    *model = near->model | (addr & (MEM_PAGE_BYTES - 1));
    return MEM_LIKELY(near->host == host);
}
/* The same for a store. */
static inline bool mem_page_near_store(const struct mem_core *core, uintptr_t addr, uint64_t *model)
{
    uint64_t host = (uint64_t)addr >> MEM_PAGE_BITS;
    const struct mem_near *near = &core->near[host & core->last_near];
    *model = near->model | (addr & (MEM_PAGE_BYTES - 1));
    return MEM_LIKELY(near->stores == host);
}
/* MEM_LINE_DIRTY: its page is at hand for stores, too; else 0. */
static inline uint32_t mem_held_stores(const struct mem_core *core, uintptr_t addr)
{
    const uint64_t host = (uint64_t)addr >> MEM_PAGE_BITS;
    const struct mem_near *near = &core->near[host & core->last_near];
    return near->host == host ? near->held : 0;
}
/* The same, looked for if it is not. */
static inline bool mem_is_private(struct mem_core *core, uintptr_t addr, uint64_t *model)
{
    if (mem_page_near(core, addr, model)) return true;
    return mem_find_page(core, addr, false) && mem_page_near(core, addr, model);
}
static inline bool mem_is_private_store(struct mem_core *core, uintptr_t addr, uint64_t *model)
{
    if (mem_page_near_store(core, addr, model)) return true;
    return mem_find_page(core, addr, true) && mem_page_near_store(core, addr, model);
}

/* fault.c: an access to a page that is absent waits until it is there; where it is. */
uint64_t mem_page_fault(struct mem_core *core, uintptr_t addr);

/* The same of a segment's page. NULL: it is no segment's, or not all of it, or another's, or its
 * translation is not there. */
const struct mem_near_segment *mem_find_segment(struct mem_core *core, uintptr_t addr);
static inline bool mem_segment_at_hand(struct mem_core *core, uintptr_t addr)
{
    uint64_t host = (uint64_t)addr >> MEM_PAGE_BITS;
    return mem_segment_place(core, host)->host == host;
}
static inline const struct mem_near_segment *mem_segment_near(struct mem_core *core, uintptr_t addr)
{
    uint64_t host = (uint64_t)addr >> MEM_PAGE_BITS;
    const struct mem_near_segment *near = mem_segment_place(core, host);
    if (MEM_UNLIKELY(near->host != host)) return mem_find_segment(core, addr);
    return near->where ? near : NULL;
}

/* Its program stores there, at pc. */
static inline void mem_near_stored(const struct mem_core *core, const struct mem_near_segment *near,
                                   uintptr_t pc)
{
    if (near->region->rank == core->cpu->rank) near->region->stored = pc;
}

/* A processor. What every run writes lies together: pages at hand, the end of the core, the ledger
 * and the filter. Behind these the entries of branches are a page of the host's. */
enum { MEM_SEAT_BRANCH = sizeof(struct mem_core) + offsetof(struct mem_cpu, branch) };
struct mem_seat {
    char apart[MEM_PAGE_BYTES - MEM_SEAT_BRANCH % MEM_PAGE_BYTES];
    struct mem_core core;
    struct mem_cpu cpu;
} __attribute__((aligned(MEM_PAGE_BYTES)));
_Static_assert(offsetof(struct mem_seat, cpu.branch) % MEM_PAGE_BYTES == 0, "they are");

/* One node. */
struct mem_node {
    struct mem_seat *seat; /* one a processor */
    int cpus;
    struct mem_scale scale;
    struct mem_values values;
    struct mem_domain domain;
    bool subword;         /* stores of less than 4 bytes read and write 8 (cpu.subword) */
    uint64_t block_store; /* copies of so many bytes do; 0: none */
    uint64_t fast_bytes;  /* what the shortcuts of mem_load and mem_store take at most */
    uint32_t piece_shift; /* log2 of the smaller of a buffer's entry and the first level's line */
    /* ticks */
    int64_t flush_line, flush_all;
    int64_t atomic;                     /* keeps the processor, beyond its load */
    int64_t page_fault;                 /* 0: pages are always there */
    int64_t pool, pool_line;            /* latency; a line on the link; 0: there is none */
    uint64_t pool_accesses, pool_bytes; /* so far */
    enum { MEM_NI_NONE, MEM_NI_INDEX, MEM_NI_ADDRESS } invalidate;
};

/* What is not at hand: is it private, or can a segment's page be lent (lend.h)? */
static inline bool mem_lends(struct mem_core *core, uintptr_t addr, bool stores, uint64_t *model)
{
    if (MEM_LIKELY(!core->cpu->unobserved)) return false;
    if (stores && !core->node->domain.coherent) return false; /* they are not */
    return stores ? mem_is_private_store(core, addr, model) : mem_is_private(core, addr, model);
}

/* What lies inside one line of the first level. */
struct mem_access {
    uintptr_t addr;
    uint64_t bytes;
    uint64_t model, where;
    bool segment; /* the last level's line holds bytes of a segment */
    bool own;     /* the line is wanted for a store */
    bool filled;  /* a load: the line was fetched from memory */
    bool moved;   /* the line left another's cache for it */
    /* a store: the level that keeps it; NULL: it goes to memory */
    const struct mem_cache *kept;
};

/* ---- walk.c: the levels, from the first to memory; complete when? ---------------------------- */

int64_t mem_walk_load(struct mem_core *core, struct mem_access *a, int64_t now);
int64_t mem_walk_store(struct mem_core *core, struct mem_access *a, int64_t now);
/* The line is not in c, which is that level, the first one 0: it comes there. */
struct mem_line *mem_walk_miss(struct mem_core *core, struct mem_cache *c, int level,
                               struct mem_access *a, int64_t *now);
/* block.c: the last level misses the line; of a copy it goes to memory whole, at *now. False: it is
 * stored as usual. */
bool mem_store_block(struct mem_core *core, const struct mem_access *a, int64_t *now);
/* May it store to the line, which level c has as e, without a word to anybody? It is its own now.
 */
bool mem_own_unasked(const struct mem_core *core, const struct mem_cache *c, struct mem_line *e);
/* Would the access be a transaction on the bus, or ask a shared level? */
bool mem_needs_bus(const struct mem_core *core, uint64_t model, bool store);

/* ---- deep.c ---------------------------------------------------------------------------------- */

/* Neither the first level nor the next one has a private line that is loaded. Complete when? */
int64_t mem_deep_load(struct mem_core *core, uintptr_t addr, uint64_t model, int64_t now);
/* The same of what lies behind the processor's own levels. */
int64_t mem_behind_last(struct mem_core *core, uint64_t model, int64_t now);
/* Such a line's state in the last level, then. */
static inline enum coh_state mem_loaded_state(const struct mem_domain *d)
{
    return d->coherent ? coh_step(d->protocol, COH_I, COH_LOAD).next : COH_S;
}

/* ---- through.c: stores that no level keeps; complete when? ----------------------------------- */

int64_t mem_store_through(struct mem_core *core, const struct mem_access *a, op_site site,
                          int64_t now);

/* ---- access.c -------------------------------------------------------------------------------- */

enum mem_kind { MEM_LOAD, MEM_STORE };
/* The access, line by line, whatever is owed. */
void mem_play(struct mem_core *core, enum mem_kind kind, const struct mem_site *site,
              uintptr_t addr, uint64_t bytes, uintptr_t pc);
/* The same by an agent, of a long range. (run.c) */
void mem_play_run(struct mem_core *core, enum mem_kind kind, uintptr_t addr, uint64_t bytes);
/* How far ahead of the clock may the processor be when it accesses the line at `now`? What nobody
 * observes is paid for more seldom. */
static inline int64_t mem_lead(const struct mem_core *core, uint64_t where, uintptr_t addr,
                               int64_t now)
{
    const struct mem_domain *d = &core->node->domain;
    if (MEM_UNLIKELY(where & MEM_PAGE_SHARED)) return mem_shared_lead(d, where, addr, now);
    return core->cpu->unobserved ? d->unobserved : d->quantum;
}
/* May the processor be as far ahead of the clock as it is at `now`, if the access asks nobody? */
static inline bool mem_may_lead(const struct mem_core *core, uint64_t where, uintptr_t addr,
                                int64_t now)
{
    return now - core->cpu->ledger.clock <= mem_lead(core, where, addr, now);
}
/* Is a line that it has still on its way here, to be written? Not for an atomic operation, whose
 * load has waited for it. */
static inline bool mem_line_comes(const struct mem_core *core, uint64_t where, uint64_t model,
                                  int64_t now)
{
    return MEM_UNLIKELY(where & MEM_PAGE_SHARED) && !core->for_writing &&
           mem_in_flight_here(&core->peer, where, model, now);
}
/* The processor of that rank; the first one if it has none. */
static inline struct mem_core *mem_owner(const struct mem_node *node, int rank)
{
    for (int i = 0; i < node->cpus; i++)
        if (node->seat[i].cpu.rank == rank) return &node->seat[i].core;
    return &node->seat[0].core;
}
/* The same of what lies inside one line of the first level, charged as one access. */
void mem_play_line(struct mem_core *core, enum mem_kind kind, const struct mem_site *site,
                   uintptr_t addr, uint64_t bytes, uint64_t where, uintptr_t pc);
/* A range beyond 16 bytes is played as accesses of 8 bytes; all but the first of a line hit. */
static inline int64_t mem_further_words(uint64_t bytes)
{
    return bytes <= 16 ? 0 : (int64_t)((bytes + 7) / 8) - 1;
}
void mem_play_further(struct mem_core *core, enum mem_kind kind, const struct mem_site *site,
                      int64_t n);
/* Is the load stale? Then the finding is noted. */
void mem_check_stale(struct mem_core *core, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                     int64_t at);
/* A load from a segment's line that the first level holds needs nothing but counting from now on,
 * if nobody observes the processor and no byte of it is older than memory's. */
static inline void mem_filter_segment(struct mem_core *core, const struct mem_region *r,
                                      uintptr_t addr)
{
    struct mem_filter *f = &core->cpu->filter;
    uint64_t line = (uint64_t)addr >> f->line_shift;
    if (!core->cpu->unobserved) return;
    if (core->node->values.coherent || !mem_view_line_behind(r, addr, f->line_shift))
        mem_filter_know_load(f, line);
}
/* Do view and memory hold the same there? */
static inline bool mem_same_bytes(const void *a, const void *b, uint64_t bytes)
{
    if (bytes != 8) return memcmp(a, b, bytes) == 0;
    uint64_t x, y;
    memcpy(&x, a, 8);
    memcpy(&y, b, 8);
    return x == y;
}
/* Would the access be a transaction on a bus with other processors? */
static inline bool mem_meets_on_bus(const struct mem_core *core, uintptr_t addr, uint64_t where,
                                    bool store)
{
    return mem_meets_others(core->peer.domain) &&
           mem_needs_bus(core, mem_model(where, addr), store);
}
/* The same on a bus that several use, while the processor is ahead of the clock? */
static inline bool mem_out_of_order(const struct mem_core *core, uintptr_t addr, uint64_t where,
                                    bool store, int64_t owed)
{
    const struct mem_domain *d = core->peer.domain;
    return MEM_UNLIKELY(d->in_turn) && d->in_turn > core->cpu->ledger.clock + owed && owed > 0 &&
           mem_meets_on_bus(core, addr, where, store);
}
/* May the processor be as far ahead of the clock as it is, whatever the access does? */
static inline bool mem_in_time(const struct mem_core *core, uintptr_t addr, uint64_t where,
                               bool store)
{
    int64_t owed = mem_owed(&core->cpu->ledger);
    return owed <= mem_lead(core, where, addr, mem_now(&core->cpu->ledger)) &&
           !mem_out_of_order(core, addr, where, store, owed);
}
/* Must the processor pay before the access? */
bool mem_must_pay(struct mem_core *core, enum mem_kind kind, uintptr_t addr, uint64_t bytes);
/* What the processor waits for an access that it does not go on behind: what takes longer than a
 * hit of the first level. */
static inline void mem_stand_still(struct mem_core *core, int64_t ticks)
{
    if (MEM_UNLIKELY(core->cpu->flight != NULL)) mem_flight_shift(core->cpu->flight, ticks);
    mem_charge(&core->cpu->ledger, 0, ticks);
}

/* Turns the counts of instrumented code into counters. */
void mem_fold_counts(struct mem_core *core);

#endif
