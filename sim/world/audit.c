/* The audit of a run: what its resources cannot have done. Each has counted what it carried and for
 * how long it was busy; none may have carried more than its capacity, nor been busy for longer than
 * the run; and what operations moved is on all links and interfaces that it crossed (move counts
 * the operations, net the messages). Audited: links each way, interfaces each way, memory of
 * messages within a node, block engines, atomic units, locks of accumulates, buses, each node's
 * line of a cache that writers took most from each other, memories that no bus stands before, links
 * to a pool, processors. Left out: MPI's own messages, which are SMPI's, as the report says; what
 * several hosts take from one pool at once, which has a link each.
 */
#include "mem/counters/counters.h"
#include "move/move.h"
#include "net/net.h"
#include "profile/moves/moves.h"
#include "world/build.h"

static void use_of_bus(const struct world *w, int node, GArray *uses)
{
    const struct mem_resource_count count = mem_bus_count(w->memory[node]);
    struct base_use use = {
        .messages = count.requests, .bytes = count.bytes, .busy_s = count.busy_s};
    g_snprintf(use.name, sizeof use.name, "bus of node %d", node);
    if (count.requests > 0) g_array_append_val(uses, use);
}

static void use_of_line(const struct world *w, int node, GArray *uses)
{
    uint64_t line;
    struct mem_resource_count count;
    if (!mem_line_count(w->memory[node], &line, &count)) return;
    const struct profile_moved *moved = profile_moved_row(w->memory[node], line);
    const struct op_segment *segment = moved ? op_segment(moved->segment) : NULL;
    struct base_use use = {
        .messages = count.requests, .bytes = count.bytes, .busy_s = count.busy_s};
    if (segment)
        g_snprintf(use.name, sizeof use.name, "line of rank %d's %.24s, byte %" G_GINT64_FORMAT,
                   segment->rank, segment->name, moved->offset);
    else
        g_snprintf(use.name, sizeof use.name, "line of node %d", node);
    g_array_append_val(uses, use);
}

static void uses_of_memory(const struct world *w, int node, GArray *uses)
{
    struct base_use use;
    if (mem_memory_use(w->memory[node], &use)) {
        g_snprintf(use.name, sizeof use.name, "memory of node %d", node);
        g_array_append_val(uses, use);
    }
    if (mem_pool_use(w->memory[node], &use)) {
        g_snprintf(use.name, sizeof use.name, "link of node %d to the pool", node);
        g_array_append_val(uses, use);
    }
}

static void use_of_processor(const struct world *w, int rank, GArray *uses)
{
    const struct serve_proc *proc = w->proc[rank];
    struct base_use use = {.busy_s =
                               proc->spent.compute_s + proc->spent.memory_s + proc->spent.service_s,
                           .waits = true};
    g_snprintf(use.name, sizeof use.name, "processor of rank %d", rank);
    g_array_append_val(uses, use);
}

GArray *world_uses(const struct world *w)
{
    GArray *uses = g_array_new(FALSE, FALSE, sizeof(struct base_use));
    struct base_use use;
    const int of_net = net_uses(w->net), of_move = move_uses(w->move);
    for (int i = 0; i < of_net; i++)
        if (net_use(w->net, i, &use)) g_array_append_val(uses, use);
    for (int i = 0; i < of_move; i++)
        if (move_use(w->move, i, &use)) g_array_append_val(uses, use);
    for (int node = 0; node < w->nodes; node++) {
        use_of_bus(w, node, uses);
        use_of_line(w, node, uses);
        uses_of_memory(w, node, uses);
    }
    for (int rank = 0; rank < w->description.ranks; rank++) use_of_processor(w, rank, uses);
    return uses;
}

char *world_audit(const GArray *uses, double time_s)
{
    char *breach = NULL;
    for (guint i = 0; !breach && i < uses->len; i++)
        breach = base_use_breach(&g_array_index(uses, struct base_use, i), time_s);
    return breach;
}
