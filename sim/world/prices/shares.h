/* shares: which lines a block's price belongs to. Inside world/prices, not a door. */
#ifndef WORLD_SHARES_H
#define WORLD_SHARES_H

#include "cpu/cpu.h"

/* One line's part of one execution of a block. */
struct world_share {
    const char *function, *file; /* interned */
    uint32_t block, line;
    uint32_t loads, stores; /* instructions; an atomic operation is one of each */
    int64_t ticks,
        divided; /* divided: of them, divisions and square roots, and what waits for them */
    /* or what it costs to leave the loop that counts and ends with the block, or to store where the
     * round before did: the site's `rest` */
    bool at_site, again; /* again: the latter */
    uint32_t site;
};

/* Of all blocks of an object, in their order; struct world_share, the caller unrefs. */
GArray *world_shares(const struct cpu_object *object, const struct cpu_price *price,
                     const struct cpu_timing *timing);

#endif
