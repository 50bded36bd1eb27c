/* values: what memory and the processors hold of the segments; no tags, no caches, no time but the
 * dates handed in.
 *
 * The bytes at the program's own addresses are its view; each segment has an image beside it, what
 * main memory holds. Registrations may overlap; a region is a maximal union of those that do, so
 * one piece of memory has one image. Bytes move between the two when the rest of the room says so:
 * a line was filled, written back, dropped; a store was performed.
 *
 * A byte is a processor's own while memory does not have it yet: about to be stored, in the write
 * buffer, posted, or dirty in a write-back cache. Own bytes are newer than the image: a fill leaves
 * them, and they never make a load stale. All that moves is clipped to the region: caches see
 * lines, segments are bytes.
 */
#ifndef MEM_VALUES_VALUES_H
#define MEM_VALUES_VALUES_H

#include "mem/time/ticks.h"
#include "findings/findings.h"
#include "op/op.h"

#include <string.h>

struct mem_registration {
    int id, rank;
    uintptr_t base, end;
    /* mem_segment_protect; a store beside it would have spoiled bytes of it */
    bool protected, restored;
    uint64_t number;               /* so many were added before it */
    struct mem_registration *next; /* of its region, in the order added */
};

/* A maximal union of registrations that overlap. */
struct mem_region {
    uintptr_t base, end;
    int rank;                       /* owner; -1: unknown */
    struct mem_registration *first; /* of those that it is made of */
    /* where its owner's program stored there last since mem_segment_synchronised; 0: nowhere */
    uintptr_t stored;
    uint8_t *image;
    /* a word of 8 bytes: writer << 44 | time in 0.1 ns; NULL on a coherent node */
    uint64_t *provenance;
    /* bit a byte: newer in the view, in a write-back cache; NULL where there is none */
    uint8_t *dirty;
    /* bit a byte: newer in the image, the view has it when the line goes; NULL: none yet */
    uint8_t *behind;
};

/* ---- one processor --------------------------------------------------------------------------- */

/* The store that has not happened yet: its hook runs before it, so only addresses are known, and
 * what waits for its bytes gets them from the view at the processor's next event. */
struct mem_deferred {
    uintptr_t addr;
    uint64_t bytes; /* 0: there is none */
    bool late;      /* something waits for the bytes: posted writes, or buffered stores: */
    struct mem_buffered *buffered;
    bool several; /* more than that one */
};

/* Bytes of a segment that wait in an entry of the write buffer. */
struct mem_buffered {
    uintptr_t line; /* address of the entry's first byte */
    /* bytes to be written; of them, those the program stored (not put back) */
    uint64_t mask, stored;
    op_site site;   /* of the last store that put neighbours back */
    bool late;      /* bytes of the deferred store are not in `data` yet */
    bool live;      /* there are such bytes */
    uint8_t *data;  /* a line of bytes; meaningful under the mask */
    uint64_t order; /* of two entries of a line, the greater one is younger */
};

/* Bytes on their way to memory. */
struct mem_posted {
    uintptr_t addr;
    int64_t at;           /* when they reach memory */
    uint64_t bytes, data; /* data: offset in the bytes of all */
    uint64_t put_back;    /* bit i: byte i was read, not stored (sub-word stores) */
    op_site site;
    bool late; /* the bytes of the deferred store, not in the view yet */
};
struct mem_posted_queue {
    struct mem_posted *write;
    size_t first, end, room;
    size_t late; /* late ones stand from here on */
    uint8_t *data;
    size_t data_end, data_room;
};

/* What is this processor's own. */
struct mem_own {
    struct mem_values *values;
    const int *rank; /* whose processor */
    struct mem_deferred deferred;
    struct mem_posted_queue posted;
    struct mem_buffered *buffered; /* one an entry of the write buffer */
    uint32_t entries, live;        /* entries; those live */
    uint64_t orders;               /* those that ever were */
    int64_t stored;                /* date of the last store to a segment that memory may lack */
};

/* ---- one node -------------------------------------------------------------------------------- */

struct mem_values {
    struct mem_scale scale;
    bool coherent, writes_back, restores; /* restores: protected segments (cpu.subword_restore) */
    /* Several coherent processors share one view, and may store to the same bytes in an order of
     * the host that is not that of their local times. What memory ends up with must be what they
     * see, so there posted bytes are taken from the view when their time comes; a value overwritten
     * within the same quantum may then never be seen by a remote reader. */
    bool out_of_view;
    /* no coherence between several processors: others' segments are read past the caches */
    bool uncached_others;
    struct mem_region *region;
    size_t regions, hint; /* sorted by address; the one found last */
    /* where the regions lie, with room before and behind them */
    struct mem_region *room;
    size_t rooms;
    GHashTable *registration; /* id -> struct mem_registration */
    uint64_t registered;      /* so many ever were */
    struct mem_own **own;     /* one a processor */
    int processors;
    size_t posted;        /* writes of all processors */
    uint64_t fell_behind; /* times that bytes of a view did (mem_view_behind) */
    uint32_t line_shift;  /* log2 of an entry of the write buffer */
    double restore_s;     /* reading and writing a word of memory again */
};

void mem_values_init(struct mem_values *v, int processors);
void mem_values_clear(struct mem_values *v);
/* Processor i; a write buffer of so many entries. */
void mem_own_init(struct mem_values *v, int i, struct mem_own *own, const int *rank,
                  uint32_t entries);
/* The processor of that rank; the first one if it has none. */
struct mem_own *mem_own_of(const struct mem_values *v, int rank);
/* Bytes whose time has come are in memory. */
void mem_values_until(struct mem_values *v, int64_t now);

/* ---- region.c: which segment, which piece of memory ------------------------------------------ */

/* The first region that holds bytes of [from, to), or NULL. */
struct mem_region *mem_region_find(struct mem_values *v, uintptr_t from, uintptr_t to);
/* The place of the first that ends behind that address; v->regions: none. */
size_t mem_region_place(const struct mem_values *v, uintptr_t addr);
static inline struct mem_region *mem_region_next(const struct mem_values *v, struct mem_region *r,
                                                 uintptr_t to)
{
    r++;
    return r < v->region + v->regions && r->base < to ? r : NULL;
}
/* NULL: none */
struct mem_registration *mem_registration_at(const struct mem_values *v, uintptr_t addr);
/* A protected one that holds the byte `addr` and not the byte `beside`. */
struct mem_registration *mem_registration_protects(const struct mem_values *v, uintptr_t addr,
                                                   uintptr_t beside);
struct mem_registration *mem_registration_of(const struct mem_values *v, int id);
/* Without coherence a processor does not cache what belongs to another of its node: its own caches
 * would not show whose bytes are newer. */
static inline bool mem_anothers(const struct mem_own *own, const struct mem_region *r)
{
    return own->values->uncached_others && r->rank >= 0 && r->rank != *own->rank;
}

/* ---- registration.c -------------------------------------------------------------------------- */

/* False: the range was there already, as it is. */
bool mem_registration_add(struct mem_values *v, int id, int rank, uintptr_t addr, uint64_t bytes);
/* Bytes that leave the last registration over them become what memory holds. Returns the range:
 * empty, nothing has changed. */
struct mem_registration mem_registration_remove(struct mem_values *v, int id);
/* What it takes to write the words of a protected segment again that stores beside it would have
 * spoiled since the last call; 0: none. */
double mem_registration_restore(const struct mem_values *v, int id);

void mem_region_clear(struct mem_region *r);

/* Most are of a word. */
static inline void mem_copy(void *to, const void *from, uint64_t bytes)
{
    if (MEM_LIKELY(bytes == 8))
        memcpy(to, from, 8);
    else
        memcpy(to, from, bytes);
}

/* ---- image.c: what memory holds -------------------------------------------------------------- */

void mem_image_write(struct mem_values *v, uintptr_t addr, const uint8_t *data, uint64_t bytes);
/* The image of segments, plain memory between. */
void mem_image_read(struct mem_values *v, uintptr_t addr, uint8_t *to, uint64_t bytes);
/* Writes plain memory of the range, not the segments. */
void mem_image_write_plain(struct mem_values *v, uintptr_t addr, const uint8_t *in, uint64_t bytes);
/* who wrote those bytes of segments, and when */
void mem_image_wrote(struct mem_values *v, uintptr_t addr, uint64_t bytes, uint32_t writer,
                     int64_t at);

/* ---- deferred.c: the store that has not happened yet ----------------------------------------- */

static inline bool mem_overlap(uintptr_t a, uint64_t n, uintptr_t b, uint64_t m)
{
    return a < b + m && b < a + n;
}
static inline bool mem_deferred_covers(const struct mem_own *own, uintptr_t addr, uint64_t bytes)
{
    return own->deferred.bytes && mem_overlap(addr, bytes, own->deferred.addr, own->deferred.bytes);
}
/* bit i: it stores byte addr + i, i < n <= 64 */
static inline uint64_t mem_deferred_bits(const struct mem_own *own, uintptr_t addr, unsigned n)
{
    const struct mem_deferred *d = &own->deferred;
    uint64_t bits = 0;
    for (unsigned i = 0; i < n; i++)
        if (addr + i >= d->addr && addr + i < d->addr + d->bytes) bits |= UINT64_C(1) << i;
    return bits;
}
void mem_deferred_fetch(struct mem_own *own);
/* The hook returned long ago: the store has happened, its bytes are in the view. */
static inline void mem_deferred_commit(struct mem_own *own)
{
    if (own->deferred.late) mem_deferred_fetch(own);
    own->deferred.bytes = 0;
}
/* This processor is about to store; what it stored before has happened. */
static inline void mem_deferred_begin(struct mem_own *own, uintptr_t addr, uint64_t bytes)
{
    mem_deferred_commit(own);
    own->deferred.addr = addr;
    own->deferred.bytes = bytes;
}
void mem_deferred_commit_all(const struct mem_values *v);

/* ---- buffered.c: bytes in the write buffer --------------------------------------------------- */

static inline void mem_buffered_late(struct mem_own *own, struct mem_buffered *b)
{
    struct mem_deferred *d = &own->deferred;
    if (d->buffered && d->buffered != b) d->several = true;
    d->buffered = b;
    d->late = b->late = true;
}
/* As mem_deferred_begin, of a store into an entry that was stored to before: while nothing but
 * entries wait for the bytes of stores before this one, they can wait with these: whoever asks for
 * any of them fetches all. One that puts bytes back does not wait while others are stored to. */
static inline void mem_deferred_merge(struct mem_own *own, const struct mem_buffered *b,
                                      uintptr_t addr, uint64_t bytes)
{
    struct mem_deferred *d = &own->deferred;
    const struct mem_buffered *last = d->buffered;
    bool waits =
        own->posted.late == own->posted.end && (!last || last == b || last->stored == last->mask);
    if (!waits) mem_deferred_commit(own);
    d->addr = addr;
    d->bytes = bytes;
}
/* The deferred store merges into that entry, whose line begins there. */
void mem_buffered_store(struct mem_own *own, uint32_t entry, uintptr_t line, uint64_t mask,
                        uint64_t stored, op_site site);
void mem_buffered_fetch(struct mem_own *own, struct mem_buffered *b);
/* The entry is written: memory has its bytes at that date. */
void mem_buffered_performed(struct mem_own *own, uint32_t entry, int64_t at);
/* A write-back cache has newer bytes now: those still waiting must not follow them into memory. */
void mem_buffered_forget(struct mem_own *own, uintptr_t addr, uint64_t bytes);

/* ---- posted.c: bytes on their way to memory -------------------------------------------------- */

/* data NULL: those of the deferred store; what it puts back is in the view. */
void mem_posted_push(struct mem_own *own, uintptr_t addr, uint64_t bytes, const uint8_t *data,
                     uint64_t put_back, op_site site, int64_t at);
/* The bytes that the one pushed last puts back are these. */
void mem_posted_put_back(struct mem_own *own, const uint8_t *data);
void mem_posted_fetch(struct mem_own *own);
void mem_posted_apply(struct mem_own *own, int64_t now);
/* Does one that is later than `at` cover a byte of the range? */
bool mem_posted_later(const struct mem_own *own, uintptr_t addr, uint64_t bytes, int64_t at);

/* ---- dirty.c: bytes that write-back caches hold ---------------------------------------------- */

void mem_dirty_mark(struct mem_values *v, uintptr_t addr, uint64_t bytes);
static inline bool mem_dirty_at(const struct mem_region *r, uintptr_t a)
{
    return r->dirty[(a >> 3) - (r->base >> 3)] >> (a & 7) & 1;
}
/* The range was written back: its dirty bytes are posted. */
void mem_dirty_post(struct mem_own *own, uintptr_t addr, uint64_t bytes, int64_t at);

/* ---- unseen.c: bytes that nobody announced storing ------------------------------------------- */

/* Are there none in that part of the region? True is certain. */
bool mem_unseen_none(const struct mem_own *own, uintptr_t from, uintptr_t to,
                     const struct mem_region *r);
/* The first run of them in [*addr, to) of the segments that this processor caches. All stores
 * before have happened. */
bool mem_unseen_find(struct mem_own *own, uintptr_t *addr, uintptr_t to, uint64_t *bytes);
/* bit i: it is byte addr + i, i < n <= 64; what the processor is about to store is left alone */
uint64_t mem_unseen_bits(const struct mem_own *own, uintptr_t addr, unsigned n);

/* ---- view.c, behind.c, stale.c: where view and image meet --------------------------------------
 */

/* Has the processor bytes of its own in lines of the range that wait for memory? */
bool mem_own_waits(const struct mem_own *own, uintptr_t addr, uint64_t bytes);
/* Of the range, how many bytes did it store by then that memory has not, and has other values for?
 * The first of them is at *first. All stores before have happened. */
uint64_t mem_own_unpublished(struct mem_own *own, uintptr_t addr, uint64_t bytes, int64_t at,
                             uintptr_t *first);
/* Could a byte of the range be its own? False is certain. */
bool mem_own_some(const struct mem_own *own, const struct mem_region *r, uintptr_t addr,
                  uint64_t bytes);
bool mem_byte_own(const struct mem_own *own, const struct mem_region *r, uintptr_t addr);
/* Image -> view, never over own bytes. */
void mem_view_fill(struct mem_own *own, uintptr_t addr, uint64_t bytes);
/* The range of a region is newer in the image, but a cache of its owner holds the line: the view
 * stays behind until that line goes, and mem_view_catch_up. */
void mem_view_behind(struct mem_values *v, struct mem_region *r, uintptr_t addr, uint64_t bytes);
static inline bool mem_view_is_behind(const struct mem_region *r, uintptr_t a)
{
    return r->behind && r->behind[(a >> 3) - (r->base >> 3)] >> (a & 7) & 1;
}
/* Of the line around addr, is a byte behind, or in no segment? */
bool mem_view_line_behind(const struct mem_region *r, uintptr_t addr, uint32_t line_shift);
void mem_view_catch_up(struct mem_own *own, uintptr_t addr, uint64_t bytes);
/* Bytes into the view that coherent processors share; what one of them stored later than `at`
 * stays. */
void mem_view_write(const struct mem_values *v, uintptr_t addr, const uint8_t *in, uint64_t bytes,
                    int64_t at);
/* Does a load of the range from the view, as it is, return something older than memory? Then
 * *stale says what: rank, segment, bytes, writer; when and where are the caller's. */
bool mem_stale(struct mem_own *own, uintptr_t addr, uint64_t bytes, struct findings_stale *stale);

#endif
