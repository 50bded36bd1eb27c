/* agree: explicit ways to make image and view agree: drain, publish, refresh.
 *
 * What a synchronisation call pays on a machine without coherence. A processor does not know which
 * lines of a range are in its caches, so going line by line costs flush_line for each of them;
 * where the machine can drop a whole cache that may be cheaper, and costs it everything else that
 * was there.
 */
#include "core.h"

double mem_drain(struct mem_cpu *cpu, double at_s)
{
    struct mem_core *core = cpu->core;
    if (!core->node->wb_entries) return 0;
    struct mem_meter owed = mem_meter_begin(core, at_s);
    mem_wb_drain(core);
    return mem_meter_end(core, owed);
}

/* Is dropping a whole cache cheaper than going through all the lines? */
static bool whole_is_cheaper(const struct mem_node *node, const struct mem_range *range, size_t n)
{
    uint64_t lines = 0;
    for (size_t i = 0; i < n; i++) {
        if (range[i].bytes == MEM_EVERYTHING) return true;
        lines += ((range[i].addr + range[i].bytes - 1) >> node->last_shift) -
                 (range[i].addr >> node->last_shift) + 1;
    }
    return node->flush_all && (int64_t)lines * node->flush_line > node->flush_all;
}

/* The lines of the range that this processor holds: write back what is dirty; drop them all, if
 * asked. */
static void each_line(struct mem_core *core, uintptr_t addr, uint64_t bytes, bool drop)
{
    struct mem_node *node = core->node;
    struct mem_cache *last = &core->cache[core->levels - 1];
    uintptr_t step = (uintptr_t)1 << node->last_shift;
    for (uintptr_t line = addr >> node->last_shift << node->last_shift; line < addr + bytes;
         line += step) {
        struct mem_line *e = mem_cache_find(last, mem_model(mem_page_where(core, line), line));
        core->memory += node->flush_line;
        if (!e) continue;
        if (drop) {
            mem_cache_drop_line(core, e, MEM_DROP_FLUSHED, false);
        } else if ((e->key & MEM_LINE_STATE) == COH_M) {
            mem_evict_last(core, e);
            mem_cache_clean_above(core, e);
            e->key = (e->key & ~(uint64_t)MEM_LINE_STATE) | COH_S;
            last->count.flushed_lines++;
        }
    }
}

static void whole(struct mem_core *core)
{
    struct mem_cache *last = &core->cache[core->levels - 1];
    for (uint64_t i = 0; i < (last->set_mask + 1) * last->ways; i++)
        if (last->line[i].key != MEM_LINE_EMPTY)
            mem_cache_drop_line(core, &last->line[i], MEM_DROP_FLUSHED, false);
    /* Without an instruction for it, by line, each of the cache's. */
    int64_t by_line = (int64_t)((last->set_mask + 1) * last->ways) * core->node->flush_line;
    core->memory += core->node->flush_all ? core->node->flush_all : by_line;
}

static void go_through(struct mem_core *core, const struct mem_range *range, size_t n, bool drop)
{
    if (!core->levels) return;
    if (whole_is_cheaper(core->node, range, n))
        whole(core);
    else
        for (size_t i = 0; i < n; i++) each_line(core, range[i].addr, range[i].bytes, drop);
}

double mem_publish_all(struct mem_cpu *cpu, const struct mem_range *range, size_t n, double at_s)
{
    struct mem_core *core = cpu->core;
    struct mem_node *node = core->node;
    if (node->coherent) return 0;
    struct mem_meter owed = mem_meter_begin(core, at_s);
    if (node->writes_back && n) go_through(core, range, n, false);
    if (node->wb_entries) mem_wb_drain(core);
    return mem_meter_end(core, owed);
}

double mem_refresh_all(struct mem_cpu *cpu, const struct mem_range *range, size_t n, double at_s)
{
    struct mem_core *core = cpu->core;
    if (core->node->coherent || !n) return 0;
    struct mem_meter owed = mem_meter_begin(core, at_s);
    go_through(core, range, n, true);
    return mem_meter_end(core, owed);
}

double mem_publish(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, double at_s)
{
    const struct mem_range range = {addr, bytes};
    return mem_publish_all(cpu, &range, bytes > 0, at_s);
}

double mem_refresh(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, double at_s)
{
    const struct mem_range range = {addr, bytes};
    return mem_refresh_all(cpu, &range, bytes > 0, at_s);
}
