/* charge: what a processor owes the clock, and what happens when it has been paid. */
#include "core.h"

void mem_settle(struct mem_core *core)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_way *w = &cpu->way;
    core->compute += (int64_t)w->misses * core->access;
    core->memory += w->owed;
    core->cache[0].count.loads += w->misses;
    core->cache[0].count.load_misses += w->misses;
    w->misses = 0;
    w->owed = 0;
    int64_t n = (int64_t)(cpu->fast_loads + cpu->fast_stores);
    if (!n) return;
    core->compute += n * core->access;
    core->memory += n * (core->access_hit - core->access);
    core->cache[0].count.loads += cpu->fast_loads;
    for (uint32_t i = 0; i < core->levels; i++) { /* stores count at every level they reach */
        core->cache[i].count.stores += cpu->fast_stores;
        if (core->cache[i].write_back) break;
    }
    cpu->fast_loads = cpu->fast_stores = 0;
}

struct mem_meter mem_meter_begin(struct mem_core *core, double at_s)
{
    mem_carry(core);
    mem_settle(core);
    struct mem_meter owed = {core->clock, core->compute, core->memory};
    core->clock = mem_ticks(core->node, at_s);
    core->compute = core->memory = 0;
    return owed;
}

double mem_meter_end(struct mem_core *core, struct mem_meter owed)
{
    mem_settle(core);
    double seconds = mem_seconds(core->node, core->compute + core->memory);
    mem_carry(core); /* stores on the rank's behalf have happened already */
    core->clock = owed.clock;
    core->compute = owed.compute;
    core->memory = owed.memory;
    /* The access may have been at a later date than the processor's. */
    core->cpu->way.beyond = core->memory_free > owed.clock + owed.compute + owed.memory;
    mem_way_look(&core->cpu->way);
    return seconds;
}

double mem_unpaid(struct mem_cpu *cpu) { return mem_seconds(cpu->core->node, mem_owed(cpu->core)); }

void mem_compute(struct mem_cpu *cpu, double seconds)
{
    cpu->core->compute += mem_ticks(cpu->core->node, seconds);
}

struct mem_charge mem_take(struct mem_cpu *cpu)
{
    struct mem_core *core = cpu->core;
    mem_settle(core);
    struct mem_charge charge = {mem_seconds(core->node, core->compute),
                                mem_seconds(core->node, core->memory)};
    core->clock += core->compute + core->memory; /* until mem_paid says what the clock made of it */
    core->compute = core->memory = 0;
    return charge;
}

void mem_paid(struct mem_cpu *cpu, double now_s)
{
    struct mem_core *core = cpu->core;
    struct mem_node *node = core->node;
    core->clock = mem_ticks(node, now_s);
    node->latest = MAX(node->latest, core->clock);
    mem_carry(core);
    mem_wb_advance(core, core->clock);
    mem_out_apply(node, core->clock);
}

int mem_levels(const struct mem_cpu *cpu) { return (int)cpu->core->levels; }

struct mem_cache_count mem_cache_count(struct mem_cpu *cpu, int level)
{
    mem_settle(cpu->core);
    return cpu->core->cache[level].count;
}
