/* near: pages whose translation is at hand, so that an access need not ask whose they are. */
#include "mem/access/lend.h"

/* A table gets twice the places, up to `most`, when pages have often taken each other's: programs
 * of few pages touch little of it, and a run of many ranks has as many tables. A page that it has
 * stays where it is, and is not found there. */
static bool grows(uint32_t *last, uint32_t *taken, uint32_t most)
{
    enum { OFTEN = 4 };
    if (*last + 1 == most || ++*taken <= OFTEN * (*last + 1)) return false;
    *last = 2 * *last + 1;
    *taken = 0;
    return true;
}

static inline bool find_page(struct mem_core *core, uintptr_t addr, uint64_t where, bool stores)
{
    const uint64_t host = (uint64_t)addr >> MEM_PAGE_BITS, model = mem_model(where, 0);
    const bool segment = where & MEM_PAGE_SEGMENT;
    if (where & (MEM_PAGE_SHARED | MEM_PAGE_POOL | MEM_PAGE_ABSENT)) return false;
    if (!core->peer.levels.first || !mem_tlb_has(&core->peer.tlb, model)) return false;
    if (segment && !mem_lend(core, addr, where, stores)) return false;
    const bool both = stores || !segment || where & MEM_PAGE_LENT_STORES;
    struct mem_near *near = &core->near[host & core->last_near];
    if (near->host != host && near->host && grows(&core->last_near, &core->near_taken, MEM_NEAR))
        near = &core->near[host & core->last_near];
    *near = mem_near(host, model, both);
    return true;
}

bool mem_find_page(struct mem_core *core, uintptr_t addr, bool stores)
{
    return find_page(core, addr, mem_page_where(&core->peer.pages, addr), stores);
}

bool mem_find_private(struct mem_core *core, uintptr_t addr)
{
    const uint64_t where = mem_page_where(&core->peer.pages, addr);
    return !(where & MEM_PAGE_SEGMENT) && find_page(core, addr, where, true);
}

/* Where a segment's page goes. */
static struct mem_near_segment *place_of(struct mem_core *core, uint64_t host)
{
    const struct mem_near_segment *there = mem_segment_place(core, host);
    uint32_t last = (uint32_t)~core->segment_places;
    if (there->host != host && there->host &&
        grows(&last, &core->segments_taken, MEM_NEAR_SEGMENTS))
        core->segment_places = ~(uint64_t)last;
    return mem_segment_place(core, host);
}

const struct mem_near_segment *mem_find_segment(struct mem_core *core, uintptr_t addr)
{
    uint64_t host = (uint64_t)addr >> MEM_PAGE_BITS;
    uint64_t where = mem_page_where(&core->peer.pages, addr);
    uintptr_t page = addr & ~(uintptr_t)(MEM_PAGE_BYTES - 1);
    struct mem_values *v = &core->node->values;
    if (!(where & MEM_PAGE_SEGMENT)) {
        find_page(core, addr, where, true); /* which is asked for next */
        return NULL;
    }
    if (!mem_tlb_has(&core->peer.tlb, mem_model(where, 0))) return NULL;
    struct mem_region *r = mem_region_find(v, addr, addr + 1);
    struct mem_near_segment *near = place_of(core, host);
    if (!r || page < r->base || page + MEM_PAGE_BYTES > r->end || mem_anothers(&core->own, r)) {
        *near = (struct mem_near_segment){.host = host};
        return NULL;
    }
    *near =
        (struct mem_near_segment){host, where, v->coherent ? NULL : r->image + (page - r->base), r};
    return near;
}
