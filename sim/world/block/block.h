/* world/block: the blocks of the ranks' heaps, and where the program allocated them: names of
 * memory for the check's findings and the profile by variable. */
#ifndef WORLD_BLOCK_H
#define WORLD_BLOCK_H

#include "world/rank/rank.h"

/* Blocks of so many bytes are kept; where nobody asks for each, those that are worth a name. */
enum { WORLD_BLOCK_LARGE = 4096 };
extern uint64_t world_blocks_from;
/* The running rank's program has allocated the block at pc; only one that is kept. */
void world_allocated(const void *p, uint64_t bytes, uintptr_t pc);
/* It is free, and what comes there may not be kept. */
void world_block_gone(const void *p);
/* Where the block was allocated that has the byte, which of its bytes it is, and how many it has;
 * 0: none has. One that is freed is remembered until its address is allocated again, where all
 * are kept. */
op_site world_block_at(uintptr_t addr, uint64_t *within, uint64_t *bytes);
void world_blocks_clear(void); /* and only large ones are kept */

#endif
