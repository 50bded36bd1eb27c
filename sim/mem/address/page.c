/* page: the tables of pages: see page.h. */
#include "mem/address/page.h"
#include "mem/zeroed/zeroed.h"

#include <string.h>

void mem_shared_pages_init(struct mem_shared_pages *s, int processors)
{
    s->page = g_array_new(FALSE, FALSE, sizeof(struct mem_shared_page));
    if (processors > 1) s->range = g_array_new(FALSE, FALSE, sizeof(struct mem_shared_range));
}

void mem_shared_pages_clear(struct mem_shared_pages *s)
{
    g_array_free(s->page, TRUE);
    if (s->range) g_array_free(s->range, TRUE);
}

static struct mem_page *new_table(uint64_t slots)
{
    struct mem_page *page = g_new(struct mem_page, slots);
    for (uint64_t i = 0; i < slots; i++) page[i] = (struct mem_page){~UINT64_C(0), 0};
    return page;
}

void mem_pages_init(struct mem_pages *p, const struct mem_shared_pages *shared, int processor,
                    uint32_t unit)
{
    g_assert(unit < MEM_PAGE_OWNER);
    p->unit = unit;
    p->shift = 60; /* 16 slots to begin with */
    p->page = new_table(16);
    p->shared = shared;
    p->first = (uint64_t)processor << MEM_PAGE_OWNER;
}

void mem_pages_clear(struct mem_pages *p) { g_free(p->page); }

static struct mem_page *slot_of(const struct mem_pages *p, uint64_t host)
{
    uint64_t i = mem_page_slot(host, p->shift);
    while (p->page[i].host != host && p->page[i].host != ~UINT64_C(0))
        i = (i + 1) & (~UINT64_C(0) >> p->shift);
    return &p->page[i];
}

static uint64_t part_of(uint64_t host)
{
    enum { PAGES = 10 }; /* log2 of those of a part */
    return (host >> PAGES) % MEM_PAGE_PARTS;
}

struct mem_page *mem_page_known(const struct mem_pages *p, uint64_t host)
{
    const uint64_t part = part_of(host);
    if (!(p->part[part / 64] >> part % 64 & 1)) return NULL;
    struct mem_page *page = slot_of(p, host);
    return page->host == host ? page : NULL;
}

/* Half full is full, so that searches stay short; three quarters where it takes many megabytes. */
static bool is_full(const struct mem_pages *p)
{
    enum { MANY = 1 << 19 };
    const uint64_t slots = UINT64_C(1) << (64 - p->shift);
    return p->pages >= (slots < MANY ? slots / 2 : slots / 4 * 3);
}

/* Large pages of the host's of which the program has touched half are made: a random load of many
 * megabytes waits less for its address to be translated, and what is touched here and there does
 * not grow. */
static void make_large(const struct mem_pages *p)
{
    enum { PAGES_LOG2 = MEM_LARGE_BITS - MEM_PAGE_BITS, HALF = 1 << (PAGES_LOG2 - 1) };
    g_autoptr(GHashTable) touched = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (uint64_t i = 0; i <= ~UINT64_C(0) >> p->shift; i++) {
        if (p->page[i].host == ~UINT64_C(0)) continue;
        const gpointer large = GSIZE_TO_POINTER(p->page[i].host >> PAGES_LOG2);
        const guint n = GPOINTER_TO_UINT(g_hash_table_lookup(touched, large)) + 1;
        g_hash_table_insert(touched, large, GUINT_TO_POINTER(n));
        if (n == HALF) mem_large_page(p->page[i].host << MEM_PAGE_BITS);
    }
}

static void grow(struct mem_pages *p)
{
    enum { MANY = 1 << 13 };
    if (p->pages >= MANY / 2) make_large(p);
    struct mem_page *old = p->page;
    uint64_t slots = UINT64_C(1) << (64 - p->shift);
    p->page = new_table(slots * 2);
    p->shift--;
    for (uint64_t i = 0; i < slots; i++)
        if (old[i].host != ~UINT64_C(0)) *slot_of(p, old[i].host) = old[i];
    g_free(old);
}

static struct mem_shared_range *range_at(const struct mem_shared_pages *s, guint i)
{
    return &g_array_index(s->range, struct mem_shared_range, i);
}

/* The first that ends behind the page. */
static guint range_of(const struct mem_shared_pages *s, uint64_t host)
{
    guint low = 0, high = s->range->len;
    while (low < high) {
        const guint middle = (low + high) / 2;
        if (range_at(s, middle)->host + range_at(s, middle)->pages <= host)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct mem_shared_page *mem_page_shared(const struct mem_shared_pages *s, uint64_t host,
                                        guint *index)
{
    const guint i = s->range ? range_of(s, host) : 0;
    if (!s->range || i == s->range->len || range_at(s, i)->host > host) return NULL;
    *index = range_at(s, i)->index + (guint)(host - range_at(s, i)->host);
    return mem_page_shared_at(s, *index);
}

uint64_t mem_page_shared_where(const struct mem_shared_pages *s, guint index)
{
    const struct mem_shared_page *page = mem_page_shared_at(s, index);
    return (uint64_t)page->model << 32 | (uint64_t)index << 8 | MEM_PAGE_SHARED |
           (page->segment ? MEM_PAGE_SEGMENT : 0) | (page->pool ? MEM_PAGE_POOL : 0);
}

guint mem_page_share(struct mem_shared_pages *s, uint64_t host, uint64_t where)
{
    guint index = s->page->len;
    struct mem_shared_page page = {
        .model = (uint32_t)(where >> 32), .segment = true, .pool = where & MEM_PAGE_POOL};
    g_assert(index < 1 << 24);
    g_array_append_val(s->page, page);
    const guint i = range_of(s, host);
    struct mem_shared_range *before = i ? range_at(s, i - 1) : NULL;
    if (before && before->host + before->pages == host && before->index + before->pages == index) {
        before->pages++;
    } else {
        const struct mem_shared_range range = {host, 1, index};
        g_array_insert_val(s->range, i, range);
    }
    return index;
}

/* Each number below 2^MEM_PAGE_OWNER has another one of its own: multiplication by an odd number,
 * and folding high bits onto low ones, can be undone. */
static uint64_t frame_of(const struct mem_pages *p, uint64_t number)
{
    if (!p->unit) return number;
    const uint32_t within = p->unit - 1, bits = MEM_PAGE_OWNER - within;
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    uint64_t n = number >> within;
    for (int i = 0; i < 2; i++) {
        n = n * UINT64_C(0x9e3779b97f4a7c15) & mask;
        n ^= n >> bits / 2;
    }
    return n << within | (number & ((UINT64_C(1) << within) - 1));
}

uint64_t mem_page_touch(struct mem_pages *p, uint64_t host)
{
    if (is_full(p)) grow(p);
    const uint64_t own = (UINT64_C(1) << MEM_PAGE_OWNER) - 1;
    struct mem_page *page = slot_of(p, host);
    guint index;
    if (page->host == host) return page->where;
    page->host = host;
    p->part[part_of(host) / 64] |= UINT64_C(1) << part_of(host) % 64;
    page->where = mem_page_shared(p->shared, host, &index)
                      ? mem_page_shared_where(p->shared, index)
                      : (p->first | frame_of(p, p->touched++ & own)) << 32 |
                            (p->faults ? MEM_PAGE_ABSENT : 0);
    p->pages++;
    return page->where;
}
