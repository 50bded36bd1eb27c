/* lru: the line not used for longest is evicted. */
#include "mem/cache/replace.h"

static unsigned victim(const struct mem_cache_set *set)
{
    return mem_order_last(set->order, set->set);
}

const struct mem_replace mem_replace_lru = {
    .name = "lru",
    .doc = "The line not used for longest is evicted.",
    .source = "Mattson et al., IBM Systems Journal 9(2), 1970",
    .hit_counts = true,
    .victim = victim,
};
