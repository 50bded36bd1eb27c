/* counters: see counters.h. */
#include "mem/counters/counters.h"
#include "mem/access/access.h"

int mem_levels(const struct mem_cpu *cpu) { return cpu->core->peer.levels.levels; }

struct mem_cache_count mem_cache_count(struct mem_cpu *cpu, int level)
{
    mem_fold_counts(cpu->core);
    const struct mem_levels *l = &cpu->core->peer.levels;
    return l->last < &l->level[level] ? l->below : l->level[level].count;
}

uint64_t mem_stale_loads(const struct mem_cpu *cpu) { return cpu->core->stale; }

uint64_t mem_mispredicted(const struct mem_cpu *cpu)
{
    return cpu->branches.mispredicted + cpu->loop_ends * cpu->branches.model->loop_end;
}

struct mem_resource_count mem_bus_count(const struct mem_node *node)
{
    return node->domain.resource.count;
}

double mem_tick(const struct mem_node *node) { return node->scale.s_per_tick; }

double mem_last_s(const struct mem_node *node) { return mem_seconds(node->scale, MEM_TICKS_MAX); }
