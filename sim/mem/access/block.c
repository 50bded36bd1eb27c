/* block: stores of whole lines that are not fetched first (UltraSPARC's block stores, which its C
 * library copies with: mem.block_store). Copies that others have go, and the bus carries the line
 * to memory. Left out: block loads, which fill no cache; partial lines at the ends are stored as
 * usual. */
#include "mem/access/line.h"

void mem_copy_begin(struct mem_cpu *cpu, uintptr_t to, uint64_t bytes)
{
    struct mem_core *core = cpu->core;
    if (!core || !core->node->block_store || bytes < core->node->block_store) return;
    core->block_from = to;
    core->block_to = to + bytes;
}

void mem_copy_end(struct mem_cpu *cpu)
{
    if (cpu->core) cpu->core->block_to = 0;
}

bool mem_store_block(struct mem_core *core, const struct mem_access *a, int64_t *now)
{
    struct mem_domain *d = core->peer.domain;
    const uintptr_t line = (uintptr_t)1 << d->line_shift, first = a->addr & ~(line - 1);
    if (first < core->block_from || first + line > core->block_to) return false;
    if (a->addr != first) return true; /* the line has gone with its first bytes */
    if (mem_line_shared(d, &core->peer, a->where, a->model))
        mem_snoop(d, &core->peer, a->where, a->model, COH_SNOOP_OWN, *now);
    *now = mem_line_stored(core, *now);
    return true;
}
