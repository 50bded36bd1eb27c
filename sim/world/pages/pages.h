/* Memory that the library itself gives to ranks. */
#ifndef WORLD_PAGES_H
#define WORLD_PAGES_H

#include "world/rank/rank.h"

/* Whole pages of zeros, that nothing of another rank ever lies in. NULL: there is none. Times do
 * not depend on where it lies (pages.c). free: by any rank; false: not such memory, or freed. */
void *world_pages_new(const struct world_rank *rank, uint64_t bytes);
bool world_pages_free(void *memory);
uint64_t world_pages_bytes(const void *memory); /* 0: not such memory, or freed */

#endif
