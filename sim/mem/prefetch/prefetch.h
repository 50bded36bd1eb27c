/* prefetch: lines that are fetched before they are requested.
 *
 * A prefetcher stands at memory and watches the lines one requester reads. It answers when a line
 * will be there that it has fetched, and fetches further ones. Members: one file and one line of
 * models.def each.
 */
#ifndef MEM_PREFETCH_PREFETCH_H
#define MEM_PREFETCH_PREFETCH_H

#include "base/base.h"

struct mem_streams; /* stream.c */
/* One requester's. Memory sets what is above the line, the model what is below. */
struct mem_prefetcher {
    const struct mem_prefetch *model; /* NULL: memory reads what is asked for, nothing ahead */
    uint32_t streams, depth;          /* it follows so many, so many lines ahead */
    uint32_t page_shift;              /* log2 of the lines in a page of 4 KiB */
    /* ---- */
    uint64_t last, step;       /* line read last; `step` of the model */
    struct mem_streams *state; /* NULL: the model needs no memory of its own */
};

struct mem_prefetch {
    const char *name; /* value of prefetch.model */
    const char *doc;  /* one sentence */
    const char *source;
    void (*init)(struct mem_prefetcher *p);  /* NULL: it needs no memory of its own */
    void (*clear)(struct mem_prefetcher *p); /* NULL: the same */
    /* The line is read at `now`, which would take `ticks`. True: it was fetched ahead, and is
     * with memory since, or will be at, *there. */
    bool (*read)(struct mem_prefetcher *p, uint64_t line, int64_t now, int64_t ticks,
                 int64_t *there);
    /* the same for the fast path: true, and memory has it, exactly if line - last == step; 0: it is
     * not of that form */
    uint64_t step;
};
const struct mem_prefetch *mem_prefetch_find(const char *name); /* NULL: none of that name */
const struct mem_prefetch *const *mem_prefetch_all(size_t *n);
void mem_prefetch_init(struct mem_prefetcher *p, const struct mem_prefetch *model, uint32_t streams,
                       uint32_t depth, uint32_t page_shift);
void mem_prefetch_clear(struct mem_prefetcher *p);
static inline bool mem_prefetch_read(struct mem_prefetcher *p, uint64_t line, int64_t now,
                                     int64_t ticks, int64_t *there)
{
    return p->model && p->model->read(p, line, now, ticks, there);
}

/* Lines are numbers below 2^61: none is that of "nothing read yet", no two are 2^61 apart. */
#define MEM_PREFETCH_NOTHING (UINT64_C(1) << 62)
#define MEM_PREFETCH_NEVER   (UINT64_C(1) << 61)

#endif
