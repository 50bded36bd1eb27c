/* flush: explicit operations that make image and view agree: drain, publish, refresh.
 *
 * What a synchronisation call pays on a machine without coherence. A processor does not know which
 * lines of a range are in its caches, so going line by line costs flush_line for each of them;
 * where the machine can drop a whole cache that may be cheaper, and costs it everything else that
 * was there.
 */
#include "mem/agent/agent.h"
#include "mem/agent/turn.h"

/* Is dropping a whole cache cheaper than going through all the lines? */
static bool whole_is_cheaper(const struct mem_node *node, const struct mem_range *range, size_t n)
{
    uint32_t shift = node->domain.line_shift;
    uint64_t lines = 0;
    for (size_t i = 0; i < n; i++) {
        if (range[i].bytes == MEM_EVERYTHING) return true;
        lines += ((range[i].addr + range[i].bytes - 1) >> shift) - (range[i].addr >> shift) + 1;
    }
    return node->flush_all && (int64_t)lines * node->flush_line > node->flush_all;
}

/* A line of the range that this processor holds: write back what is dirty; drop it, if asked. */
static void flush_line(struct mem_core *core, struct mem_line *e, bool drop, int64_t now)
{
    struct mem_levels *levels = &core->peer.levels;
    if (drop) {
        mem_line_drop(&core->peer, e, MEM_DROP_FLUSHED, false, now);
    } else if (mem_line_state(e) == COH_M) {
        mem_line_write_back(&core->peer, e, now);
        mem_cache_clean(levels, e);
        e->key = (e->key & ~(uint64_t)MEM_LINE_STATE) | COH_S;
        levels->last->count.flushed_lines++;
    }
}

static int by_host(const void *a, const void *b)
{
    const struct mem_line *x = *(struct mem_line *const *)a, *y = *(struct mem_line *const *)b;
    return (x->host > y->host) - (x->host < y->host);
}

/* The lines held of [from, to), by address. Free it. */
static GPtrArray *held(const struct mem_cache *c, uint64_t from, uint64_t to)
{
    GPtrArray *found = g_ptr_array_new();
    for (uint64_t i = 0; i < c->used * c->ways; i++)
        if (mem_line_held(&c->line[i]) && c->line[i].host >= from && c->line[i].host < to)
            g_ptr_array_add(found, &c->line[i]);
    if (found->len > 1) qsort(found->pdata, found->len, sizeof *found->pdata, by_host);
    return found;
}

/* Goes through the lines of the range, which take flush_line each whether it holds them or not.
 * Complete when? Of long ranges of segments it is the cache that is searched. */
static int64_t each_line(struct mem_core *core, struct mem_range range, bool drop, int64_t now)
{
    const struct mem_node *node = core->node;
    struct mem_cache *last = core->peer.levels.last;
    uint32_t shift = node->domain.line_shift;
    uint64_t from = range.addr >> shift;
    uint64_t to = ((range.addr + range.bytes - 1) >> shift) + 1;
    const struct mem_region *r =
        to - from > last->used * last->ways
            ? mem_region_find(&core->node->values, range.addr, range.addr + 1)
            : NULL;
    if (r && range.addr + range.bytes <= r->end) {
        g_autoptr(GPtrArray) lines = held(last, from, to);
        for (guint i = 0; i < lines->len; i++) {
            struct mem_line *e = lines->pdata[i];
            flush_line(core, e, drop, now + (int64_t)(e->host - from + 1) * node->flush_line);
        }
        return now + (int64_t)(to - from) * node->flush_line;
    }
    for (uint64_t line = from; line < to; line++) {
        uintptr_t addr = (uintptr_t)(line << shift);
        uint64_t where = mem_page_where(&core->peer.pages, addr);
        struct mem_line *e = mem_cache_find(last, mem_model(where, addr));
        now += node->flush_line;
        if (e) flush_line(core, e, drop, now);
    }
    return now;
}

static int64_t whole(struct mem_core *core, int64_t now)
{
    const struct mem_cache *last = core->peer.levels.last;
    uint64_t lines = (last->set_mask + 1) * last->ways;
    for (uint64_t i = 0; i < last->used * last->ways; i++)
        if (mem_line_held(&last->line[i]))
            mem_line_drop(&core->peer, &last->line[i], MEM_DROP_FLUSHED, false, now);
    /* Without an instruction for it, by line, each of the cache's. */
    int64_t by_line = (int64_t)lines * core->node->flush_line;
    return now + (core->node->flush_all ? core->node->flush_all : by_line);
}

static int64_t go_through(struct mem_core *core, const struct mem_range *range, size_t n, bool drop,
                          int64_t now)
{
    if (!core->peer.levels.last) return now;
    if (whole_is_cheaper(core->node, range, n)) return whole(core, now);
    for (size_t i = 0; i < n; i++) now = each_line(core, range[i], drop, now);
    return now;
}

/* The processor waits for it: a turn in which nothing else is owed. */
static double waited(struct mem_core *core, struct mem_ledger before, int64_t done)
{
    struct mem_ledger *l = &core->cpu->ledger;
    mem_charge(l, 0, done - mem_now(l));
    return mem_charge_s(mem_turn_end(core, before));
}

double mem_drain(struct mem_cpu *cpu, double at_s)
{
    struct mem_core *core = cpu->core;
    if (!core->buffer.entries) return 0;
    struct mem_ledger before = mem_turn_begin(core, at_s);
    return waited(core, before, mem_buffer_drain(&core->buffer, mem_date(cpu)));
}

double mem_publish_all(struct mem_cpu *cpu, const struct mem_range *range, size_t n, double at_s)
{
    struct mem_core *core = cpu->core;
    const struct mem_node *node = core->node;
    if (node->domain.coherent) return 0;
    struct mem_ledger before = mem_turn_begin(core, at_s);
    int64_t done = mem_date(cpu);
    if (node->values.writes_back && n) done = go_through(core, range, n, false, done);
    if (core->buffer.entries) done = mem_buffer_drain(&core->buffer, done);
    return waited(core, before, done);
}

double mem_refresh_all(struct mem_cpu *cpu, const struct mem_range *range, size_t n, double at_s)
{
    struct mem_core *core = cpu->core;
    if (core->node->domain.coherent || !n) return 0;
    struct mem_ledger before = mem_turn_begin(core, at_s);
    return waited(core, before, go_through(core, range, n, true, mem_date(cpu)));
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
