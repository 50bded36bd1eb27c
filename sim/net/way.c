/* A way from node to node, and what a message takes on it with nobody else about. */
#include "kern/parts/parts.h"
#include "net/state.h"

#include <math.h>

static const struct kern_route *route(struct net *net, int from, int to)
{
    gint64 key = (gint64)from * net->nodes + to;
    struct kern_route *way = g_hash_table_lookup(net->way, &key);
    if (way) return way;
    way = g_new(struct kern_route, 1);
    *way = kern_route(from, to);
    g_hash_table_insert(net->way, g_memdup2(&key, sizeof key), way);
    return way;
}

double net_latency(struct net *net, int from_node, int to_node)
{
    if (from_node == to_node) return net->mach->net_local_latency;
    const struct mach *m = net->mach;
    /* a switch's route has ni.latency in it, for MPI's own messages */
    const double way_s = net_links_count(net->links) > 0 ? route(net, from_node, to_node)->latency_s
                                                         : m->net_latency;
    return m->ni_latency + way_s;
}

double net_wire_time(struct net *net, int from, int to, uint64_t bytes)
{
    double rate =
        from == to ? net->mach->net_local_bandwidth : route(net, from, to)->bandwidth_bytes_per_s;
    return (double)bytes / rate;
}

double net_fetch(const struct net *net, int from_node, int to_node, uint64_t bytes)
{
    return from_node != to_node && bytes > net->mach->net_short_bytes ? net->mach->net_fetch : 0;
}

double net_time(struct net *net, int from_node, int to_node, uint64_t bytes)
{
    return net_latency(net, from_node, to_node) + net_wire_time(net, from_node, to_node, bytes) +
           net_fetch(net, from_node, to_node, bytes);
}

void net_note_latency(struct net *net, int from, int to, double times)
{
    const struct mach *m = net->mach;
    const double way_s = net_latency(net, from, to);
    if (from == to) {
        kern_parts_note(&m->net_local_latency, times * way_s);
    } else {
        kern_parts_note(&m->ni_latency, times * m->ni_latency);
        kern_parts_note(&m->net_latency, times * (way_s - m->ni_latency));
    }
}

const double *net_rate_of(const struct net *net, int from, int to)
{
    return from == to ? &net->mach->net_local_bandwidth : &net->mach->net_bandwidth;
}

void net_note(struct net *net, int from_node, int to_node, uint64_t bytes)
{
    if (!kern_parts_on) return;
    net_note_latency(net, from_node, to_node, 1);
    kern_parts_note(net_rate_of(net, from_node, to_node),
                    net_wire_time(net, from_node, to_node, bytes));
    kern_parts_note(&net->mach->net_fetch, net_fetch(net, from_node, to_node, bytes));
}

void net_note_barrier(struct net *net, int ranks)
{
    const struct mach *m = net->mach;
    if (!kern_parts_on || ranks < 2) return;
    kern_parts_note(&m->barrier_latency, m->barrier_latency);
    if (m->barrier_latency > 0) return;
    const double rounds = ceil(log2(ranks));
    kern_parts_note(&m->send_s, rounds * m->send_s);
    kern_parts_note(&m->receive_s, rounds * m->receive_s);
    if (net->nodes > 1)
        net_note_latency(net, 0, net->nodes / 2, rounds);
    else
        kern_parts_note(&m->ni_latency, rounds * m->ni_latency);
}

double net_barrier(struct net *net, int ranks)
{
    const struct mach *m = net->mach;
    if (ranks < 2) return 0;
    if (m->barrier_latency > 0) return m->barrier_latency;
    double round_s = m->send_s + m->receive_s;
    round_s += net->nodes > 1 ? net_latency(net, 0, net->nodes / 2) : m->ni_latency;
    return ceil(log2(ranks)) * round_s;
}
