/* tlb: the pages whose translation a processor has at hand.
 *
 * So many entries, for pages of model addresses; the page that came first goes first, as in TLBs
 * that are filled in turn. A hit therefore leaves no trace: what the fast path answers needs no
 * look here, as long as it forgets all it knows whenever a page goes. Behind it may be another, of
 * more pages (tlb.first_entries). Left out: sets, pages of several sizes at once, and the cache
 * lines that a page walk reads.
 */
#ifndef MEM_ADDRESS_TLB_H
#define MEM_ADDRESS_TLB_H

#include "mem/time/ticks.h"

struct mem_tlb_page {
    uint64_t page, came; /* number, and the miss that brought it, from 1; 0: empty slot */
};
enum { MEM_TLB_WALKS = 16 };
struct mem_tlb {
    uint32_t entries;              /* 0: none, every page is at hand */
    uint32_t shift;                /* log2 of a page's bytes */
    int64_t miss;                  /* ticks */
    uint32_t walks;                /* fetches at the same time; 0: any number */
    int64_t walked[MEM_TLB_WALKS]; /* when each is done */
    struct mem_tlb *behind;        /* a translation comes from there, in `miss`; NULL: by a walk */
    uint64_t misses;
    uint64_t newest; /* page of the last miss or search */
    /* the pages that came: a hash table, half full at most; 64 - log2 of its slots */
    struct mem_tlb_page *slot;
    uint32_t slot_shift, pages;
};

/* page: a power of two. */
void mem_tlb_init(struct mem_tlb *t, uint32_t entries, uint64_t page, int64_t miss);
void mem_tlb_clear(struct mem_tlb *t);
/* Is the page of that model address at hand? */
bool mem_tlb_search(struct mem_tlb *t, uint64_t page);
static inline bool mem_tlb_has(struct mem_tlb *t, uint64_t model)
{
    if (MEM_LIKELY(!t->entries)) return true;
    uint64_t page = model >> t->shift;
    return (page == t->newest && t->misses) || mem_tlb_search(t, page);
}
/* It is not: fetched. True: another page has gone for it. */
bool mem_tlb_fetch(struct mem_tlb *t, uint64_t model);
/* The page of that model address, which was not at hand at `now`, is when? */
int64_t mem_tlb_comes(struct mem_tlb *t, uint64_t model, int64_t now);
/* By a walk: one asked for at `now` is there then: it waits while as many as there may be are
 * fetched. */
int64_t mem_tlb_walk(struct mem_tlb *t, int64_t now);

#endif
