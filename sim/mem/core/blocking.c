/* blocking: the processor waits for each access that misses before it goes on. What lies behind the
 * first level is hidden from a store by the write buffer or by the walk (sim/mem/access/walk.c),
 * not here. */
#include "mem/core/core.h"

const struct mem_core_model mem_core_blocking = {
    .name = "blocking",
    .doc = "Waits for each access before it goes on.",
    .source = "Hennessy and Patterson, Computer Architecture, ch. 2: blocking caches",
};
