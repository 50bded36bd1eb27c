/* view: what the processor sees of segments: bytes are its own, or come from the image. Only the
 * node without coherence fills a view from the image; coherent processors share one view, which
 * remote writes change at once. */
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

/* Could a byte of the range be the processor's own? False is certain. */
static bool some_own(const struct mem_own *own, const struct mem_region *r, uintptr_t addr,
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
        if (mem_anothers(own, r) || !some_own(own, r, base, end - base)) continue;
        for (uintptr_t a = base; a < end; a++) {
            if (*(const uint8_t *)a == r->image[a - r->base] || !stored_here(own, r, a)) continue;
            if (found++ == 0) *first = a;
        }
    }
    return found;
}

void mem_view_fill(struct mem_own *own, uintptr_t addr, uint64_t bytes)
{
    struct mem_values *v = own->values;
    uintptr_t to = addr + bytes;
    for (struct mem_region *r = mem_region_find(v, addr, to); r; r = mem_region_next(v, r, to)) {
        if (mem_anothers(own, r)) continue;
        uintptr_t base = MAX(addr, r->base), end = MIN(to, r->end);
        if (!some_own(own, r, base, end - base)) {
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
