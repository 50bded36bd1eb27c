/* out_of_order: the processor goes on behind a load that misses until its window is full. Loads
 * whose addresses do not depend on each other are in flight together; one whose address is made of
 * another's value leaves when that has come. The view by intervals between misses: Karkhanis and
 * Smith, ISCA 2004. Left out: branches predicted wrongly that wait for a load. */
#include "mem/core/core.h"

const struct mem_core_model mem_core_out_of_order = {
    .name = "out_of_order",
    .doc = "Waits when its window is full after a load; independent loads overlap.",
    .source = "Karkhanis and Smith, A First-Order Superscalar Processor Model, ISCA 2004",
    .goes_on = true,
    .overtakes = true,
};
