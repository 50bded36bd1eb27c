/* page: host pages become model pages in the order of first touch.
 *
 * The host randomises where pages lie; the caches must not notice. Every processor numbers the
 * pages it touches, so its private data lie one after the other, as a fresh process's would. Pages
 * that hold bytes of a segment are shared by the processors of a node and have one number for all
 * of them; private pages of different ranks never meet, as those of different processes do not,
 * although all ranks live in one host process. Left out: the operating system's page colouring, TLB
 * misses.
 */
#include "core.h"

static uint64_t slot_of(const struct mem_core *core, uint64_t host)
{
    uint64_t i = mem_page_slot(host, core->page_shift);
    while (core->page[i].host != host && core->page[i].host != ~UINT64_C(0))
        i = (i + 1) & (~UINT64_C(0) >> core->page_shift);
    return i;
}

/* Half full is full: the searches stay short. */
static void grow(struct mem_core *core)
{
    struct mem_page *old = core->page;
    uint64_t slots = UINT64_C(1) << (64 - core->page_shift), more = slots * 2;
    core->page = g_new(struct mem_page, more);
    for (uint64_t i = 0; i < more; i++) core->page[i] = (struct mem_page){~UINT64_C(0), 0};
    core->page_shift--;
    for (uint64_t i = 0; i < slots; i++)
        if (old[i].host != ~UINT64_C(0)) core->page[slot_of(core, old[i].host)] = old[i];
    g_free(old);
}

/* The next page of this processor's own numbers: 4 Mi pages (16 GiB) each. */
static uint64_t next_model(struct mem_core *core)
{
    return (uint64_t)core->index << 22 | (core->touched++ & 0x3fffff);
}

static uint64_t shared_where(const struct mem_node *node, guint index)
{
    const struct mem_shared *s = &g_array_index(node->shared, struct mem_shared, index);
    return s->model << 32 | (uint64_t)index << 8 | MEM_PAGE_SHARED |
           (s->segment ? MEM_PAGE_SEGMENT : 0) | (s->pool ? MEM_PAGE_POOL : 0);
}

/* ---- the pages of the short way -------------------------------------------------------------- */

enum { NEAR_MIN = 16, NEAR_MAX = 1024 };

void mem_near_clear(struct mem_cpu *cpu)
{
    for (uint64_t i = 0; cpu->way.near && i <= cpu->way.near_mask; i++)
        cpu->way.near[i] = (struct mem_near){~UINT64_C(0), 0};
}

void mem_near_init(struct mem_cpu *cpu)
{
    cpu->way.near_mask = NEAR_MIN - 1;
    cpu->way.near = g_new(struct mem_near, NEAR_MIN);
    cpu->way.open = 1;
    mem_near_clear(cpu);
}

void mem_watch(struct mem_cpu *cpu, int more)
{
    cpu->way.watched += (uint32_t)more;
    mem_way_look(&cpu->way);
}

/* Grows with the pages the processor touches. */
void mem_page_near(struct mem_cpu *cpu, uintptr_t addr, uint64_t where)
{
    struct mem_way *w = &cpu->way;
    if (cpu->core->pages > w->near_mask + 1 && w->near_mask + 1 < NEAR_MAX) {
        w->near_mask = w->near_mask * 2 + 1;
        w->near = g_renew(struct mem_near, w->near, w->near_mask + 1);
        mem_near_clear(cpu);
    }
    uint64_t host = (uint64_t)addr >> MEM_PAGE_BITS;
    w->near[host & w->near_mask] = (struct mem_near){host, mem_model(where, 0) >> cpu->line_shift};
}

uint64_t mem_page_touch(struct mem_core *core, uint64_t host)
{
    if (core->pages * 2 >= UINT64_C(1) << (64 - core->page_shift)) grow(core);
    struct mem_page *page = &core->page[slot_of(core, host)];
    if (page->host == host) return page->where;
    struct mem_node *node = core->node;
    gpointer known =
        node->shared_index ? g_hash_table_lookup(node->shared_index, GSIZE_TO_POINTER(host)) : NULL;
    page->host = host;
    page->where = known ? shared_where(node, GPOINTER_TO_UINT(known) - 1) : next_model(core) << 32;
    core->pages++;
    return page->where;
}

/* The processor numbered the page for itself; from now on it has another number. */
static void forget_lines(struct mem_core *core, uint64_t host)
{
    if (!core->levels) return;
    struct mem_page *page = &core->page[slot_of(core, host)];
    struct mem_cache *last = &core->cache[core->levels - 1];
    uint64_t model = (page->where >> 32) << MEM_PAGE_BITS;
    for (uint64_t a = model; a < model + MEM_PAGE_BYTES; a += UINT64_C(1) << last->shift) {
        struct mem_line *e = mem_cache_find(last, a);
        if (e) mem_cache_drop_line(core, e, MEM_DROP_EVICTED, false);
    }
}

void mem_page_mark(struct mem_node *node, uintptr_t addr, struct mem_core *owner)
{
    uint64_t host = (uint64_t)addr >> MEM_PAGE_BITS;
    if (node->cpus == 1) {
        mem_page_where(owner, addr);
        owner->page[slot_of(owner, host)].where |= MEM_PAGE_SEGMENT;
        return;
    }
    gpointer known = g_hash_table_lookup(node->shared_index, GSIZE_TO_POINTER(host));
    guint index = known ? GPOINTER_TO_UINT(known) - 1 : node->shared->len;
    if (!known) {
        uint64_t where = mem_page_where(owner, addr);
        uint64_t lines = MEM_PAGE_BYTES >> node->last_shift;
        struct mem_shared s = {host,
                               where >> 32,
                               true,
                               where & MEM_PAGE_POOL,
                               g_new0(uint64_t, lines),
                               g_new0(struct mem_coming, lines)};
        g_assert(index < 1 << 24);
        g_array_append_val(node->shared, s);
        g_hash_table_insert(node->shared_index, GSIZE_TO_POINTER(host),
                            GUINT_TO_POINTER(index + 1));
    } else {
        g_array_index(node->shared, struct mem_shared, index).segment = true;
    }
    uint64_t where = shared_where(node, index);
    for (int i = 0; i < node->cpus; i++) {
        struct mem_core *core = &node->core[i];
        struct mem_page *page = &core->page[slot_of(core, host)];
        if (page->host != host) continue;
        if (page->where >> 32 != where >> 32) {
            forget_lines(core, host);
        } else if (!known && core->levels) {
            struct mem_cache *last = &core->cache[core->levels - 1];
            uint64_t model = (where >> 32) << MEM_PAGE_BITS;
            for (uint64_t a = model; a < model + MEM_PAGE_BYTES; a += UINT64_C(1) << last->shift)
                if (mem_cache_find(last, a)) mem_holder_set(core, where, a);
        }
        page->where = where;
    }
}

void mem_page_unmark(struct mem_node *node, uintptr_t addr)
{
    uint64_t host = (uint64_t)addr >> MEM_PAGE_BITS;
    if (node->cpus > 1) {
        gpointer known = g_hash_table_lookup(node->shared_index, GSIZE_TO_POINTER(host));
        if (known)
            g_array_index(node->shared, struct mem_shared, GPOINTER_TO_UINT(known) - 1).segment =
                false;
    }
    for (int i = 0; i < node->cpus; i++) {
        struct mem_core *core = &node->core[i];
        struct mem_page *page = &core->page[slot_of(core, host)];
        if (page->host == host) page->where &= ~(uint64_t)MEM_PAGE_SEGMENT;
    }
}

void mem_pool(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, bool there)
{
    struct mem_node *node = cpu->core->node;
    if (!node->pool) return;
    for (uintptr_t at = addr; at < addr + bytes; at += MEM_PAGE_BYTES) {
        uint64_t where = mem_page_where(cpu->core, at), host = (uint64_t)at >> MEM_PAGE_BITS;
        if (where & MEM_PAGE_SHARED) mem_shared_of(node, where)->pool = there;
        for (int i = 0; i < node->cpus; i++) {
            struct mem_page *page = &node->core[i].page[slot_of(&node->core[i], host)];
            if (page->host == host)
                page->where =
                    there ? page->where | MEM_PAGE_POOL : page->where & ~(uint64_t)MEM_PAGE_POOL;
        }
    }
    for (int i = 0; i < node->cpus; i++) mem_near_clear(&node->cpu[i]);
}
