/* world/block: the blocks of the ranks' heaps, and where the program allocated them: names of
 * memory for the check's findings and the profile by variable. */
#ifndef WORLD_BLOCK_H
#define WORLD_BLOCK_H

#include "world/rank/rank.h"

extern bool world_blocks_on; /* somebody asks */
/* The running rank's program has allocated the block at pc; only while world_blocks_on. */
void world_allocated(const void *p, uint64_t bytes, uintptr_t pc);
/* Where the block was allocated that has the byte, which of its bytes it is, and how many it has;
 * 0: none has. One that is freed is remembered until its address is allocated again. */
op_site world_block_at(uintptr_t addr, uint64_t *within, uint64_t *bytes);
void world_blocks_clear(void); /* and off */

#endif
