/* image: what main memory holds: of segments their images, of the rest the bytes themselves. */
#include "mem/values/values.h"

void mem_image_write(struct mem_values *v, uintptr_t addr, const uint8_t *data, uint64_t bytes)
{
    uintptr_t to = addr + bytes;
    for (struct mem_region *r = mem_region_find(v, addr, to); r; r = mem_region_next(v, r, to)) {
        uintptr_t base = MAX(addr, r->base), end = MIN(to, r->end);
        mem_copy(r->image + (base - r->base), data + (base - addr), end - base);
    }
}

void mem_image_write_plain(struct mem_values *v, uintptr_t addr, const uint8_t *in, uint64_t bytes)
{
    uintptr_t done = addr, to = addr + bytes;
    for (struct mem_region *r = mem_region_find(v, addr, to); r; r = mem_region_next(v, r, to)) {
        if (r->base > done) memmove((void *)done, in + (done - addr), r->base - done);
        done = MIN(to, r->end);
    }
    if (done < to) memmove((void *)done, in + (done - addr), to - done);
}

void mem_image_read(struct mem_values *v, uintptr_t addr, uint8_t *to, uint64_t bytes)
{
    uintptr_t done = addr, end = addr + bytes;
    for (struct mem_region *r = mem_region_find(v, addr, end); r; r = mem_region_next(v, r, end)) {
        if (r->base > done) memcpy(to + (done - addr), (const void *)done, r->base - done);
        done = MAX(done, r->base);
        uintptr_t stop = MIN(end, r->end);
        memcpy(to + (done - addr), r->image + (done - r->base), stop - done);
        done = stop;
    }
    if (done < end) memcpy(to + (done - addr), (const void *)done, end - done);
}

void mem_image_wrote(struct mem_values *v, uintptr_t addr, uint64_t bytes, uint32_t writer,
                     int64_t at)
{
    uintptr_t to = addr + bytes;
    double tenths = mem_seconds(v->scale, at) * 1e10;
    uint64_t time = tenths < 0                   ? 0
                    : tenths >= 17592186044415.0 ? UINT64_C(0xfffffffffff)
                                                 : (uint64_t)(tenths + 0.5);
    uint64_t word = (uint64_t)(writer & 0xfffff) << 44 | time;
    for (struct mem_region *r = mem_region_find(v, addr, to); r; r = mem_region_next(v, r, to)) {
        if (!r->provenance) continue;
        uintptr_t base = MAX(addr, r->base), end = MIN(to, r->end);
        uint64_t *first = r->provenance + ((base >> 3) - (r->base >> 3));
        const size_t words = ((end - 1) >> 3) - (base >> 3) + 1;
#pragma GCC unroll 8
        for (size_t w = 0; w < words; w++) first[w] = word;
    }
}
