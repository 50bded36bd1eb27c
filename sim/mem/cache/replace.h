/* replace: which line of a set is evicted. Members: one file and one line of replace/models.def
 * each. */
#ifndef MEM_CACHE_REPLACE_H
#define MEM_CACHE_REPLACE_H

#include "base/base.h"

/* A policy sees one set, never addresses. */
struct mem_cache_set {
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
    void (*filled)(const struct mem_cache_set *set, unsigned way); /* a line came into that way */
    /* a hit; called only where hit_counts */
    void (*used)(const struct mem_cache_set *set, unsigned way);
    /* every way is taken: the one whose line is evicted */
    unsigned (*victim)(const struct mem_cache_set *set);
};
const struct mem_replace *mem_replace_find(const char *name); /* NULL: none of that name */
const struct mem_replace *const *mem_replace_all(size_t *n);

#endif
