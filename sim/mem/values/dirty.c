/* dirty: bytes of segments that write-back caches hold and memory has not, on a node without
 * coherence. */
#include "mem/values/values.h"

void mem_dirty_mark(struct mem_values *v, uintptr_t addr, uint64_t bytes)
{
    uintptr_t to = addr + bytes;
    for (struct mem_region *r = mem_region_find(v, addr, to); r; r = mem_region_next(v, r, to)) {
        if (!r->dirty) continue;
        for (uintptr_t a = MAX(addr, r->base); a < MIN(to, r->end); a++)
            r->dirty[(a >> 3) - (r->base >> 3)] |= (uint8_t)(1u << (a & 7));
    }
}

void mem_dirty_post(struct mem_own *own, uintptr_t addr, uint64_t bytes, int64_t at)
{
    struct mem_values *v = own->values;
    uintptr_t to = addr + bytes;
    for (struct mem_region *r = mem_region_find(v, addr, to); r; r = mem_region_next(v, r, to)) {
        if (!r->dirty) continue;
        uintptr_t a = MAX(addr, r->base), end = MIN(to, r->end);
        while (a < end) {
            if (!mem_dirty_at(r, a)) {
                a++;
                continue;
            }
            uintptr_t from = a;
            for (; a < end && mem_dirty_at(r, a); a++)
                r->dirty[(a >> 3) - (r->base >> 3)] &= (uint8_t)~(1u << (a & 7));
            /* Evicted by the very store that is deferred: its bytes are not in the view yet. */
            bool late = mem_deferred_covers(own, from, a - from);
            mem_posted_push(own, from, a - from, late ? NULL : (const uint8_t *)from, 0, 0, at);
        }
    }
}
