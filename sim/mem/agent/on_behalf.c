/* on_behalf: accesses made on a rank's behalf: by a library that reads or writes the rank's memory
 * in place, by the origin's processor that copies into another's window, by a servicing routine.
 * They walk the same caches as the program's, at the date given, and what they take is returned,
 * not owed.
 */
#include "mem/agent/agent.h"
#include "mem/agent/turn.h"

static const struct mem_charge NOTHING = {0};

static bool anothers(struct mem_core *core, uintptr_t addr, uint64_t bytes)
{
    struct mem_values *v = &core->node->values;
    const struct mem_region *r = v->uncached_others ? mem_region_find(v, addr, addr + bytes) : NULL;
    return r && mem_anothers(&core->own, r);
}

double mem_pool_access(const struct mem_cpu *cpu, uint64_t lines, uint64_t bytes)
{
    const struct mem_core *core = cpu->core;
    struct mem_node *node = core->node;
    node->pool_accesses++;
    node->pool_bytes += bytes;
    double line_s = mem_seconds(node->scale, node->pool_line),
           latency_s = mem_seconds(node->scale, node->pool);
    double part = (double)bytes / (double)(UINT64_C(1) << node->domain.line_shift);
    uint32_t together = core->program ? core->program->places : 1;
    return latency_s + MAX(part * line_s, (double)(lines - 1) * MAX(line_s, latency_s / together));
}

/* It goes to memory for each line. */
static struct mem_charge uncached(const struct mem_core *core, uintptr_t addr, uint64_t bytes)
{
    const struct mem_node *node = core->node;
    const struct mem_dram_port *port = &core->peer.port;
    uint32_t shift = node->domain.line_shift;
    uint64_t lines = ((addr + bytes - 1) >> shift) - (addr >> shift) + 1;
    const double s = node->pool
                         ? mem_pool_access(core->cpu, lines, bytes)
                         : mem_seconds(node->scale, (int64_t)lines * port->model->far(port, 0));
    return (struct mem_charge){.memory_s = s};
}

static struct mem_charge play(struct mem_core *core, enum mem_kind kind, uintptr_t addr,
                              uint64_t bytes, double at_s)
{
    struct mem_ledger before = mem_turn_begin(core, at_s);
    mem_play_run(core, kind, addr, bytes);
    return mem_turn_end(core, before);
}

bool mem_contended(const struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes)
{
    struct mem_core *core = cpu->core;
    const struct mem_domain *d = &core->node->domain;
    uint64_t line = UINT64_C(1) << d->line_shift;
    if (!d->coherent || d->processors == 1) return false;
    if (d->quantum == 0) return true; /* everything comes at exact dates */
    if (d->in_turn > core->cpu->ledger.clock) return true;
    for (uintptr_t at = addr & ~(line - 1), end = addr + bytes, till; at < end; at = till) {
        till = MIN(end, (at & ~(uintptr_t)(MEM_PAGE_BYTES - 1)) + MEM_PAGE_BYTES);
        const uint64_t where = mem_page_where(&core->peer.pages, at);
        const struct mem_directory_page *page = mem_directory_page(d, where);
        if (!page || (!page->sharers && !page->in_flight)) continue;
        for (; at < till; at += line)
            if (mem_line_changed_writers(d, where, at) ||
                mem_line_shared(d, &core->peer, where, mem_model(where, at)))
                return true;
    }
    return false;
}

struct mem_charge mem_touch_load(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, double at_s)
{
    struct mem_core *core = cpu->core;
    if (!bytes) return NOTHING;
    if (anothers(core, addr, bytes)) return uncached(core, addr, bytes);
    return play(core, MEM_LOAD, addr, bytes, at_s);
}

struct mem_charge mem_cpu_read(struct mem_cpu *cpu, uintptr_t addr, void *out, uint64_t bytes,
                               double at_s)
{
    struct mem_core *core = cpu->core;
    if (!bytes) return NOTHING;
    if (anothers(core, addr, bytes)) {
        mem_ni_read(core->node, addr, out, bytes, at_s);
        return uncached(core, addr, bytes);
    }
    const struct mem_charge took = mem_touch_load(cpu, addr, bytes, at_s);
    memcpy(out, (const void *)addr, bytes);
    return took;
}

struct mem_charge mem_cpu_read_to_write(struct mem_cpu *cpu, uintptr_t addr, void *out,
                                        uint64_t bytes, double at_s)
{
    cpu->core->for_writing = cpu->core->node->domain.coherent;
    const struct mem_charge took = mem_cpu_read(cpu, addr, out, bytes, at_s);
    cpu->core->for_writing = false;
    return took;
}

struct mem_charge mem_touched_store(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes,
                                    uint32_t writer, double at_s)
{
    struct mem_core *core = cpu->core;
    if (!bytes) return NOTHING;
    if (anothers(core, addr, bytes)) {
        mem_ni_write(core->node, addr, (const void *)addr, bytes, writer, at_s);
        return uncached(core, addr, bytes);
    }
    return play(core, MEM_STORE, addr, bytes, at_s);
}

struct mem_charge mem_cpu_write(struct mem_cpu *cpu, uintptr_t addr, const void *in, uint64_t bytes,
                                uint32_t writer, double at_s)
{
    struct mem_core *core = cpu->core;
    if (!bytes) return NOTHING;
    if (anothers(core, addr, bytes)) {
        mem_ni_write(core->node, addr, in, bytes, writer, at_s);
        return uncached(core, addr, bytes);
    }
    mem_deferred_commit_all(&core->node->values);
    /* Processors of a node are coherent in the order they act, also when one of them is ahead of
     * the clock: an accumulate must find what the one before it left. */
    memcpy((void *)addr, in, bytes);
    return mem_touched_store(cpu, addr, bytes, writer, at_s);
}
