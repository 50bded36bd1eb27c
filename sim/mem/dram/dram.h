/* dram: a node's main memory: when a requested line arrives.
 *
 * A request and its date go in, a date of completion comes out. Each processor is a requester with
 * a state of its own. Members: one file and one line of models.def each.
 */
#ifndef MEM_DRAM_DRAM_H
#define MEM_DRAM_DRAM_H

#include "mach/mach.h"
#include "mem/prefetch/prefetch.h"
#include "mem/time/ticks.h"

/* One requester's state. The model sets and reads what is below the line; the fast path does the
 * same in place (mem_dram_fast). */
struct mem_dram_port {
    const struct mem_dram *model;
    const struct mem_prefetch *prefetch; /* NULL: none (dram.readahead) */
    int64_t free;                        /* memory is busy for this requester until then */
    /* ---- */
    uint64_t last;                        /* line it read last */
    uint64_t step;                        /* of the prefetcher */
    uint32_t page_shift;                  /* log2 of the lines in a DRAM page */
    int64_t same_page, other_page, ahead; /* ticks of a line */
};

struct mem_dram {
    const char *name; /* value of dram.model */
    const char *doc;  /* one sentence */
    const char *source;
    void (*init)(struct mem_dram_port *port, const struct mach *m, uint32_t line_shift);
    /* The line, given by its model number, asked for at `now`; memory is free. When is it there? */
    int64_t (*read)(struct mem_dram_port *port, uint64_t line, int64_t now);
    /* of a line that neither the open page nor a prefetcher has */
    int64_t (*far)(const struct mem_dram_port *port, int64_t now);
    /* reads are what mem_dram_fast says */
    bool in_place;
};
const struct mem_dram *mem_dram_find(const char *name); /* NULL: none of that name */
const struct mem_dram *const *mem_dram_all(size_t *n);
void mem_dram_init(struct mem_dram_port *port, const struct mach *m, uint32_t line_shift);

/* Memory is occupied from `now` on, or from when it is free, for so long; returns until when. */
static inline int64_t mem_dram_occupy(struct mem_dram_port *port, int64_t now, int64_t ticks)
{
    return port->free = MAX(port->free, now) + ticks;
}
/* Ticks of a line in an open_page memory. */
static inline int64_t mem_dram_fast(struct mem_dram_port *port, uint64_t line)
{
    int64_t ticks = (line ^ port->last) >> port->page_shift ? port->other_page : port->same_page;
    if (line - port->last == port->step) ticks = port->ahead;
    port->last = line;
    return ticks;
}

#endif
