/* page: host pages become model pages in the order of first touch.
 *
 * The host randomises where pages lie; the caches must not notice. Every processor numbers the
 * pages it touches, so its private data lie one after the other, as a fresh process's would. Pages
 * that hold bytes of a segment are shared by the processors of a node and have one number for all
 * of them; private pages of different ranks never meet, as those of different processes do not,
 * although all ranks live in one host process. Left out: the operating system's page colouring.
 *
 * Host addresses are the program's own. Model addresses index and tag the caches.
 */
#ifndef MEM_ADDRESS_PAGE_H
#define MEM_ADDRESS_PAGE_H

#include "mem/time/ticks.h"

/* host pages of 4 KiB, the unit in which the host randomises addresses */
enum { MEM_PAGE_BITS = 12 };
enum { MEM_PAGE_BYTES = 1 << MEM_PAGE_BITS };
/* log2 of the pages that each processor may number: 16 GiB */
enum { MEM_PAGE_OWNER = 22 };

/* where: model page << 32 | index of the node's shared page << 8 | flags */
struct mem_page {
    uint64_t host, where;
};
/* ABSENT: the operating system has not given it yet, and whoever touches it waits */
enum { MEM_PAGE_SEGMENT = 1, MEM_PAGE_SHARED = 2, MEM_PAGE_POOL = 4, MEM_PAGE_ABSENT = 8 };
/* A segment's, whose loads, or loads and stores, are played as private ones (mem/access/lend.h). */
enum { MEM_PAGE_LENT = 16, MEM_PAGE_LENT_STORES = 32 };
/* Do stores there reach memory by their dates? */
static inline bool mem_page_of_segment(uint64_t where)
{
    return (where & (MEM_PAGE_SEGMENT | MEM_PAGE_LENT_STORES)) == MEM_PAGE_SEGMENT;
}

/* A page several processors of a node may cache (it holds, or held, bytes of a segment). */
struct mem_shared_page {
    uint32_t model; /* its number */
    bool segment, pool;
};
struct mem_shared_pages {
    GArray *page;  /* struct mem_shared_page */
    GArray *range; /* struct mem_shared_range by host; NULL: one processor, nothing is shared */
};
/* Host pages that were shared one after the other: a window is one. */
struct mem_shared_range {
    uint64_t host, pages;
    guint index; /* of its first */
};

/* One processor's pages. */
enum { MEM_PAGE_PARTS = 1 << 14 }; /* a power of two */
struct mem_pages {
    struct mem_page *page; /* hash table: host page -> where */
    uint32_t shift, pages; /* 64 - log2 of its slots; pages in it */
    uint64_t touched;      /* private pages touched so far */
    uint64_t first;        /* its own numbers begin there */
    uint32_t unit;         /* scattered: log2 of the pages that stay together, and 1; else 0 */
    bool faults;           /* private pages are absent at first */
    /* a bit for each four megabytes of the host, several of which have the same: it may have
     * touched pages there */
    uint64_t part[MEM_PAGE_PARTS / 64];
    const struct mem_shared_pages *shared;
};

void mem_shared_pages_init(struct mem_shared_pages *s, int processors);
void mem_shared_pages_clear(struct mem_shared_pages *s);
/* unit: as in struct mem_pages */
void mem_pages_init(struct mem_pages *p, const struct mem_shared_pages *shared, int processor,
                    uint32_t unit);
void mem_pages_clear(struct mem_pages *p);

uint64_t mem_page_touch(struct mem_pages *p, uint64_t host);
/* The processor's entry for a page it has touched, or NULL. */
struct mem_page *mem_page_known(const struct mem_pages *p, uint64_t host);
/* The node's shared page; index: also its number. NULL: it is not shared. */
struct mem_shared_page *mem_page_shared(const struct mem_shared_pages *s, uint64_t host,
                                        guint *index);
/* By its index. */
static inline struct mem_shared_page *mem_page_shared_at(const struct mem_shared_pages *s,
                                                         size_t index)
{
    return &g_array_index(s->page, struct mem_shared_page, index);
}
/* Makes the page shared under the number that `where` has; returns its index. */
guint mem_page_share(struct mem_shared_pages *s, uint64_t host, uint64_t where);
uint64_t mem_page_shared_where(const struct mem_shared_pages *s, guint index);

/* Where the search for a page begins: eight neighbouring pages lie beside each other, groups of
 * them scattered (Fibonacci hashing, Knuth 6.4). */
static inline uint64_t mem_page_slot(uint64_t host, uint32_t shift)
{
    return ((host >> 3) * UINT64_C(0x9e3779b97f4a7c15)) >> (shift + 3) << 3 | (host & 7);
}
static inline uint64_t mem_page_where(struct mem_pages *p, uintptr_t addr)
{
    uint64_t host = (uint64_t)addr >> MEM_PAGE_BITS, i = mem_page_slot(host, p->shift);
    for (;;) {
        const struct mem_page *page = &p->page[i];
        if (MEM_LIKELY(page->host == host)) return page->where;
        if (page->host == ~UINT64_C(0)) return mem_page_touch(p, host);
        i = (i + 1) & (~UINT64_C(0) >> p->shift);
    }
}
static inline uint64_t mem_model(uint64_t where, uintptr_t addr)
{
    return (where >> 32) << MEM_PAGE_BITS | (addr & (MEM_PAGE_BYTES - 1));
}
static inline size_t mem_page_index(uint64_t where) { return (where >> 8) & 0xffffff; }

#endif
