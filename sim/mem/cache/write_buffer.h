/* write_buffer: the merging write buffer between a write-through cache and memory; when its entries
 * stand open, wait and are written.
 *
 * Entries hold one line each with a mask of bytes. Stores merge into an open entry of their line.
 * Entries leave in the order in which they were opened (Alpha 21064). The oldest is closed when it
 * is full or more than wb.hold are open, and waits for memory; a full one behind it goes when it
 * does. Its write occupies memory for wb.retire_cycles whatever its fill (Grassl, STREAM mail,
 * 1995). One that has been open for wb.timeout leaves by itself: memory is idle then, so its write
 * delays nobody, and its date follows from the store that opened it, whoever asks and when. A store
 * that finds no free entry waits. Loads pass entries that wait, not the one being
 * written. Memory has the bytes when the write is done. The bytes of segments are kept elsewhere
 * (sim/mem/values): the buffer says when they are performed.
 */
#ifndef MEM_CACHE_WRITE_BUFFER_H
#define MEM_CACHE_WRITE_BUFFER_H

#include "mem/cache/filter.h"
#include "mem/dram/dram.h"

enum mem_entry_state {
    MEM_ENTRY_FREE,
    MEM_ENTRY_OPEN,
    MEM_ENTRY_CLOSED,
    MEM_ENTRY_WRITING,
    MEM_ENTRY_STATES
};
struct mem_entry {
    uint64_t host;           /* host address >> shift; ~0: free */
    uint64_t model;          /* model address of the store that opened it */
    uint64_t mask;           /* bytes to be written */
    int64_t when;            /* OPEN, CLOSED: since; WRITING: until */
    struct mem_entry *after; /* in the queue of its state, oldest first */
    enum mem_entry_state state;
    uint32_t index;
    bool segment; /* bytes of a segment are among them: say when they are performed */
};
struct mem_entry_queue {
    struct mem_entry *first, **end; /* where the next one is linked */
};

enum { MEM_OPENED = 8 }; /* a power of two */

struct mem_write_buffer {
    struct mem_entry *entry, *newest; /* newest: open entry last stored to, or &none */
    struct mem_entry none;
    struct mem_entry *opened[MEM_OPENED]; /* by host: the entry opened last, open still or not */
    struct mem_entry_queue queue[MEM_ENTRY_STATES];
    uint32_t entries, open, hold; /* entries; those open; that may stay open */
    uint32_t queued;              /* those that wait for memory or are being written */
    uint32_t shift;               /* log2 of the bytes of an entry */
    uint64_t full;                /* mask of a full entry */
    uint64_t inside;              /* of an address: where in its entry */
    bool merges;                  /* newest is kept: stores may merge without a walk */
    int64_t retire;               /* ticks of an entry's write */
    int64_t timeout;              /* an entry is open for so long at most; INT64_MAX: no limit */
    int64_t written;              /* when the last entry that left by itself was written */
    struct mem_dram_port *port;
    /* an entry with bytes of a segment will have been written at that date */
    void (*performed)(void *who, uint32_t entry, int64_t at);
    void *who;
};

/* Before: entries, hold, shift, merges, retire, timeout, port, performed and who. */
void mem_buffer_init(struct mem_write_buffer *b);
void mem_buffer_clear(struct mem_write_buffer *b);

/* The open entry of that line, given by host address >> shift; NULL: none. */
static inline struct mem_entry *mem_buffer_find(const struct mem_write_buffer *b, uint64_t host)
{
    if (b->newest->host == host) return b->newest;
    struct mem_entry *opened = b->opened[host & (MEM_OPENED - 1)];
    if (opened->host == host && opened->state == MEM_ENTRY_OPEN) return opened;
    for (struct mem_entry *e = b->queue[MEM_ENTRY_OPEN].first; e; e = e->after)
        if (e->host == host) return e;
    return NULL;
}
/* Opens one for it, for a store at *now, which may have to wait: until *now. */
struct mem_entry *mem_buffer_open(struct mem_write_buffer *b, uint64_t host, uint64_t model,
                                  int64_t *now);
/* No more bytes will come to it: it is closed, or with the one that it stands behind. */
void mem_buffer_complete(struct mem_write_buffer *b, const struct mem_entry *e, int64_t now);
/* Are the entries that are open still so at `now`? At least one is. */
static inline bool mem_buffer_stay(const struct mem_write_buffer *b, int64_t now)
{
    return now - b->queue[MEM_ENTRY_OPEN].first->when < b->timeout;
}
/* Entries whose time had ended by then have left. */
void mem_buffer_expire_due(struct mem_write_buffer *b, int64_t now);
static inline void mem_buffer_expire(struct mem_write_buffer *b, int64_t now)
{
    if (b->timeout < INT64_MAX) mem_buffer_expire_due(b, now);
}
/* What has happened by then, that too: is there anything? */
static inline bool mem_buffer_due(const struct mem_write_buffer *b, int64_t now)
{
    const struct mem_entry *closed = b->queue[MEM_ENTRY_CLOSED].first,
                           *writing = b->queue[MEM_ENTRY_WRITING].first;
    return b->timeout < INT64_MAX || (writing && writing->when <= now) ||
           (closed && MAX(b->port->free, closed->when) <= now);
}
void mem_buffer_advance_due(struct mem_write_buffer *b, int64_t now);
static inline void mem_buffer_advance(struct mem_write_buffer *b, int64_t now)
{
    if (mem_buffer_due(b, now)) mem_buffer_advance_due(b, now);
}
/* Everything is written; returns when. */
int64_t mem_buffer_drain(struct mem_write_buffer *b, int64_t now);
/* Does it hold all the bytes? */
bool mem_buffer_covers(const struct mem_write_buffer *b, uintptr_t addr, uint64_t bytes);
/* They need not be written any more. */
void mem_buffer_forget(struct mem_write_buffer *b, uintptr_t addr, uint64_t bytes);

#endif
