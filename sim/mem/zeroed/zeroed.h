/* zeroed: large arrays that begin as zeros and come into being where they are touched: a cache's
 * tags, a segment's image. What is small comes from the heap. */
#ifndef MEM_ZEROED_ZEROED_H
#define MEM_ZEROED_ZEROED_H

#include "base/base.h"

/* Where the host has no room for it, the run ends with a sentence. */
void *mem_zeroed(uint64_t bytes);
void mem_zeroed_free(void *memory, uint64_t bytes); /* the same number; NULL: nothing happens */

/* The same, however small, and it may hold pointers: what is made one after the other lies in one
 * mapping of the host's. */
void *mem_zeroed_pages(uint64_t bytes);
void mem_zeroed_pages_free(void *memory, uint64_t bytes); /* the same number */

/* All of it will be read: the host maps what nobody has touched in one go, where it can. */
void mem_zeroed_read(const void *memory, uint64_t bytes);

/* The runs of bytes of a range in pages that somebody has touched, in order; what lies between is
 * zeros. To the end, or a descriptor is left open. */
struct mem_touched {
    uintptr_t at, to;
    int pagemap;
};
struct mem_touched mem_touched_in(uintptr_t from, uint64_t bytes);
bool mem_touched_next(struct mem_touched *t, uintptr_t *from, uintptr_t *to);

/* The host's large page around that address is made of the small ones there, where it can. */
enum { MEM_LARGE_BITS = 21 };
void mem_large_page(uintptr_t around);

#endif
