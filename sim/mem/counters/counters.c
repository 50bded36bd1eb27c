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

uint64_t mem_page_faults(const struct mem_cpu *cpu) { return cpu->core->faults; }

uint64_t mem_mispredicted(const struct mem_cpu *cpu)
{
    return cpu->branches.mispredicted + cpu->loop_ends * cpu->branches.model->loop_end;
}

struct mem_resource_count mem_bus_count(const struct mem_node *node)
{
    return node->domain.resource.count;
}

bool mem_line_count(const struct mem_node *node, uint64_t *line, struct mem_resource_count *count)
{
    struct mem_busy_line busiest;
    if (!mem_busiest_line(&node->domain, &busiest)) return false;
    *line = busiest.line;
    *count = busiest.count;
    return true;
}

double mem_tick(const struct mem_node *node) { return node->scale.s_per_tick; }

double mem_last_s(const struct mem_node *node) { return mem_seconds(node->scale, MEM_TICKS_MAX); }

/* Ticks in which memory gives a line at the fastest. */
static double fastest(const struct mem_dram_port *port)
{
    int64_t ticks = port->prefetch.model ? MIN(port->same_page, port->ahead) : port->same_page;
    if (port->busy) return (double)port->busy;
    return (double)ticks / MAX(port->queue.places, 1);
}

/* A write buffer's entries, and lines that are written back, go in between: they are not counted.
 */
static uint64_t lines_read(struct mem_core *core)
{
    const struct mem_cache *last = core->peer.levels.last;
    mem_fold_counts(core);
    if (!last) return 0;
    const struct mem_cache_count *count = &last->count;
    return count->load_misses + (last->allocate_write ? count->store_misses : 0) - core->elsewhere;
}

/* Lines that it may have asked for and not have when its program ends: loads whose values nobody
 * needed, stores in its store buffer. */
static double in_flight(const struct mem_core *core)
{
    return core->program ? core->program->places + core->program->stores : 0;
}

bool mem_memory_use(const struct mem_node *node, struct base_use *use)
{
    const struct mem_domain *d = &node->domain;
    const double line = (double)(UINT64_C(1) << d->line_shift);
    *use = (struct base_use){.messages = 0};
    if (d->bus || d->shared || (d->coherent && node->cpus > 1)) return false;
    for (int i = 0; i < node->cpus; i++) {
        const double line_s = fastest(&node->seat[i].core.peer.port) * node->scale.s_per_tick;
        const uint64_t lines = lines_read(&node->seat[i].core);
        if (line_s <= 0) return false;
        use->messages += lines;
        use->busy_s = MAX(use->busy_s, (double)lines * line_s);
        use->bytes_per_s += line / line_s;
        use->behind_s = MAX(use->behind_s, in_flight(&node->seat[i].core) * line_s);
    }
    use->bytes = use->messages << d->line_shift;
    return use->messages > 0;
}

bool mem_pool_use(const struct mem_node *node, struct base_use *use)
{
    const double line = (double)(UINT64_C(1) << node->domain.line_shift),
                 line_s = mem_seconds(node->scale, node->pool_line);
    if (node->pool_bytes == 0 || line_s <= 0) return false;
    *use = (struct base_use){.messages = node->pool_accesses,
                             .bytes = node->pool_bytes,
                             .bytes_per_s = node->cpus * line / line_s,
                             .busy_s = (double)node->pool_bytes / line * line_s / node->cpus};
    return true;
}
