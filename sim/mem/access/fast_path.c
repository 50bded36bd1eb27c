/* fast_path: the private pages it knows. */
#include "mem/access/flying.h"
#include "mem/address/page.h"

enum { NEAR_MIN = 16, NEAR_MAX = 1024 };

void mem_fast_clear(struct mem_cpu *cpu)
{
    for (uint64_t i = 0; cpu->fast.near && i <= cpu->fast.near_mask; i++)
        cpu->fast.near[i] = (struct mem_near_page){~UINT64_C(0), 0};
}

void mem_fast_init(struct mem_cpu *cpu, struct mem_cache *cache, struct mem_dram_port *port)
{
    struct mem_fast_path *w = &cpu->fast;
    w->line = cache->line;
    w->set_mask = cache->set_mask;
    w->used = &cache->used;
    w->port = port;
    w->hit = cache->hit;
    w->near_mask = NEAR_MIN - 1;
    w->near = g_new(struct mem_near_page, NEAR_MIN);
    cpu->gate.able = 1;
    mem_gate_look(&cpu->gate);
    mem_fast_clear(cpu);
}

void mem_fast_leaves(struct mem_cpu *cpu, int64_t ticks, uintptr_t pc, const struct mem_site *site)
{
    struct mem_dram_port *port = cpu->fast.port;
    struct mem_leaving l = mem_leaves(cpu->core, site, mem_date(cpu));
    int64_t begun = MAX(port->free, l.begun);
    mem_dram_taken(port, begun, begun + ticks);
    mem_comes(cpu->core, &l, site, pc, begun + ticks);
}

/* Grows with the pages the processor touches. */
void mem_fast_page(struct mem_cpu *cpu, uintptr_t addr, uint64_t model, uint32_t pages)
{
    struct mem_fast_path *w = &cpu->fast;
    if (pages > w->near_mask + 1 && w->near_mask + 1 < NEAR_MAX) {
        w->near_mask = w->near_mask * 2 + 1;
        w->near = g_renew(struct mem_near_page, w->near, w->near_mask + 1);
        mem_fast_clear(cpu);
    }
    uint64_t host = (uint64_t)addr >> MEM_PAGE_BITS;
    uint32_t shift = cpu->filter.line_shift;
    uint64_t last = (model >> shift) + (MEM_PAGE_BYTES >> shift) - 1;
    *w->used = MAX(*w->used, MIN(last, w->set_mask) + 1);
    w->near[host & w->near_mask] =
        (struct mem_near_page){host, (model >> shift) - (host << (MEM_PAGE_BITS - shift))};
}
