/* Routes and flows through the platform's network.
 *
 * A flow is sg_host_sendto, which blocks; so each runs in a worker actor, and workers are kept for
 * the next flow. */
#include <simgrid/actor.h>
#include <simgrid/host.h>

#include "kern/helper_host.h"
#include "kern/kern.h"

static sg_host_t node_host(int node)
{
    char name[32];
    g_snprintf(name, sizeof name, "node-%d", node);
    return sg_host_by_name(name);
}

struct kern_route kern_route(int from_node, int to_node)
{
    sg_host_t from = node_host(from_node), to = node_host(to_node);
    return (struct kern_route){sg_host_get_route_latency(from, to),
                               sg_host_get_route_bandwidth(from, to)};
}

struct worker {
    struct kern_gate *gate;
    int from, to;
    uint64_t bytes;
    kern_handler handle;
    void *data;
    bool busy;
    struct worker *next; /* among the idle */
};
static struct worker *idle;

static void worker_main(int argc, char **argv)
{
    (void)argc;
    sg_actor_daemonize(sg_actor_self());
    /* actors take only text */
    struct worker *w = (struct worker *)(uintptr_t)g_ascii_strtoull(argv[1], NULL, 16);
    for (;;) {
        sg_host_sendto(node_host(w->from), node_host(w->to), (double)w->bytes);
        w->busy = false;
        w->next = idle;
        idle = w;
        w->handle(w->data, kern_now());
        while (!w->busy) kern_gate_wait(w->gate);
    }
}

static void start_handler(void *data, double time_s)
{
    (void)time_s;
    struct worker *w = data;
    char text[32];
    g_snprintf(text, sizeof text, "%" G_GINT64_MODIFIER "x", (guint64)(uintptr_t)w);
    const char *const argv[] = {"sidewinder", text};
    sg_actor_create_("flow", sg_host_by_name(KERN_HELPER_HOST), worker_main, 2, argv);
}

void kern_flow(int from_node, int to_node, uint64_t bytes, kern_handler handle, void *data)
{
    struct worker *w = idle;
    if (w) idle = w->next;
    bool fresh = !w;
    if (fresh) {
        w = g_new0(struct worker, 1);
        w->gate = kern_gate_new();
    }
    w->from = from_node;
    w->to = to_node;
    w->bytes = bytes;
    w->handle = handle;
    w->data = data;
    w->busy = true;
    if (fresh)
        kern_at(kern_now(), start_handler, w);
    else
        kern_gate_open(w->gate);
}
