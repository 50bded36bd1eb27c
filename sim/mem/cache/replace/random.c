/* random: any line is evicted, by a sequence that is the same on every run (cache.lN.seed). */
#include "mem/cache/replace.h"

static unsigned victim(const struct mem_cache_set *set)
{
    return (unsigned)(base_random_next(set->random) % set->order->ways);
}

const struct mem_replace mem_replace_random = {
    .name = "random",
    .doc = "A line chosen by a seeded random number is evicted.",
    .source = "Belady, IBM Systems Journal 5(2), 1966",
    .hit_counts = false,
    .victim = victim,
};
