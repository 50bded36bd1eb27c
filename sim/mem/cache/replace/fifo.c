/* fifo: the line that came first goes first, however often it was used. */
#include "mem/cache/replace.h"

static unsigned victim(const struct mem_cache_set *set)
{
    return mem_order_last(set->order, set->set);
}

const struct mem_replace mem_replace_fifo = {
    .name = "fifo",
    .doc = "The line that came first is evicted.",
    .source = "Belady, IBM Systems Journal 5(2), 1966",
    .hit_counts = false,
    .victim = victim,
};
