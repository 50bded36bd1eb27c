/* own: which bytes are a processor's own: see values.h. */
#include "mem/values/values.h"

bool mem_byte_own(const struct mem_own *own, const struct mem_region *r, uintptr_t addr)
{
    if (mem_deferred_covers(own, addr, 1)) return true;
    if (r->dirty && mem_dirty_at(r, addr)) return true;
    for (uint32_t i = 0; own->live && i < own->entries; i++) {
        const struct mem_buffered *b = &own->buffered[i];
        if (b->live && addr - b->line < (uintptr_t)1 << own->values->line_shift &&
            b->mask >> (addr - b->line) & 1)
            return true;
    }
    for (size_t i = own->posted.first; i < own->posted.end; i++)
        if (mem_overlap(addr, 1, own->posted.write[i].addr, own->posted.write[i].bytes))
            return true;
    return false;
}

bool mem_own_waits(const struct mem_own *own, uintptr_t addr, uint64_t bytes)
{
    for (uint32_t i = 0; own->live && i < own->entries; i++)
        if (own->buffered[i].live &&
            mem_overlap(addr, bytes, own->buffered[i].line, (uint64_t)1 << own->values->line_shift))
            return true;
    for (size_t i = own->posted.first; i < own->posted.end; i++)
        if (mem_overlap(addr, bytes, own->posted.write[i].addr, own->posted.write[i].bytes))
            return true;
    return false;
}

bool mem_own_some(const struct mem_own *own, const struct mem_region *r, uintptr_t addr,
                  uint64_t bytes)
{
    if (mem_deferred_covers(own, addr, bytes)) return true;
    if (r->dirty)
        for (uintptr_t w = addr >> 3; w <= (addr + bytes - 1) >> 3; w++)
            if (r->dirty[w - (r->base >> 3)]) return true;
    return mem_own_waits(own, addr, bytes);
}

/* Did the processor store it, and not only put it back? */
static bool stored_here(const struct mem_own *own, const struct mem_region *r, uintptr_t addr)
{
    if (r->dirty && mem_dirty_at(r, addr)) return true;
    for (uint32_t i = 0; own->live && i < own->entries; i++) {
        const struct mem_buffered *b = &own->buffered[i];
        if (b->live && addr - b->line < (uintptr_t)1 << own->values->line_shift &&
            b->mask & b->stored & UINT64_C(1) << (addr - b->line))
            return true;
    }
    for (size_t i = own->posted.first; i < own->posted.end; i++) {
        const struct mem_posted *w = &own->posted.write[i];
        if (addr - w->addr < w->bytes && !(w->put_back && w->put_back >> (addr - w->addr) & 1))
            return true;
    }
    return false;
}

uint64_t mem_own_unpublished(struct mem_own *own, uintptr_t addr, uint64_t bytes, int64_t at,
                             uintptr_t *first)
{
    struct mem_values *v = own->values;
    uintptr_t to = addr + bytes;
    uint64_t found = 0;
    if (own->stored > at) return 0; /* it is ahead: which of its bytes are older is not known */
    for (struct mem_region *r = mem_region_find(v, addr, to); r; r = mem_region_next(v, r, to)) {
        uintptr_t base = MAX(addr, r->base), end = MIN(to, r->end);
        if (mem_anothers(own, r) || !mem_own_some(own, r, base, end - base)) continue;
        for (uintptr_t a = base; a < end; a++) {
            if (*(const uint8_t *)a == r->image[a - r->base] || !stored_here(own, r, a)) continue;
            if (found++ == 0) *first = a;
        }
    }
    return found;
}
