/* engine: accesses made on a rank's behalf: by a library that reads or writes the rank's memory in
 * place, by the origin's processor that copies into another's window, by a servicing routine. They
 * walk the same caches as the program's, at the date given, and what they take is returned, not
 * owed.
 */
#include "core.h"

static bool anothers(struct mem_core *core, uintptr_t addr, uint64_t bytes)
{
    const struct mem_region *r =
        core->node->uncached_others ? mem_region_find(core->node, addr, addr + bytes) : NULL;
    return r && mem_anothers(core, r);
}

/* It goes to memory for each line. */
static double uncached(struct mem_core *core, uintptr_t addr, uint64_t bytes)
{
    const struct mem_node *node = core->node;
    uint64_t lines = ((addr + bytes - 1) >> node->last_shift) - (addr >> node->last_shift) + 1;
    return mem_seconds(node,
                       (int64_t)lines * (node->pool ? node->pool : core->cpu->way.other_page));
}

double mem_touch_load(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, double at_s)
{
    struct mem_core *core = cpu->core;
    if (!bytes) return 0;
    if (anothers(core, addr, bytes)) return uncached(core, addr, bytes);
    struct mem_meter owed = mem_meter_begin(core, at_s);
    mem_do_load(core, addr, bytes, 0);
    return mem_meter_end(core, owed);
}

double mem_cpu_read(struct mem_cpu *cpu, uintptr_t addr, void *out, uint64_t bytes, double at_s)
{
    struct mem_core *core = cpu->core;
    if (!bytes) return 0;
    if (anothers(core, addr, bytes)) {
        mem_ni_read(core->node, addr, out, bytes, at_s);
        return uncached(core, addr, bytes);
    }
    double seconds = mem_touch_load(cpu, addr, bytes, at_s);
    memcpy(out, (const void *)addr, bytes);
    return seconds;
}

double mem_cpu_read_to_write(struct mem_cpu *cpu, uintptr_t addr, void *out, uint64_t bytes,
                             double at_s)
{
    cpu->core->for_writing = cpu->core->node->coherent;
    double seconds = mem_cpu_read(cpu, addr, out, bytes, at_s);
    cpu->core->for_writing = false;
    return seconds;
}

double mem_touched_store(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uint32_t writer,
                         double at_s)
{
    struct mem_core *core = cpu->core;
    if (!bytes) return 0;
    if (anothers(core, addr, bytes)) {
        mem_ni_write(core->node, addr, (const void *)addr, bytes, writer, at_s);
        return uncached(core, addr, bytes);
    }
    struct mem_meter owed = mem_meter_begin(core, at_s);
    mem_do_store(core, addr, bytes, 0);
    return mem_meter_end(core, owed);
}

double mem_cpu_write(struct mem_cpu *cpu, uintptr_t addr, const void *in, uint64_t bytes,
                     uint32_t writer, double at_s)
{
    struct mem_core *core = cpu->core;
    if (!bytes) return 0;
    if (anothers(core, addr, bytes)) {
        mem_ni_write(core->node, addr, in, bytes, writer, at_s);
        return uncached(core, addr, bytes);
    }
    for (int i = 0; i < core->node->cpus; i++) mem_carry(&core->node->core[i]);
    /* Processors of a node are coherent in the order they act, also when one of them is ahead of
     * the clock: an accumulate must find what the one before it left. */
    memcpy((void *)addr, in, bytes);
    return mem_touched_store(cpu, addr, bytes, writer, at_s);
}
