/* The order of a block's operations: a list scheduler, which stands for the machine's compiler.
 *
 * Of the steps whose operands are there, the one at the head of the longest chain goes first;
 * cycle by cycle, with the machine's width and ports, as gcc's second scheduling pass does. Loads
 * and stores keep their order where they may meet: accesses of one size and kind, a store among
 * them (what type-based alias analysis leaves). Only what a compiler sees is moved: a block, or the
 * iterations it joined.
 *
 * Left out: units (repeat rates), register pressure. Regions longer than CHUNK are cut. */
#include "cpu/parts.h"

#include <string.h>

enum { CHUNK = 1024, KINDS = 64 };

/* One, and the room that all of a path are ordered in. */
struct region {
    const struct cpu_path *path;
    uint32_t first, steps;
    GArray *edge;        /* struct edge, sorted by from */
    uint32_t *edge_from; /* steps + 1 */
    uint32_t *waits;     /* steps before it that are not placed */
    uint32_t *load;      /* of a load: the one of its kind before it, since the last store */
    uint64_t *chain, *earliest;
    bool *placed;
};
struct edge {
    uint32_t from, to, latency;
};

static void add_edge(struct region *r, uint32_t from, uint32_t to, uint32_t latency)
{
    struct edge e = {from - r->first, to - r->first, latency};
    if (from >= r->first && from < to) g_array_append_val(r->edge, e);
}

static void add_data_edges(struct region *r, uint32_t s)
{
    const struct cpu_step *step = cpu_step_at(r->path, s);
    for (uint32_t i = 0; i < step->deps; i++) {
        const struct cpu_dep *d = cpu_dep_at(r->path, step->first_dep + i);
        if (d->step == CPU_NO_STEP || d->distance > 0) continue;
        add_edge(r, d->step, s, cpu_wait(r->path, d, cpu_step_at(r->path, s)));
    }
}

/* Steps of memory so far, of one kind: the last store, and the last load since. CPU_NO_STEP: none
 */
struct memory {
    uint32_t store, load;
};

static bool is_store(enum mach_class c) { return c == MACH_STORE || c == MACH_FP_STORE; }
static bool is_load(enum mach_class c) { return c == MACH_LOAD || c == MACH_LOAD_SIGNED; }

static void add_memory_edges(struct region *r, struct memory *memory, uint32_t s)
{
    const struct cpu_step *step = cpu_step_at(r->path, s);
    struct memory *m = &memory[cpu_op_at(r->path->object, step->op)->type % KINDS % 16];
    if (!is_store(step->class) && !is_load(step->class)) return;
    if (m->store != CPU_NO_STEP) add_edge(r, m->store, s, 0);
    if (is_load(step->class)) {
        r->load[s - r->first] = m->load;
        m->load = s;
        return;
    }
    for (uint32_t l = m->load; l != CPU_NO_STEP; l = r->load[l - r->first]) add_edge(r, l, s, 0);
    *m = (struct memory){.store = s, .load = CPU_NO_STEP};
}

static int by_from(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static void find_edges(struct region *r)
{
    struct memory memory[16];
    for (int i = 0; i < 16; i++) memory[i] = (struct memory){CPU_NO_STEP, CPU_NO_STEP};
    for (uint32_t s = r->first; s < r->first + r->steps; s++) {
        add_data_edges(r, s);
        add_memory_edges(r, memory, s);
    }
    g_array_sort(r->edge, by_from);
    for (uint32_t i = 0; i < r->edge->len; i++) {
        const struct edge *e = &g_array_index(r->edge, struct edge, i);
        r->edge_from[e->from + 1] = i + 1;
        r->waits[e->to]++;
    }
    for (uint32_t i = 1; i <= r->steps; i++)
        r->edge_from[i] = MAX(r->edge_from[i], r->edge_from[i - 1]);
}

/* Cycles of the longest chain that begins with each step. */
static void find_chains(struct region *r)
{
    for (uint32_t s = r->steps; s-- > 0;) {
        r->chain[s] = 1;
        for (uint32_t i = r->edge_from[s]; i < r->edge_from[s + 1]; i++) {
            const struct edge *e = &g_array_index(r->edge, struct edge, i);
            r->chain[s] = MAX(r->chain[s], r->chain[e->to] + e->latency);
        }
    }
}

/* The best step that fits into the cycle; r->steps: none. */
static uint32_t choose(const struct region *r, uint64_t now, struct cpu_cycle *cycle, bool last)
{
    uint32_t best = r->steps;
    for (uint32_t s = 0; s < r->steps; s++) {
        const struct cpu_step *step = cpu_step_at(r->path, r->first + s);
        if (r->placed[s] || r->waits[s] || r->earliest[s] > now || step->last != last) continue;
        if (best < r->steps && r->chain[s] <= r->chain[best]) continue;
        struct cpu_cycle trial = *cycle;
        if (cpu_cycle_add(&trial, &r->path->cpu->class[step->class].ports, r->path->cpu->issue))
            best = s;
    }
    if (best < r->steps) {
        const struct cpu_step *step = cpu_step_at(r->path, r->first + best);
        cpu_cycle_add(cycle, &r->path->cpu->class[step->class].ports, r->path->cpu->issue);
    }
    return best;
}

static void place(struct region *r, uint32_t s, uint64_t now)
{
    r->placed[s] = true;
    for (uint32_t i = r->edge_from[s]; i < r->edge_from[s + 1]; i++) {
        const struct edge *e = &g_array_index(r->edge, struct edge, i);
        r->waits[e->to]--;
        r->earliest[e->to] = MAX(r->earliest[e->to], now + e->latency);
    }
}

static void schedule(struct region *r, uint32_t *order)
{
    struct cpu_cycle cycle;
    uint32_t normal = 0, placed = 0;
    for (uint32_t s = 0; s < r->steps; s++) normal += !cpu_step_at(r->path, r->first + s)->last;
    cpu_cycle_clear(&cycle);
    for (uint64_t now = 0; placed < r->steps;) {
        uint32_t s = choose(r, now, &cycle, placed >= normal);
        if (s < r->steps) {
            place(r, s, now);
            order[placed++] = r->first + s;
            continue;
        }
        cpu_cycle_clear(&cycle);
        now++;
    }
}

static void order_region(struct region *r, uint32_t first, uint32_t steps, uint32_t *order)
{
    r->first = first;
    r->steps = steps;
    g_array_set_size(r->edge, 0);
    memset(r->edge_from, 0, (steps + 1) * sizeof *r->edge_from);
    memset(r->waits, 0, steps * sizeof *r->waits);
    memset(r->earliest, 0, steps * sizeof *r->earliest);
    memset(r->placed, 0, steps * sizeof *r->placed);
    find_edges(r);
    find_chains(r);
    schedule(r, order);
}

uint32_t *cpu_order(const struct cpu_path *path)
{
    const uint32_t steps = path->step->len, most = MIN(steps, CHUNK);
    uint32_t *order = g_new(uint32_t, steps + 1);
    struct region r = {.path = path};
    r.edge = g_array_new(FALSE, FALSE, sizeof(struct edge));
    g_autofree uint32_t *edge_from = r.edge_from = g_new(uint32_t, most + 1);
    g_autofree uint32_t *waits = r.waits = g_new(uint32_t, most + 1);
    g_autofree uint32_t *load = r.load = g_new(uint32_t, most + 1);
    g_autofree uint64_t *chain = r.chain = g_new(uint64_t, most + 1);
    g_autofree uint64_t *earliest = r.earliest = g_new(uint64_t, most + 1);
    g_autofree bool *placed = r.placed = g_new(bool, most + 1);
    for (uint32_t first = 0, end; first < steps; first = end) {
        uint32_t position = cpu_step_at(path, first)->position;
        for (end = first; end < steps && end - first < CHUNK; end++)
            if (!path->joined && cpu_step_at(path, end)->position != position) break;
        order_region(&r, first, end - first, order + first);
    }
    g_array_unref(r.edge);
    return order;
}
