/* none: memory reads what is asked for. */
#include "mem/prefetch/prefetch.h"

static bool has(uint64_t last, uint64_t line)
{
    (void)last, (void)line;
    return false;
}

const struct mem_prefetch mem_prefetch_none = {
    .name = "none",
    .doc = "Memory reads what is asked for.",
    .source = "a DRAM without a buffer",
    .has = has,
    .step = UINT64_C(1) << 61, /* no two lines are that far apart */
};
