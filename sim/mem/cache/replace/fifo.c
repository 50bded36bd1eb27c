/* fifo: the line that came first goes first, however often it was used. */
#include "mem/cache/replace.h"

const struct mem_replace mem_replace_fifo = {
    .name = "fifo",
    .doc = "The line that came first is evicted.",
    .source = "Belady, IBM Systems Journal 5(2), 1966",
    .hit_counts = false,
    .victim = NULL,
};
