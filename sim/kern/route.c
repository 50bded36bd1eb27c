/* Routes through the platform's network. */
#include <simgrid/host.h>

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
