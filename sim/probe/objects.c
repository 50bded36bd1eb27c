/* Where the prices of a program's blocks are (in_line/in_line.h). Each rank's copy of the program
 * has its own objects, which come here before the copy's own constructors run. */
#include "world/prices/prices.h"
#include "world/rank/rank.h"
#include "probe/foreign.h"
#include "probe/hooks.h"

#include "probe/in_line/in_line.h"

_Static_assert(sizeof(struct probe_block) == sizeof(struct world_block) &&
                   offsetof(struct probe_block, count) == offsetof(struct world_block, count),
               "a table is what instrumented code believes");
_Static_assert(sizeof(struct probe_site) == sizeof(struct mem_site) &&
                   offsetof(struct probe_site, rest) == offsetof(struct mem_site, rest) &&
                   offsetof(struct probe_site, slack) == offsetof(struct mem_site, slack),
               "a table is what instrumented code believes");

void probe_objects(struct probe_object *first, struct probe_object *end)
{
    if (!world_simulated()) return;
    for (struct probe_object *o = first; o < end; o++) {
        uintptr_t zeros = (uintptr_t)&o->zeros + (uintptr_t)o->zeros;
        const struct world_block *prices = world_prices(o->identity, o->blocks, o->sites, o);
        o->offset = (int64_t)((uintptr_t)prices - zeros);
    }
    probe_foreign_described();
}
