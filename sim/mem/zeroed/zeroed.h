/* zeroed: large arrays that begin as zeros and come into being where they are touched: a cache's
 * tags, a segment's image. What is small comes from the heap. */
#ifndef MEM_ZEROED_ZEROED_H
#define MEM_ZEROED_ZEROED_H

#include "base/base.h"

/* Where the host has no room for it, the run ends with a sentence. */
void *mem_zeroed(uint64_t bytes);
void mem_zeroed_free(void *memory, uint64_t bytes); /* the same number; NULL: nothing happens */

/* All of it will be read: the host maps what nobody has touched in one go, where it can. */
void mem_zeroed_read(const void *memory, uint64_t bytes);

#endif
