/* buffered: the bytes of segments in a write buffer's entries. Those that a sub-word store puts
 * back are what the view held before it; code that nobody instrumented may store there next. When
 * an entry stands open, closed or is being written is the buffer's (sim/mem/cache/write_buffer.h).
 */
#include "mem/values/values.h"

void mem_buffered_store(struct mem_own *own, uint32_t entry, uintptr_t line, uint64_t mask,
                        uint64_t stored, op_site site)
{
    struct mem_buffered *b = &own->buffered[entry];
    if (!b->live) {
        b->live = true;
        own->live++;
        b->line = line;
        b->order = ++own->orders;
        b->mask = b->stored = 0;
        b->site = 0;
        b->late = false;
    }
    for (uint64_t read = mask & ~stored & ~b->mask; read; read &= read - 1) {
        unsigned i = (unsigned)__builtin_ctzll(read);
        b->data[i] = ((const uint8_t *)line)[i];
    }
    b->mask |= mask;
    b->stored |= stored;
    if (stored != mask) b->site = site;
    mem_buffered_late(own, b);
}

/* All ones in each byte whose bit is set. */
static inline uint64_t spread(uint64_t bits)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const uint64_t each = bits * ones & UINT64_C(0x8040201008040201);
    return ((each + ones * 0x7f) >> 7 & ones) * 0xff;
}

void mem_buffered_fetch(struct mem_own *own, struct mem_buffered *b)
{
    const uint8_t *view = (const uint8_t *)b->line;
    unsigned bytes = 1u << own->values->line_shift;
    if (b->stored != b->mask) b->stored |= mem_deferred_bits(own, b->line, bytes);
    for (uint64_t stored = b->stored, i = 0; stored && i < bytes; i += 8, stored >>= 8) {
        if (!(stored & 0xff)) continue;
        const uint64_t of_view = spread(stored & 0xff);
        uint64_t seen, kept;
        memcpy(&seen, view + i, 8);
        memcpy(&kept, b->data + i, 8);
        kept = (kept & ~of_view) | (seen & of_view);
        memcpy(b->data + i, &kept, 8);
    }
    b->late = false;
}

/* One posted write a run of bytes. */
void mem_buffered_performed(struct mem_own *own, uint32_t entry, int64_t at)
{
    struct mem_buffered *b = &own->buffered[entry];
    if (!b->live) return;
    uint64_t mask = b->mask;
    while (mask) {
        unsigned from = (unsigned)__builtin_ctzll(mask);
        uint64_t rest = ~(mask >> from);
        unsigned length = rest ? (unsigned)__builtin_ctzll(rest) : 64;
        uint64_t run = length < 64 ? ((UINT64_C(1) << length) - 1) : ~UINT64_C(0);
        mem_posted_push(own, b->line + from, length, b->late ? NULL : b->data + from,
                        ~(b->stored >> from) & run, b->site, at);
        if (b->late) mem_posted_put_back(own, b->data + from);
        mask &= ~(run << from);
    }
    b->late = b->live = false; /* the posted write is late, if its bytes are */
    own->live--;
}

void mem_buffered_forget(struct mem_own *own, uintptr_t addr, uint64_t bytes)
{
    for (uint32_t i = 0; own->live && i < own->entries; i++) {
        struct mem_buffered *b = &own->buffered[i];
        uintptr_t end = b->line + ((uintptr_t)1 << own->values->line_shift);
        if (!b->live) continue;
        for (uintptr_t a = MAX(addr, b->line); a < MIN(addr + bytes, end); a++)
            b->mask &= ~(UINT64_C(1) << (a - b->line));
    }
}
