/* tlb: which pages came when: see tlb.h. */
#include "mem/address/tlb.h"

void mem_tlb_init(struct mem_tlb *t, uint32_t entries, uint64_t page, int64_t miss)
{
    *t = (struct mem_tlb){.entries = entries,
                          .shift = (uint32_t)g_bit_storage(page) - 1,
                          .miss = miss,
                          .slot_shift = 60}; /* 16 slots to begin with */
    if (entries) t->slot = g_new0(struct mem_tlb_page, 16);
}

void mem_tlb_clear(struct mem_tlb *t) { g_free(t->slot); }

/* Its slot, or the empty one where it belongs. Fibonacci hashing, Knuth 6.4. */
static struct mem_tlb_page *slot_of(const struct mem_tlb *t, uint64_t page)
{
    uint64_t i = page * UINT64_C(0x9e3779b97f4a7c15) >> t->slot_shift;
    while (t->slot[i].came && t->slot[i].page != page)
        i = (i + 1) & (~UINT64_C(0) >> t->slot_shift);
    return &t->slot[i];
}

/* Of `entries` misses each brought a page, and none of them came twice. */
static bool at_hand(const struct mem_tlb *t, const struct mem_tlb_page *p)
{
    return p->came && p->came + t->entries > t->misses;
}

bool mem_tlb_search(struct mem_tlb *t, uint64_t page)
{
    if (!at_hand(t, slot_of(t, page))) return false;
    t->newest = page;
    return true;
}

static void grow(struct mem_tlb *t)
{
    struct mem_tlb_page *old = t->slot;
    uint64_t slots = UINT64_C(1) << (64 - t->slot_shift);
    t->slot = g_new0(struct mem_tlb_page, slots * 2);
    t->slot_shift--;
    for (uint64_t i = 0; i < slots; i++)
        if (old[i].came) *slot_of(t, old[i].page) = old[i];
    g_free(old);
}

bool mem_tlb_fetch(struct mem_tlb *t, uint64_t model)
{
    uint64_t page = model >> t->shift;
    if (t->pages * 2 >= UINT64_C(1) << (64 - t->slot_shift)) grow(t);
    struct mem_tlb_page *p = slot_of(t, page);
    if (!p->came) t->pages++;
    *p = (struct mem_tlb_page){page, ++t->misses};
    t->newest = page;
    return t->misses > t->entries;
}

int64_t mem_tlb_comes(struct mem_tlb *t, uint64_t model, int64_t now)
{
    for (; t->behind; t = t->behind) {
        now += t->miss;
        if (mem_tlb_has(t->behind, model)) return now;
        mem_tlb_fetch(t->behind, model);
    }
    return mem_tlb_walk(t, now);
}

int64_t mem_tlb_walk(struct mem_tlb *t, int64_t now)
{
    int64_t *first = &t->walked[0];
    for (uint32_t i = 1; i < t->walks; i++)
        if (t->walked[i] < *first) first = &t->walked[i];
    int64_t done = (t->walks ? MAX(now, *first) : now) + t->miss;
    *first = done;
    return done;
}
