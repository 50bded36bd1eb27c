/* again: what stores of a loop cost to where the round before stored, and what their runs save.
 * Inside world/prices, not a door. */
#ifndef WORLD_AGAIN_H
#define WORLD_AGAIN_H

#include "cpu/cpu.h"

struct mem_site;
/* The two sites of such a store say so from now on. stores: of its block. */
void world_again_at(struct mem_site *site, const struct cpu_timing *timing, uint32_t stores);
/* Ticks that runs of it have saved so far, in all ranks. */
int64_t world_again_saved(const struct mem_site *site);

#endif
