/* behind: bytes of a view that are older than the image, since a cache holds their line. */
#include "mem/values/values.h"
#include "mem/zeroed/zeroed.h"

void mem_view_behind(struct mem_values *v, struct mem_region *r, uintptr_t addr, uint64_t bytes)
{
    v->fell_behind++;
    if (!r->behind) r->behind = mem_zeroed(((r->end + 7) >> 3) - (r->base >> 3));
    for (uintptr_t a = addr; a < addr + bytes; a++)
        r->behind[(a >> 3) - (r->base >> 3)] |= (uint8_t)(1u << (a & 7));
}

bool mem_view_line_behind(const struct mem_region *r, uintptr_t addr, uint32_t line_shift)
{
    uintptr_t from = addr >> line_shift << line_shift, to = from + ((uintptr_t)1 << line_shift);
    if (from < r->base || to > r->end) return true;
    for (uintptr_t a = from; r->behind && a < to; a++)
        if (mem_view_is_behind(r, a)) return true;
    return false;
}
