/* stale: loads that returned something older than memory. Only nodes without coherence have them.
 */
#include "mem/values/values.h"

static void describe(struct mem_own *own, struct mem_region *r, uintptr_t addr, uint64_t bytes,
                     uintptr_t first, struct findings_stale *stale)
{
    const struct mem_registration *reg = mem_registration_at(own->values, first);
    uint64_t word = r->provenance[(first >> 3) - (r->base >> 3)];
    *stale = (struct findings_stale){
        .rank = *own->rank,
        .segment = reg ? reg->id : -1,
        /* the load may have begun before the segment */
        .offset = reg && addr >= reg->base ? addr - reg->base : 0,
        .bytes = (uint32_t)bytes,
        .writer = (uint32_t)(word >> 44),
        .write_time_s = (double)(word & UINT64_C(0xfffffffffff)) * 1e-10,
    };
    for (uint64_t i = 0; i < MIN(bytes, FINDINGS_STALE_BYTES); i++) {
        uintptr_t a = addr + i;
        stale->seen[i] = stale->memory[i] = *(const uint8_t *)a;
        if (a >= r->base && a < r->end && !mem_byte_own(own, r, a))
            stale->memory[i] = r->image[a - r->base];
    }
}

bool mem_stale(struct mem_own *own, uintptr_t addr, uint64_t bytes, struct findings_stale *stale)
{
    struct mem_values *v = own->values;
    uintptr_t to = addr + bytes;
    for (struct mem_region *r = mem_region_find(v, addr, to); r; r = mem_region_next(v, r, to)) {
        if (mem_anothers(own, r)) continue;
        uintptr_t base = MAX(addr, r->base), end = MIN(to, r->end);
        if (memcmp((const void *)base, r->image + (base - r->base), end - base) == 0) continue;
        for (uintptr_t a = base; a < end; a++) {
            if (*(const uint8_t *)a == r->image[a - r->base] || mem_byte_own(own, r, a) ||
                !mem_view_is_behind(r, a))
                continue;
            describe(own, r, addr, bytes, a, stale);
            return true;
        }
    }
    return false;
}
