#include "move/move.h"
#include "engine.h"

#include <CUnit/CUnit.h>

void engine_open(struct engine *e, const char *machine, const char *const *sets, int ranks)
{
    *e = (struct engine){.ranks = ranks};
    g_autoptr(GError) error = NULL;
    if (!mach_load(machine, sets, ranks, &e->mach, &error)) g_error("%s", error->message);
    e->nodes = mach_nodes_for(e->mach, ranks);
    kern_fake_route(e->mach->net_latency, e->mach->net_bandwidth);
    e->net = net_new(e->mach, e->nodes);
    for (int node = 0; node < e->nodes; node++) {
        int cpus = MIN(e->mach->cpus, ranks - node * e->mach->cpus);
        e->node[node] = mem_node_new(e->mach, cpus);
        mem_set_quantum(e->node[node], e->mach->quantum);
        for (int i = 0; i < cpus; i++) {
            int rank = node * e->mach->cpus + i;
            struct mem_cpu *cpu = mem_node_cpu(e->node[node], i);
            cpu->rank = rank;
            e->proc[rank] = serve_proc_new(e->mach, rank, node, e->node[node], cpu);
        }
    }
    e->move = move_new(e->mach, e->net, e->proc, ranks);
    sync_open(e->move);
}

struct entry {
    struct engine *engine;
    void (*body)(int rank, void *data);
    void *data;
};

static void enter(int rank, void *data)
{
    struct entry *entry = data;
    struct serve_proc *me = entry->engine->proc[rank];
    entry->body(rank, entry->data);
    serve_pay(me);
    serve_enter(me, true); /* as MPI_Finalize: whoever is done services what comes */
    me->end_s = kern_now();
}

int engine_run(struct engine *e, void (*body)(int rank, void *data), void *data)
{
    struct entry entry = {e, body, data};
    return kern_fake_run(e->ranks, enter, &entry);
}

void engine_close(struct engine *e)
{
    sync_open(NULL);
    move_free(e->move);
    net_free(e->net);
    for (int rank = 0; rank < e->ranks; rank++) serve_proc_free(e->proc[rank]);
    for (int node = 0; node < e->nodes; node++) mem_node_free(e->node[node]);
    mach_free(e->mach);
    record_clear();
}
