/* prefetch: lines that are fetched before they are requested.
 *
 * A prefetcher stands at memory and watches the lines one requester reads. Members: one file and
 * one line of models.def each.
 */
#ifndef MEM_PREFETCH_PREFETCH_H
#define MEM_PREFETCH_PREFETCH_H

#include "base/base.h"

struct mem_prefetch {
    const char *name; /* value of prefetch.model */
    const char *doc;  /* one sentence */
    const char *source;
    /* Memory read line `last` before: has it fetched that line since? Pure. */
    bool (*has)(uint64_t last, uint64_t line);
    /* the same for the fast path: line - last == step; 0: it is not of that form */
    uint64_t step;
};
const struct mem_prefetch *mem_prefetch_find(const char *name); /* NULL: none of that name */
const struct mem_prefetch *const *mem_prefetch_all(size_t *n);
/* prefetch NULL: memory reads what is asked for, nothing ahead. */
static inline bool mem_prefetch_has(const struct mem_prefetch *prefetch, uint64_t last,
                                    uint64_t line)
{
    return prefetch && prefetch->has(last, line);
}

/* Lines are numbers below 2^61: none is that of "nothing read yet", no two are 2^61 apart. */
#define MEM_PREFETCH_NOTHING (UINT64_C(1) << 62)
#define MEM_PREFETCH_NEVER   (UINT64_C(1) << 61)

#endif
