/* view: what the processor sees of segments: bytes are its own, or come from the image. Only the
 * node without coherence fills a view from the image; coherent processors share one view, which
 * remote writes change at once. */
#include "mem/values/values.h"

void mem_view_fill(struct mem_own *own, uintptr_t addr, uint64_t bytes)
{
    struct mem_values *v = own->values;
    uintptr_t to = addr + bytes;
    for (struct mem_region *r = mem_region_find(v, addr, to); r; r = mem_region_next(v, r, to)) {
        if (mem_anothers(own, r)) continue;
        uintptr_t base = MAX(addr, r->base), end = MIN(to, r->end);
        if (!mem_own_some(own, r, base, end - base)) {
            const uint8_t *image = r->image + (base - r->base);
            /* what is equal may be read-only */
            if (memcmp((const void *)base, image, end - base) != 0)
                memcpy((void *)base, image, end - base);
            continue;
        }
        for (uintptr_t a = base; a < end; a++)
            if (!mem_byte_own(own, r, a)) *(uint8_t *)a = r->image[a - r->base];
    }
}

void mem_view_catch_up(struct mem_own *own, uintptr_t addr, uint64_t bytes)
{
    struct mem_values *v = own->values;
    uintptr_t to = addr + bytes;
    for (struct mem_region *r = mem_region_find(v, addr, to); r; r = mem_region_next(v, r, to)) {
        for (uintptr_t a = MAX(addr, r->base); r->behind && a < MIN(to, r->end); a++) {
            uint8_t *word = &r->behind[(a >> 3) - (r->base >> 3)], bit = (uint8_t)(1u << (a & 7));
            if (!(*word & bit)) continue;
            *word &= (uint8_t)~bit;
            if (!mem_byte_own(own, r, a)) *(uint8_t *)a = r->image[a - r->base];
        }
    }
}

static bool stored_later(const struct mem_values *v, uintptr_t addr, uint64_t bytes, int64_t at)
{
    for (int i = 0; i < v->processors; i++)
        if (mem_posted_later(v->own[i], addr, bytes, at)) return true;
    return false;
}

void mem_view_write(const struct mem_values *v, uintptr_t addr, const uint8_t *in, uint64_t bytes,
                    int64_t at)
{
    if (!stored_later(v, addr, bytes, at)) {
        memcpy((void *)addr, in, bytes);
        return;
    }
    for (uint64_t b = 0; b < bytes; b++)
        if (!stored_later(v, addr + b, 1, at)) *(uint8_t *)(addr + b) = in[b];
}
