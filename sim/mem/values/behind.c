/* behind: bytes of a view that are older than the image, since a cache holds their line. */
#include "mem/values/values.h"
#include "mem/zeroed/zeroed.h"

void mem_view_behind(struct mem_region *r, uintptr_t addr, uint64_t bytes)
{
    if (!r->behind) r->behind = mem_zeroed(((r->end + 7) >> 3) - (r->base >> 3));
    for (uintptr_t a = addr; a < addr + bytes; a++)
        r->behind[(a >> 3) - (r->base >> 3)] |= (uint8_t)(1u << (a & 7));
}
