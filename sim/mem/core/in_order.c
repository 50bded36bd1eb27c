/* in_order: the processor goes on behind a load that misses until the value is needed; one that
 * finds no place among those in flight stops it. Its store buffer is written out one store at a
 * time. */
#include "mem/core/core.h"

const struct mem_core_model mem_core_in_order = {
    .name = "in_order",
    .doc = "Waits where the value of a load is needed first.",
    .source = "Digital, Alpha 21064 Hardware Reference Manual; Sun, UltraSPARC-I User's Manual",
    .goes_on = true,
};
