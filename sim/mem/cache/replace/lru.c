/* lru: the line not used for longest is evicted. */
#include "mem/cache/replace.h"

const struct mem_replace mem_replace_lru = {
    .name = "lru",
    .doc = "The line not used for longest is evicted.",
    .source = "Mattson et al., IBM Systems Journal 9(2), 1970",
    .hit_counts = true,
    .victim = NULL,
};
