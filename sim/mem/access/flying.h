/* flying: loads and stores that leave the first level of a processor that goes on behind them.
 * Private to mem/access. */
#ifndef MEM_ACCESS_FLYING_H
#define MEM_ACCESS_FLYING_H

#include "mem/access/access.h"

/* Asked for at `now`, it leaves at `begun`; the processor stands still so long before. */
struct mem_leaving {
    int64_t now, begun, stall;
};
struct mem_leaving mem_leaves(const struct mem_core *core, const struct mem_site *site,
                              int64_t now);
/* It is complete then: what the processor waits so far is charged; the rest when it is needed. */
void mem_comes(struct mem_core *core, struct mem_leaving *l, const struct mem_site *site,
               uintptr_t pc, int64_t done);

/* Does a store, which a cache will keep, go to the store buffer, not just to the first level? Then
 * this is when it leaves that, and what the processor waits for room if it is complete at `done`.
 */
bool mem_store_buffered(const struct mem_core *core, uint64_t model);
int64_t mem_store_leaves(const struct mem_core *core, int64_t now);
int64_t mem_store_waits(struct mem_core *core, int64_t now, int64_t done);
/* When others see a store that is complete at `done`: not before those in the store buffer. */
int64_t mem_store_seen(const struct mem_core *core, int64_t done);

#endif
