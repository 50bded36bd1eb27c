#include "move/move.h"
#include "engine.h"

#include "unit.h"

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
        int most = mach_node_ranks(e->mach), cpus = MIN(most, ranks - node * most);
        e->node[node] = mem_node_new(e->mach, cpus);
        mem_set_quantum(e->node[node], e->mach->quantum);
        for (int i = 0; i < cpus; i++) {
            int rank = node * most + i;
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

/* No resource gave more than it has. */
static void audit(const struct engine *e)
{
    struct base_use use;
    const int of_net = net_uses(e->net), all = of_net + move_uses(e->move);
    for (int i = 0; i < all; i++) {
        if (i < of_net ? !net_use(e->net, i, &use) : !move_use(e->move, i - of_net, &use)) continue;
        g_autofree char *breach = base_use_breach(&use, kern_now());
        UNIT_STRING(breach ? breach : "nothing", "nothing");
    }
}

int engine_run(struct engine *e, void (*body)(int rank, void *data), void *data)
{
    struct entry entry = {e, body, data};
    const int waiting = kern_fake_run(e->ranks, enter, &entry);
    audit(e);
    return waiting;
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
