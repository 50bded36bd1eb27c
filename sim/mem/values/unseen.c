/* unseen: bytes of the view that nobody announced storing. Code that is not instrumented stores at
 * the program's own addresses, so its bytes are in the view and nowhere else: there the view
 * differs from what it should hold, which is the youngest of the processor's own bytes, or else the
 * image. Left out: bytes that a remote write has changed in the image while an older line of theirs
 * was cached (a store to them as well would be a race).
 */
#include "mem/values/values.h"

/* What the processor last stored there, if memory does not have it yet. */
static const uint8_t *own_byte(const struct mem_own *own, uintptr_t addr)
{
    const struct mem_buffered *youngest = NULL;
    for (uint32_t i = 0; own->live && i < own->entries; i++) {
        const struct mem_buffered *b = &own->buffered[i];
        if (b->live && addr - b->line < (uintptr_t)1 << own->values->line_shift &&
            b->mask >> (addr - b->line) & 1 && (!youngest || b->order > youngest->order))
            youngest = b;
    }
    if (youngest) return youngest->data + (addr - youngest->line);
    for (size_t i = own->posted.end; i > own->posted.first; i--) {
        const struct mem_posted *w = &own->posted.write[i - 1];
        if (addr - w->addr < w->bytes) return own->posted.data + w->data + (addr - w->addr);
    }
    return NULL;
}

/* Will memory get the byte as the view has it, whatever that is? */
static bool follows(const struct mem_own *own, const struct mem_region *r, uintptr_t addr)
{
    const struct mem_values *v = own->values;
    uint64_t word = (addr >> 3) - (r->base >> 3);
    if (r->dirty && r->dirty[word] >> (addr & 7) & 1) return true;
    if (mem_view_is_behind(r, addr)) return true;
    for (int i = 0; v->out_of_view && i < v->processors; i++)
        if (own_byte(v->own[i], addr)) return true;
    return false;
}

static bool is_unseen(const struct mem_own *own, const struct mem_region *r, uintptr_t addr)
{
    if (follows(own, r, addr)) return false;
    const uint8_t *byte = own_byte(own, addr);
    return *(const uint8_t *)addr != (byte ? *byte : r->image[addr - r->base]);
}

bool mem_unseen_none(const struct mem_own *own, uintptr_t from, uintptr_t to,
                     const struct mem_region *r)
{
    return memcmp((const void *)from, r->image + (from - r->base), to - from) == 0 &&
           !mem_own_waits(own, from, to - from);
}

static uintptr_t first_unseen(const struct mem_own *own, const struct mem_region *r, uintptr_t from,
                              uintptr_t to)
{
    enum { PIECE = 64, MANY = 64 * PIECE };
    for (uintptr_t at = from, end, many = from; at < to; at = end) {
        end = MIN(to, at + PIECE);
        if (at == many) { /* most often all of them are as they should be */
            many = MIN(to, at + MANY);
            if (mem_unseen_none(own, at, many, r)) {
                end = many;
                continue;
            }
        }
        if (mem_unseen_none(own, at, end, r)) continue;
        for (; at < end; at++)
            if (is_unseen(own, r, at)) return at;
    }
    return to;
}

bool mem_unseen_find(struct mem_own *own, uintptr_t *addr, uintptr_t to, uint64_t *bytes)
{
    struct mem_values *v = own->values;
    mem_deferred_commit_all(v);
    for (struct mem_region *r = mem_region_find(v, *addr, to); r; r = mem_region_next(v, r, to)) {
        if (mem_anothers(own, r)) continue;
        uintptr_t end = MIN(to, r->end), at = first_unseen(own, r, MAX(*addr, r->base), end);
        if (at == end) continue;
        *addr = at;
        while (at < end && is_unseen(own, r, at)) at++;
        *bytes = at - *addr;
        return true;
    }
    return false;
}

uint64_t mem_unseen_bits(const struct mem_own *own, uintptr_t addr, unsigned n)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < n; i++) {
        const struct mem_region *r = mem_region_find(own->values, addr + i, addr + i + 1);
        if (!r || mem_deferred_covers(own, addr + i, 1)) continue;
        if (is_unseen(own, r, addr + i)) bits |= UINT64_C(1) << i;
    }
    return bits;
}
