/* world/block: the blocks of the ranks' heaps, and where the program allocated them. Of each byte
 * it is known which object of the profile it is of: all blocks that one place allocates are one
 * (marks.c). The check's findings name the single block (block.c).
 */
#ifndef WORLD_BLOCK_H
#define WORLD_BLOCK_H

#include "world/rank/rank.h"
#include "profile/objects/objects.h"

/* ---- marks.c --------------------------------------------------------------------------------- */

/* The ranks' heaps: `heaps` of 2^shift bytes each from base on, in whose lower halves the blocks
 * lie whose bounds are multiples of 16, and which stay; in the upper ones those of whole pages. */
void world_heaps(uintptr_t base, uint32_t shift, uint64_t heaps);
/* The running rank's program has allocated [from, from + bytes), which is one block, at pc. True:
 * it was another place's before, and processors may have known that. */
bool world_block_made(uintptr_t from, uint64_t bytes, uintptr_t pc);
/* The object that has the byte, of a block that may be freed, NULL: none is known; and bytes around
 * it that are the same object's: of many small blocks only a few, or as many as follow, up to some,
 * where it asks for further ones. */
struct world_block_part {
    struct profile_object *object;
    uintptr_t from;
    uint64_t bytes;
};
struct world_block_part world_block_part(uintptr_t addr, bool further);
void world_marks_clear(void);

/* ---- block.c --------------------------------------------------------------------------------- */

extern bool world_blocks_on; /* each block is kept, since somebody asks for single ones */
/* The running rank's program has allocated the block at pc. */
void world_allocated(const void *p, uint64_t bytes, uintptr_t pc);
/* Where the block was allocated that has the byte, which of its bytes it is, and how many it has;
 * 0: none has. One that is freed is remembered until its address is allocated again. */
op_site world_block_at(uintptr_t addr, uint64_t *within, uint64_t *bytes);
void world_blocks_clear(void); /* the marks, too, and off */

#endif
