/* core.h: what the files of mem share. Private to the room.
 *
 * Inside the room time is counted in ticks, 2^-16 of a processor cycle, so that charges are whole
 * numbers: sums do not depend on the order of adding, hence not on which accesses the fast filters
 * happened to answer. Ticks never leave the room.
 *
 * Three address spaces meet here. Host addresses are the program's own. Model addresses index and
 * tag the caches: host pages mapped first-touch (page.c). Bytes are only ever moved at host
 * addresses.
 */
#ifndef MEM_CORE_H
#define MEM_CORE_H

#include "mem/mem.h"

#include "coh/coh.h"

#include <string.h>

#define MEM_LIKELY(x)   __builtin_expect(!!(x), 1)
#define MEM_UNLIKELY(x) __builtin_expect(!!(x), 0)

enum { MEM_TICK_BITS = 16 }; /* ticks of a cycle: 2^16 */
/* host pages of 4 KiB, the unit in which the host randomises addresses */
enum { MEM_PAGE_BITS = 12 };
enum { MEM_PAGE_BYTES = 1 << MEM_PAGE_BITS };
enum { MEM_TICK_SLACK = 16 }; /* a date that went through seconds and back may be off by rounding */

/* ---- cache arrays (cache.c) ------------------------------------------------------------------ */

/* In struct mem_line, key is model line << 8 | flags; host serves to find the filter slots and the
 * bytes. */
enum {
    MEM_LINE_STATE = 7, /* enum coh_state; meaningful at the last level */
    /* a write-back store needs nothing more: the last level holds the line as M */
    MEM_LINE_DIRTY = 8,
};
#define MEM_LINE_EMPTY (~UINT64_C(0xff))
#define MEM_LINE_NONE  ((struct mem_line){MEM_LINE_EMPTY, ~UINT64_C(0)})

struct mem_cache;

/* A replacement policy: sees one set, never addresses. Members: replace/, listed in
 * replace/models.def. */
struct mem_ways {
    uint64_t *order; /* one number a way, the policy's own */
    unsigned ways;
    uint64_t now; /* grows with every call */
    struct base_random *random;
};
struct mem_replace {
    const char *name; /* value of cache.lN.replace */
    const char *doc;  /* one sentence */
    const char *source;
    /* does a hit change what is replaced next? */
    bool hit_counts;
    void (*filled)(const struct mem_ways *set, unsigned way); /* a line came into that way */
    /* a hit; called only where hit_counts */
    void (*used)(const struct mem_ways *set, unsigned way);
    /* every way is taken: which one gives way */
    unsigned (*victim)(const struct mem_ways *set);
};
const struct mem_replace *mem_replace_find(const char *name); /* NULL: none of that name */
const struct mem_replace *const *mem_replace_all(size_t *n);

struct mem_cache {
    struct mem_line *line; /* sets * ways, a set's ways beside each other */
    uint64_t set_mask;
    uint32_t shift, ways; /* log2 of the line; lines of a set */
    bool write_back, allocate_write;
    bool ordered; /* ways > 1 and a hit counts: filters hold the most recent line of a set only */
    int level;
    int64_t hit; /* ticks */
    struct mem_cache_count count;
    const struct mem_replace *replace;
    uint64_t *order;  /* NULL: direct mapped */
    uint32_t *recent; /* most recently used way of each set; NULL unless ordered */
    uint64_t now;
    struct base_random random;
};

/* ---- pages (page.c) -------------------------------------------------------------------------- */

/* where: model page << 32 | index of the node's shared page << 8 | flags */
struct mem_page {
    uint64_t host, where;
};
enum { MEM_PAGE_SEGMENT = 1, MEM_PAGE_SHARED = 2, MEM_PAGE_POOL = 4 };

/* A page several processors of a node may cache (it holds, or held, bytes of a segment). */
struct mem_coming {
    /* when a processor asked for the line to write it, and when it has got it */
    int64_t asked, there;
    /* until then its accesses are played at their dates: two processors write it in turn */
    int64_t fought;
    int writer; /* index + 1 of that processor; 0: none yet */
};
struct mem_shared {
    uint64_t host, model;
    bool segment, pool;
    uint64_t *holders; /* a word a line of the last level: bit cpu % 64 set: it may hold the line */
    struct mem_coming *coming; /* one a line: to its last writer */
};

/* ---- write buffer (wb.c) --------------------------------------------------------------------- */

enum mem_entry_state {
    MEM_ENTRY_FREE,
    MEM_ENTRY_OPEN,
    MEM_ENTRY_CLOSED,
    MEM_ENTRY_WRITING,
    MEM_ENTRY_STATES
};
struct mem_entry {
    uint64_t host;  /* host address >> wb_shift; ~0: free */
    uint64_t model; /* model address of the store that opened it */
    /* bytes to be written; of them, those the program stored (not put back) */
    uint64_t mask, stored;
    int64_t when;                     /* CLOSED: since; WRITING: until */
    struct mem_entry *before, *after; /* in the queue of its state, oldest first */
    enum mem_entry_state state;
    bool segment;  /* bytes will be carried to an image */
    bool late;     /* bytes of the store in progress are not in `data` yet */
    op_site site;  /* of the last store that put neighbours back */
    uint8_t *data; /* wb line bytes; meaningful under the mask */
};

struct mem_queue {
    struct mem_entry *first, *last;
};

/* ---- bytes on their way to an image (outbox.c) ----------------------------------------------- */

struct mem_out {
    uintptr_t addr;
    int64_t at;           /* when they reach memory */
    uint64_t bytes, data; /* data: offset in the outbox's bytes */
    uint64_t put_back;    /* bit i: byte i was read, not stored (sub-word stores) */
    op_site site;
    bool late; /* the bytes are not in the view yet; taken from there by mem_carry */
};
struct mem_outbox {
    struct mem_out *out;
    size_t first, end, room;
    size_t late; /* late ones stand from here on */
    uint8_t *data;
    size_t data_end, data_room;
};

/* ---- one processor --------------------------------------------------------------------------- */

struct mem_core {
    struct mem_cpu *cpu;
    struct mem_node *node;
    struct mem_page *page;      /* hash table: host page -> where */
    uint32_t page_shift, pages; /* 64 - log2 of its slots; pages in it */
    uint32_t levels;
    bool through; /* the first level writes through */
    /* simulated clock at the last payment, and what is owed since */
    int64_t clock, compute, memory;
    int64_t access, access_hit; /* ticks: compute of an access; that and a first-level hit */
    int64_t memory_free;        /* memory is busy for this processor until then */
    struct mem_cache cache[MACH_LEVELS];
    /* write buffer */
    struct mem_entry *entry, *newest; /* newest: open entry last stored to, or &none */
    struct mem_entry none;
    struct mem_queue queue[MEM_ENTRY_STATES];
    uint32_t open; /* entries OPEN */
    /* the store being made: its bytes are not in the view before the hook returns */
    uintptr_t shield;
    uint64_t shield_bytes;
    bool late;                    /* something waits for these bytes */
    bool late_more;               /* several entries do */
    struct mem_entry *late_entry; /* one that does; NULL: none */
    bool filled;                  /* the access in progress fetched its line from memory */
    bool for_writing;             /* loads ask for lines to write them */
    struct mem_outbox outbox;
    uint64_t stale;
    int index;        /* in the node */
    uint64_t touched; /* private pages touched so far */
};

/* ---- segments (segment.c) -------------------------------------------------------------------- */

struct mem_registration {
    int id, rank;
    uintptr_t base, end;
    bool lent, mended; /* mem_segment_lend; a store beside it would have spoiled bytes of it */
};

/* A maximal union of registrations that overlap. */
struct mem_region {
    uintptr_t base, end;
    int rank; /* owner; -1: unknown */
    uint8_t *image;
    /* a word of 8 bytes: writer << 44 | time in 0.1 ns; NULL on a coherent node */
    uint64_t *provenance;
    /* bit a byte: newer in the view, in a write-back cache; NULL where there is none */
    uint8_t *dirty;
};

struct mem_busy {
    int64_t start, end;
};

struct mem_node {
    struct mem_cpu *cpu;
    struct mem_core *core;
    int cpus;
    bool coherent, subword;
    bool out_of_view; /* several coherent processors: see outbox.c */
    bool writes_back; /* some level does */
    /* no coherence between several processors: others' segments are read past the caches */
    bool uncached_others;
    const struct coh_protocol *protocol;
    int64_t quantum;
    bool never_pays; /* nobody would pay if asked */
    double ticks_per_s, s_per_tick;
    /* ticks */
    int64_t line_time;
    int64_t retire, flush_line, flush_all;
    int64_t slot, address_slot, cache_to_cache, pool;
    bool bus;
    uint32_t last_shift; /* log2 of the last level's line */
    uint32_t wb_shift, wb_entries, wb_hold;
    uint32_t piece_shift; /* log2 of the smaller of that and the first level's line */
    uint64_t wb_full;     /* mask of a full entry */
    bool wb_merge;        /* private stores may merge without a walk (store.c) */
    enum { MEM_NI_NONE, MEM_NI_INDEX, MEM_NI_ADDRESS } invalidate;
    struct mem_region *region;
    size_t regions, hint; /* sorted by address; the one found last */
    GArray *registration; /* struct mem_registration; so many are lent: */
    guint lent;
    GArray *shared;           /* struct mem_shared */
    GHashTable *shared_index; /* host page -> index + 1 */
    size_t pending;           /* records in all outboxes */
    /* the bus's calendar, sorted, disjoint: [first, hole) and [rest, room) */
    struct mem_busy *busy;
    size_t busy_first, busy_hole, busy_rest, busy_room;
    int64_t latest; /* the simulated clock, as far as any processor paid */
    struct mem_bus_count bus_count;
};

/* ---- time ------------------------------------------------------------------------------------ */
static inline int64_t mem_ticks(const struct mem_node *node, double s)
{
    return (int64_t)(s * node->ticks_per_s + 0.5);
}
static inline double mem_seconds(const struct mem_node *node, int64_t ticks)
{
    return (double)ticks * node->s_per_tick;
}
static inline int64_t mem_owed(const struct mem_core *core)
{
    const struct mem_way *w = &core->cpu->way;
    return core->compute + core->memory + w->owed + (int64_t)w->misses * core->access +
           (int64_t)(core->cpu->fast_loads + core->cpu->fast_stores) * core->access_hit;
}
static inline int64_t mem_now(const struct mem_core *core) { return core->clock + mem_owed(core); }
/* After queued, beyond or watched changed. */
static inline void mem_way_look(struct mem_way *w)
{
    w->open = w->near && !w->queued && !w->beyond && !w->watched;
}
/* An access at another date, on the rank's behalf: what the processor owes is put aside, and comes
 * back at the end, which returns the seconds the access took. */
struct mem_meter {
    int64_t clock, compute, memory;
};
struct mem_meter mem_meter_begin(struct mem_core *core, double at_s);
double mem_meter_end(struct mem_core *core, struct mem_meter owed);
void mem_settle(struct mem_core *core); /* turn the filters' counts into charge and counters */

/* ---- page.c ---------------------------------------------------------------------------------- */
uint64_t mem_page_touch(struct mem_core *core, uint64_t host);
/* The private pages mem_fast_load knows: all of them forgotten; one more. */
void mem_near_init(struct mem_cpu *cpu);
void mem_near_clear(struct mem_cpu *cpu);
void mem_page_near(struct mem_cpu *cpu, uintptr_t addr, uint64_t where);
/* Where the search for a page begins: eight neighbouring pages lie beside each other, groups of
 * them scattered (Fibonacci hashing, Knuth 6.4). */
static inline uint64_t mem_page_slot(uint64_t host, uint32_t shift)
{
    return ((host >> 3) * UINT64_C(0x9e3779b97f4a7c15)) >> (shift + 3) << 3 | (host & 7);
}
static inline uint64_t mem_page_where(struct mem_core *core, uintptr_t addr)
{
    uint64_t host = (uint64_t)addr >> MEM_PAGE_BITS, i = mem_page_slot(host, core->page_shift);
    for (;;) {
        const struct mem_page *page = &core->page[i];
        if (MEM_LIKELY(page->host == host)) return page->where;
        if (page->host == ~UINT64_C(0)) return mem_page_touch(core, host);
        i = (i + 1) & (~UINT64_C(0) >> core->page_shift);
    }
}
static inline uint64_t mem_model(uint64_t where, uintptr_t addr)
{
    return (where >> 32) << MEM_PAGE_BITS | (addr & (MEM_PAGE_BYTES - 1));
}
static inline struct mem_shared *mem_shared_of(struct mem_node *node, uint64_t where)
{
    return &g_array_index(node->shared, struct mem_shared, (where >> 8) & 0xffffff);
}
/* this page holds bytes of a segment */
void mem_page_mark(struct mem_node *node, uintptr_t addr, struct mem_core *owner);
void mem_page_unmark(struct mem_node *node, uintptr_t addr);

/* ---- cache.c --------------------------------------------------------------------------------- */
static inline void mem_filter_drop_store(struct mem_cpu *cpu, uint64_t host)
{
    if (cpu->store_ok[host & (MEM_FILTER - 1)] == host)
        cpu->store_ok[host & (MEM_FILTER - 1)] = ~UINT64_C(0);
}
static inline void mem_filter_drop(struct mem_cpu *cpu, uint64_t host)
{
    if (cpu->load_ok[host & (MEM_FILTER - 1)] == host)
        cpu->load_ok[host & (MEM_FILTER - 1)] = ~UINT64_C(0);
    mem_filter_drop_store(cpu, host);
}
static inline struct mem_line *mem_cache_find(const struct mem_cache *c, uint64_t model)
{
    uint64_t line = model >> c->shift, want = line << 8;
    struct mem_line *e = c->line + (line & c->set_mask) * c->ways;
    if (MEM_LIKELY((e->key ^ want) < 256)) return e;
    for (uint32_t w = 1; w < c->ways; w++)
        if ((e[w].key ^ want) < 256) return e + w;
    return NULL;
}
void mem_cache_init(struct mem_cache *c, const struct mach_cache *m, int level, int64_t hit,
                    int cpu);
void mem_cache_clear(struct mem_cache *c);
/* where the line will come to lie */
struct mem_line *mem_cache_victim(struct mem_cache *c, uint64_t model);
void mem_cache_used(struct mem_core *core, struct mem_cache *c, struct mem_line *e, bool filled);
enum mem_drop { MEM_DROP_EVICTED, MEM_DROP_KILLED, MEM_DROP_FLUSHED }; /* why; for the counters */
/* Forget the line at the levels above; true: one of them held newer bytes. */
bool mem_cache_drop_above(struct mem_core *core, struct mem_cache *c, const struct mem_line *e,
                          enum mem_drop why);
/* Forget a line of the last level, everywhere in this processor. Its newer bytes, if any, go to
 * memory first, unless another cache takes them over (`supplied`). */
void mem_cache_drop_line(struct mem_core *core, struct mem_line *e, enum mem_drop why,
                         bool supplied);
/* The line is not the only newest copy any more: stores must ask again. */
void mem_cache_clean_above(struct mem_core *core, struct mem_line *e);
void mem_filters_clear(struct mem_cpu *cpu);

/* ---- hierarchy.c, snoop.c, dram.c, bus.c ----------------------------------------------------- */
struct mem_access {
    uintptr_t addr;
    uint64_t bytes;
    uint64_t model, where;
    bool segment; /* the last level's line holds bytes of a segment */
    bool own;     /* the line is wanted for a store */
};
void mem_walk_load(struct mem_core *core, struct mem_access *a);
/* false: no level keeps it, it goes to memory */
bool mem_walk_store(struct mem_core *core, struct mem_access *a);
/* its bytes go to memory if they are newer */
void mem_evict_last(struct mem_core *core, struct mem_line *e);
bool mem_needs_bus(struct mem_core *core, const struct mem_access *a, bool store);
/* Does another processor hold the line? What the others answered to a transaction: coh_action bits.
 * asker NULL: the network interface asks. */
bool mem_snoop_held(struct mem_node *node, const struct mem_core *asker, uint64_t where,
                    uint64_t model);
unsigned mem_snoop(struct mem_node *node, const struct mem_core *asker, uint64_t where,
                   uint64_t model, enum coh_event event);
/* until its last writer has got the line */
int64_t mem_coming_wait(struct mem_node *node, uint64_t where, uint64_t model, int64_t now);
void mem_coming_set(const struct mem_core *core, uint64_t where, uint64_t model, int64_t asked,
                    int64_t there);
/* How far ahead of the clock the processor may be when it accesses the line. */
int64_t mem_shared_lead(const struct mem_core *core, uint64_t where, uintptr_t addr);
static inline int64_t mem_lead(const struct mem_core *core, uint64_t where, uintptr_t addr)
{
    return MEM_UNLIKELY(where & MEM_PAGE_SHARED) ? mem_shared_lead(core, where, addr)
                                                 : core->node->quantum;
}
void mem_holder_set(struct mem_core *core, uint64_t where, uint64_t model);
void mem_holder_clear(struct mem_core *core, uint64_t where, uint64_t model);
/* Is there another processor to meet on the bus? Only then must one be in time there. */
static inline bool mem_meets_others(const struct mem_node *node)
{
    return node->bus && node->cpus > 1;
}
/* ticks it queued */
int64_t mem_bus_book(struct mem_node *node, int64_t now, int64_t slot, uint64_t bytes);

/* ---- wb.c ------------------------------------------------------------------------------------ */
void mem_wb_init(struct mem_core *core);
void mem_wb_clear(struct mem_core *core);
void mem_wb_store(struct mem_core *core, const struct mem_access *a, uint64_t stored_from,
                  uint64_t stored_to, op_site site);
void mem_wb_close(struct mem_core *core, struct mem_entry *e, int64_t now);
void mem_wb_advance(struct mem_core *core, int64_t now);
void mem_wb_drain(struct mem_core *core);
static inline void mem_wb_late(struct mem_core *core, struct mem_entry *e)
{
    if (core->late_entry && core->late_entry != e) core->late_more = true;
    core->late_entry = e;
    core->late = e->late = true;
}
/* A write-back cache has newer bytes now: those still waiting here must not follow them into
 * memory. */
void mem_wb_forget(struct mem_core *core, uintptr_t addr, uint64_t bytes);
bool mem_wb_covers(const struct mem_core *core, uintptr_t addr, uint64_t bytes);

/* ---- outbox.c -------------------------------------------------------------------------------- */
void mem_out_push(struct mem_core *core, uintptr_t addr, uint64_t bytes, const uint8_t *data,
                  uint64_t put_back, op_site site, int64_t at);
void mem_carry_late(struct mem_core *core);
/* The store hook returned long ago: its bytes are in the view now. */
static inline void mem_carry(struct mem_core *core)
{
    if (core->late) mem_carry_late(core);
    core->shield_bytes = 0;
}
void mem_out_apply(struct mem_node *node, int64_t now);
void mem_out_clear(struct mem_core *core);

/* ---- segment.c, stale.c ---------------------------------------------------------------------- */
/* The first region that holds bytes of [from, to), or NULL. */
struct mem_region *mem_region_find(struct mem_node *node, uintptr_t from, uintptr_t to);
static inline struct mem_region *mem_region_next(struct mem_node *node, struct mem_region *r,
                                                 uintptr_t to)
{
    r++;
    return r < node->region + node->regions && r->base < to ? r : NULL;
}
/* NULL: none; lent: none that is */
struct mem_registration *mem_registration_at(const struct mem_node *node, uintptr_t addr,
                                             bool lent);
/* Without coherence a processor does not cache what belongs to another of its node: its own caches
 * would not tell it whose bytes are newer. */
static inline bool mem_anothers(const struct mem_core *core, const struct mem_region *r)
{
    return core->node->uncached_others && r->rank >= 0 && r->rank != core->cpu->rank;
}
void mem_image_write(struct mem_node *node, uintptr_t addr, const uint8_t *data, uint64_t bytes);
void mem_image_wrote(struct mem_node *node, uintptr_t addr, uint64_t bytes, uint32_t writer,
                     int64_t at);
/* Image -> view for [addr, addr+bytes), never over bytes this processor has and memory has not. */
void mem_view_fill(struct mem_core *core, uintptr_t addr, uint64_t bytes);
/* Is the byte newer in this processor than in memory? */
bool mem_byte_own(const struct mem_core *core, const struct mem_region *r, uintptr_t addr);
void mem_stale_check(struct mem_core *core, uintptr_t addr, uint64_t bytes, uintptr_t pc);
op_site mem_site(const struct mem_core *core, uintptr_t pc);
/* [addr, +bytes) in segments becomes dirty in a write-back cache; bytes dirty there go to the
 * outbox. */
void mem_dirty_mark(struct mem_node *node, uintptr_t addr, uint64_t bytes);
void mem_dirty_flush(struct mem_core *core, uintptr_t addr, uint64_t bytes);

/* ---- load.c, store.c: one access on the processor's behalf; never asks to pay ---------------- */
void mem_do_load(struct mem_core *core, uintptr_t addr, uint64_t bytes, uintptr_t pc);
void mem_do_store(struct mem_core *core, uintptr_t addr, uint64_t bytes, uintptr_t pc);
bool mem_must_pay(struct mem_core *core, uintptr_t addr, uint64_t bytes, bool store);

#endif
