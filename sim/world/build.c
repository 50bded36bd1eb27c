/* Building one world: the machine, its nodes' memories, the ranks' processors, the network, the
 * carriers. */
#include "mem/counters/counters.h"
#include "move/move.h"
#include "sync/late/late.h"
#include "sync/machine/machine.h"
#include "world/build.h"
#include "check/check.h"
#include "net/net.h"
#include "report/source/source.h"
#include "world/access/access.h"
#include "world/block/block.h"
#include "world/object/object.h"
#include "world/hits/hits.h"
#include "world/prices/prices.h"
#include "world/progress/progress.h"
#include "world/signal/watch.h"
#include "findings/findings.h"
#include "kern/graph/graph.h"
#include "serve/serve.h"
#include "profile/profile.h"
#include "world/chain/chain.h"
#include "profile/lines/lines.h"
#include "profile/locks/locks.h"
#include "profile/moves/moves.h"
#include "profile/objects/objects.h"
#include "profile/path/path.h"
#include "trace/trace.h"

/* Nodes of the critical path that are kept: up to twice as many, of some 120 bytes. */
enum { LONGEST_PATH = 1 << 18 };

bool world_build(struct world *w, GError **error)
{
    const struct world_description *d = &w->description;
    if (!mach_load(d->machine, NULL, d->ranks, &w->mach, error)) return false;
    if (d->quantum_s >= 0) w->mach->quantum = d->quantum_s;
    w->nodes = 0;
    for (int rank = 0; rank < d->ranks; rank++)
        w->nodes = MAX(w->nodes, mach_node_of(w->mach, rank) + 1);

    g_autofree int *cpus = g_new0(int, w->nodes);
    for (int rank = 0; rank < d->ranks; rank++) cpus[mach_node_of(w->mach, rank)]++;
    w->memory = g_new0(struct mem_node *, w->nodes);
    for (int node = 0; node < w->nodes; node++) {
        w->memory[node] = mem_node_new(w->mach, cpus[node]);
        mem_set_quantum(w->memory[node], w->mach->quantum);
    }
    w->last_s = mem_last_s(w->memory[0]);
    kern_parts_on = d->critical_path || d->graph;
    w->net = net_new(w->mach, w->nodes);
    w->proc = g_new0(struct serve_proc *, d->ranks);
    w->state = g_new0(struct world_rank_state, d->ranks);
    for (int rank = 0; rank < d->ranks; rank++) {
        int node = mach_node_of(w->mach, rank);
        struct mem_cpu *cpu = mem_node_cpu(w->memory[node], --cpus[node]);
        cpu->rank = rank;
        w->proc[rank] = serve_proc_new(w->mach, rank, node, w->memory[node], cpu);
        w->state[rank].rank = (struct world_rank){.rank = rank, .proc = w->proc[rank]};
        w->state[rank].clock_s = -1;
    }
    w->move = move_new(w->mach, w->net, w->proc, d->ranks);
    sync_open(w->move);
    if (d->graph && !kern_graph_open(d->graph, error)) return false;
    if (d->check)
        check_open(d->ranks, !d->uninstrumented, d->rules && strcmp(d->rules, "mpi2") == 0);
    if (d->critical_path || d->trace) kern_cause_longest(LONGEST_PATH);
    world_checks_heap = d->check_memory;
    profile_hits_on = d->profile && d->profile_hits;
    profile_chains_on = d->profile != NULL;
    world_blocks_on = d->check;
    world_progress_on = d->progress;
    world_progress_begin();
    return true;
}

void world_tear_down(struct world *w)
{
    sync_late_clear();
    sync_open(NULL);
    move_free(w->move);
    net_free(w->net);
    for (int rank = 0; rank < w->description.ranks; rank++) {
        world_signals_free(&w->state[rank]);
        world_hits_free(w->proc[rank]->cpu);
        serve_proc_free(w->proc[rank]);
    }
    for (int node = 0; node < w->nodes; node++) mem_node_free(w->memory[node]);
    g_free(w->proc);
    g_free(w->state);
    g_free(w->memory);
    mach_free(w->mach);
    report_clear();
    check_close();
    world_blocks_clear();
    findings_clear();
    profile_clear();
    profile_path_clear();
    kern_cause_unref(w->end);
    kern_cause_clear();
    world_chains_clear();
    profile_lines_clear();
    profile_locks_clear();
    profile_moves_clear();
    profile_objects_clear();
    world_objects_clear();
    trace_clear();
    op_clear();
    world_prices_clear();
    if (w->words) g_hash_table_unref(w->words);
    if (w->assembly) g_ptr_array_unref(w->assembly);
    world_description_clear(&w->description);
    *w = (struct world){.detached = {.rank = -1}};
}
