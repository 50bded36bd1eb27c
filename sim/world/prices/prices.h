/* What the blocks of the program cost on the machine of the run. */
#ifndef WORLD_PRICES_H
#define WORLD_PRICES_H

#include "base/base.h"

/* The prices of an object's blocks in ticks of mem, one behind the other; its sites (struct
 * mem_site) lie below, site 0 just there. One table for all ranks, for the whole run. `at`: an
 * address in the program or library that has the object. Ends the run where that has no
 * description. */
const uint64_t *world_prices(uint64_t identity, uint32_t blocks, uint32_t sites, const void *at);

#endif
