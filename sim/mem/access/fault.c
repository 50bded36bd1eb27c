/* fault: pages that the operating system has not given yet (page.fault): the first access to each
 * waits for it, and goes on behind nothing meanwhile. Pages of segments are there: whoever
 * registers memory has touched it. Left out: that the system's zeros are in the caches then, pages
 * that are only read, several pages at once. */
#include "mem/access/access.h"

uint64_t mem_page_fault(struct mem_core *core, uintptr_t addr)
{
    struct mem_page *page = mem_page_known(&core->peer.pages, (uint64_t)addr >> MEM_PAGE_BITS);
    if (page->where & MEM_PAGE_ABSENT) {
        page->where &= ~(uint64_t)MEM_PAGE_ABSENT;
        core->faults++;
        mem_stand_still(core, core->node->page_fault);
    }
    return page->where;
}

/* The whole pages of a range, all of the processor's own. */
static void set_absent(struct mem_core *core, uintptr_t addr, uint64_t bytes, bool absent)
{
    const uint64_t end = ((uint64_t)addr + bytes) >> MEM_PAGE_BITS;
    for (uint64_t host = ((uint64_t)addr + MEM_PAGE_BYTES - 1) >> MEM_PAGE_BITS; host < end;
         host++) {
        struct mem_page *page = mem_page_known(&core->peer.pages, host);
        if (!page || page->where & (MEM_PAGE_SEGMENT | MEM_PAGE_SHARED)) continue;
        page->where &= ~(uint64_t)MEM_PAGE_ABSENT;
        if (absent) page->where |= MEM_PAGE_ABSENT;
    }
}

void mem_given_back(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes)
{
    struct mem_core *core = cpu->core;
    if (!core || core->node->page_fault == 0) return; /* outside a rank, at the end of the run */
    mem_settle(cpu);
    mem_filter_clear(&cpu->filter);
    mem_near_clear(core);
    core->buffer.newest = &core->buffer.none;
    set_absent(core, addr, bytes, true);
}

void mem_moved(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes)
{
    struct mem_core *core = cpu->core;
    if (!core || core->node->page_fault == 0) return;
    for (uint64_t at = 0; at < bytes; at += MEM_PAGE_BYTES)
        mem_page_where(&core->peer.pages, addr + at);
    set_absent(core, addr, bytes, false);
}
