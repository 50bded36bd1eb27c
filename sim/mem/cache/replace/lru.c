/* lru: the line not used for longest is evicted. */
#include "mem/cache/replace.h"

static void used(const struct mem_cache_set *set, unsigned way) { set->order[way] = set->now; }

static unsigned victim(const struct mem_cache_set *set)
{
    unsigned oldest = 0;
    for (unsigned w = 1; w < set->ways; w++)
        if (set->order[w] < set->order[oldest]) oldest = w;
    return oldest;
}

const struct mem_replace mem_replace_lru = {
    .name = "lru",
    .doc = "The line not used for longest is evicted.",
    .source = "Mattson et al., IBM Systems Journal 9(2), 1970",
    .hit_counts = true,
    .filled = used,
    .used = used,
    .victim = victim,
};
