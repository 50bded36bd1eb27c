/* replace: which line of a full set is evicted. Members: one file and one line of
 * replace/models.def each. */
#ifndef MEM_CACHE_REPLACE_H
#define MEM_CACHE_REPLACE_H

#include "mem/cache/order.h"

/* A policy sees the order of one set's ways, never addresses. */
struct mem_cache_set {
    const struct mem_order *order;
    uint64_t set;
    struct base_random *random;
};
struct mem_replace {
    const char *name; /* value of cache.lN.replace */
    const char *doc;  /* one sentence */
    const char *source;
    /* does a hit bring its way to the front, as coming in does? */
    bool hit_counts;
    /* every way is taken: the one whose line is evicted; NULL: the one that stands last */
    unsigned (*victim)(const struct mem_cache_set *set);
};
const struct mem_replace *mem_replace_find(const char *name); /* NULL: none of that name */
const struct mem_replace *const *mem_replace_all(size_t *n);

#endif
