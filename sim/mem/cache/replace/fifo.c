/* fifo: the line that came first goes first, however often it was used. */
#include "mem/cache/replace.h"

static void filled(const struct mem_cache_set *set, unsigned way) { set->order[way] = set->now; }

static void used(const struct mem_cache_set *set, unsigned way)
{
    (void)set; /* a hit changes nothing */
    (void)way;
}

static unsigned victim(const struct mem_cache_set *set)
{
    unsigned first = 0;
    for (unsigned w = 1; w < set->ways; w++)
        if (set->order[w] < set->order[first]) first = w;
    return first;
}

const struct mem_replace mem_replace_fifo = {
    .name = "fifo",
    .doc = "The line that came first is evicted.",
    .source = "Belady, IBM Systems Journal 5(2), 1966",
    .hit_counts = false,
    .filled = filled,
    .used = used,
    .victim = victim,
};
