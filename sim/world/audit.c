/* The audit of a run: what its resources cannot have done. Each has counted what it carried and for
 * how long it was busy; none may have carried more than its capacity, nor been busy for longer than
 * the run; and what operations moved is on all links and interfaces that it crossed (move counts
 * the operations, net the messages). Audited: links each way, interfaces each way, memory of
 * messages within a node, block engines, atomic units, locks of accumulates, buses, processors.
 * Left out: MPI's own messages, which are SMPI's, as the report says; DRAM, which the bus stands
 * before; the pool of cxl-pool. */
#include "mem/counters/counters.h"
#include "move/move.h"
#include "net/net.h"
#include "world/build.h"

static char *audit_net(const struct world *w, double time_s)
{
    struct base_use use;
    char *breach = NULL;
    const int uses = net_uses(w->net);
    for (int i = 0; !breach && i < uses; i++)
        if (net_use(w->net, i, &use)) breach = base_use_breach(&use, time_s);
    return breach;
}

static char *audit_move(const struct world *w, double time_s)
{
    struct base_use use;
    char *breach = NULL;
    const int uses = move_uses(w->move);
    for (int i = 0; !breach && i < uses; i++)
        if (move_use(w->move, i, &use)) breach = base_use_breach(&use, time_s);
    return breach;
}

static char *audit_bus(const struct world *w, int node, double time_s)
{
    const struct mem_resource_count count = mem_bus_count(w->memory[node]);
    struct base_use use = {.bytes = count.bytes, .busy_s = count.busy_s};
    g_snprintf(use.name, sizeof use.name, "bus of node %d", node);
    return base_use_breach(&use, time_s);
}

static char *audit_processor(const struct world *w, int rank, double time_s)
{
    const struct serve_proc *proc = w->proc[rank];
    struct base_use use = {.busy_s = proc->compute_s + proc->memory_s + proc->service_s};
    g_snprintf(use.name, sizeof use.name, "processor of rank %d", rank);
    return base_use_breach(&use, time_s);
}

char *world_audit(const struct world *w, double time_s)
{
    char *breach = audit_net(w, time_s);
    if (!breach) breach = audit_move(w, time_s);
    for (int node = 0; !breach && node < w->nodes; node++) breach = audit_bus(w, node, time_s);
    for (int rank = 0; !breach && rank < w->description.ranks; rank++)
        breach = audit_processor(w, rank, time_s);
    return breach;
}
