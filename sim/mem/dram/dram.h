/* dram: a node's main memory: when a requested line arrives.
 *
 * A request and its date go in, a date of completion comes out. Each processor is a requester with
 * a prefetcher of its own; which pages are open is its own, or the node's, as the model says.
 * Members: one file and one line of models.def each.
 */
#ifndef MEM_DRAM_DRAM_H
#define MEM_DRAM_DRAM_H

#include "mach/mach.h"
#include "mem/prefetch/prefetch.h"
#include "mem/time/ticks.h"

/* Lines of one requester on their way from memory: when each is there; the next takes the place of
 * the oldest. */
struct mem_dram_queue {
    uint32_t places, place; /* 0: no limit */
    int64_t *there;
};
/* One requester's. The model sets and reads what is below the line; the fast path does the same in
 * place (mem_dram_fast). */
struct mem_dram_port {
    const struct mem_dram *model;
    int64_t free;  /* memory is busy for this requester until then */
    bool in_place; /* its reads are what mem_dram_fast says */
    struct mem_prefetcher prefetch;
    struct mem_dram_queue queue;
    /* ---- */
    uint64_t *open, *own;                 /* the page that each bank has open; NULL: another's */
    uint64_t bank_mask;                   /* banks less one */
    uint32_t page_shift;                  /* log2 of the lines in a DRAM page */
    int64_t same_page, other_page, ahead; /* ticks of a line */
    int64_t busy;                         /* ticks that a read occupies memory; 0: all it takes */
};

struct mem_dram {
    const char *name; /* value of dram.model */
    const char *doc;  /* one sentence */
    const char *source;
    /* `first`: the port of the node's first requester, which may share its state; NULL: this is it
     */
    void (*init)(struct mem_dram_port *port, const struct mach *m, uint32_t line_shift,
                 const struct mem_dram_port *first);
    /* The line, given by its model number, asked for at `now`; memory is free. When is it there? */
    int64_t (*read)(struct mem_dram_port *port, uint64_t line, int64_t now);
    /* of a line that neither an open page nor a prefetcher has */
    int64_t (*far)(const struct mem_dram_port *port, int64_t now);
    bool in_place; /* reads are what mem_dram_fast says, where the prefetcher has a step */
};
const struct mem_dram *mem_dram_find(const char *name); /* NULL: none of that name */
const struct mem_dram *const *mem_dram_all(size_t *n);
void mem_dram_init(struct mem_dram_port *port, const struct mach *m, uint32_t line_shift,
                   const struct mem_dram_port *first);
void mem_dram_clear(struct mem_dram_port *port);

/* Memory is occupied from `now` on, or from when it is free, for so long; returns until when. */
static inline int64_t mem_dram_occupy(struct mem_dram_port *port, int64_t now, int64_t ticks)
{
    return port->free = MAX(port->free, now) + ticks;
}
/* A line that was read from `begun` until `done` lets the next one in when memory is free. */
static inline void mem_dram_taken(struct mem_dram_port *port, int64_t begun, int64_t done)
{
    port->free = port->busy ? begun + port->busy : done;
}
/* A line is written behind what memory does. Where reads overlap, `now`, when the one that drives
 * it out is there, is later than memory is free. */
static inline void mem_dram_behind(struct mem_dram_port *port, int64_t now, int64_t ticks)
{
    if (!port->busy) port->free = MAX(port->free, now);
    port->free += ticks;
}
/* Ticks of a line by the page that its bank has open; it is open afterwards. */
static inline int64_t mem_dram_page(struct mem_dram_port *port, uint64_t line)
{
    uint64_t page = line >> port->page_shift, *open = &port->open[page & port->bank_mask];
    int64_t ticks = *open == page ? port->same_page : port->other_page;
    *open = page;
    return ticks;
}
/* Ticks of a line, where the prefetcher has a step. */
static inline int64_t mem_dram_fast(struct mem_dram_port *port, uint64_t line)
{
    int64_t ticks = mem_dram_page(port, line);
    if (line - port->prefetch.last == port->prefetch.step) ticks = port->ahead;
    port->prefetch.last = line;
    return ticks;
}
static inline int64_t mem_dram_read(struct mem_dram_port *port, uint64_t line, int64_t now)
{
    if (MEM_LIKELY(port->in_place)) return now + mem_dram_fast(port, line);
    return port->model->read(port, line, now);
}

#endif
