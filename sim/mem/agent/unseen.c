/* unseen: what code that nobody instrumented has stored into segments is carried as stores of the
 * processor that called it, at the date at which somebody looks. */
#include "mem/agent/agent.h"
#include "mem/access/access.h"

bool mem_unseen_store(struct mem_cpu *cpu, struct mem_range *range, struct mem_unseen *found,
                      double at_s)
{
    struct mem_core *core = cpu->core;
    struct mem_values *v = &core->node->values;
    uintptr_t addr = range->addr, to = addr + range->bytes;
    if (!mem_unseen_find(&core->own, &addr, to, &found->bytes)) return false;
    if (core->node->subword) { /* parts of a word would put its other bytes back */
        const struct mem_region *r = mem_region_find(v, addr, addr + 1);
        uintptr_t end = (addr + found->bytes + 3) & ~(uintptr_t)3;
        addr = MAX(addr & ~(uintptr_t)3, r->base);
        found->bytes = MIN(end, r->end) - addr;
    }
    found->addr = addr;
    mem_unseen_place(cpu, found);
    mem_touched_store(cpu, addr, found->bytes, 0, at_s);
    range->addr = addr + found->bytes;
    range->bytes = to - range->addr;
    return true;
}

void mem_unseen_place(struct mem_cpu *cpu, struct mem_unseen *found)
{
    const struct mem_registration *reg = mem_registration_at(&cpu->core->node->values, found->addr);
    found->segment = reg ? reg->id : -1;
    found->offset = reg ? found->addr - reg->base : 0;
}

struct mem_range mem_unseen_around(struct mem_cpu *cpu, uintptr_t addr)
{
    const struct mem_region *r = mem_region_find(&cpu->core->node->values, addr, addr + 1);
    return r ? (struct mem_range){r->base, r->end - r->base} : (struct mem_range){addr, 0};
}

static bool is_own(const struct mem_cpu *cpu, const struct mem_region *r)
{
    return r->rank < 0 || r->rank == cpu->rank;
}

bool mem_unseen_few(const struct mem_cpu *cpu, uint64_t most)
{
    enum { PIECE = 64 }; /* what looking at one takes, in bytes compared */
    const struct mem_values *v = &cpu->core->node->values;
    uint64_t bytes = 0;
    for (size_t i = 0; i < v->regions && bytes <= most; i++)
        if (is_own(cpu, &v->region[i])) bytes += v->region[i].end - v->region[i].base + PIECE;
    return bytes <= most;
}

bool mem_unseen_own(struct mem_cpu *cpu, size_t *i, struct mem_range *range)
{
    struct mem_values *v = &cpu->core->node->values;
    mem_deferred_commit_all(v);
    for (; *i < v->regions; ++*i) {
        const struct mem_region *r = &v->region[*i];
        if (!is_own(cpu, r) || mem_unseen_none(&cpu->core->own, r->base, r->end, r)) continue;
        *range = (struct mem_range){r->base, r->end - r->base};
        ++*i;
        return true;
    }
    return false;
}
