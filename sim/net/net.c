/* Messages through the nodes' network interfaces. */
#include "net/net.h"
#include "trace/trace.h"

#include <math.h>

struct message {
    struct net *net;
    int from, to;
    uint64_t bytes;
    kern_handler handle;
    void *data;
    double begun_s; /* of a flow */
    struct message *next;
};

struct interface {
    double send_free_s, receive_free_s; /* busy until */
    /* the last message that stayed within the node: is copied, arrived */
    double local_free_s, local_s;
    struct message *first, *last; /* behind the flow in progress, in order */
    bool flowing;
    struct net_count count;
};

struct net {
    const struct mach *mach;
    int nodes;
    struct interface *interface;
    GHashTable *route; /* from * nodes + to -> struct kern_route */
};

struct net *net_new(const struct mach *m, int nodes)
{
    struct net *net = g_new0(struct net, 1);
    net->mach = m;
    net->nodes = nodes;
    net->interface = g_new0(struct interface, nodes);
    net->route = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    return net;
}

void net_free(struct net *net)
{
    if (!net) return;
    g_hash_table_unref(net->route);
    g_free(net->interface);
    g_free(net);
}

static const struct kern_route *route(struct net *net, int from, int to)
{
    gint64 key = (gint64)from * net->nodes + to;
    struct kern_route *r = g_hash_table_lookup(net->route, &key);
    if (r) return r;
    r = g_new(struct kern_route, 1);
    *r = kern_route(from, to);
    g_hash_table_insert(net->route, g_memdup2(&key, sizeof key), r);
    return r;
}

double net_latency(struct net *net, int from_node, int to_node)
{
    if (from_node == to_node) return net->mach->net_local_latency;
    return net->mach->ni_latency + route(net, from_node, to_node)->latency_s;
}

/* Seconds the bytes themselves take. */
static double wire_time(struct net *net, int from, int to, uint64_t bytes)
{
    double rate =
        from == to ? net->mach->net_local_bandwidth : route(net, from, to)->bandwidth_bytes_per_s;
    return (double)bytes / rate;
}

double net_time(struct net *net, int from_node, int to_node, uint64_t bytes)
{
    return net_latency(net, from_node, to_node) + wire_time(net, from_node, to_node, bytes);
}

double net_barrier(struct net *net, int ranks)
{
    const struct mach *m = net->mach;
    if (ranks < 2) return 0;
    if (m->barrier_latency > 0) return m->barrier_latency;
    double round_s = m->net_overhead_send + m->net_overhead_receive + m->ni_latency;
    round_s += net->nodes > 1 ? route(net, 0, net->nodes / 2)->latency_s : 0;
    return ceil(log2(ranks)) * round_s;
}

struct net_count net_count(const struct net *net, int node) { return net->interface[node].count; }

/* ---- small messages: the closed form --------------------------------------------------------- */

static double send_now(struct net *net, int from, int to, uint64_t bytes, double ready_s,
                       kern_handler handle, void *data)
{
    struct interface *out = &net->interface[from], *in = &net->interface[to];
    double wire_s = wire_time(net, from, to, bytes);
    double hold_s = fmax(wire_s, net->mach->net_gap);
    double start_s = fmax(ready_s, out->send_free_s);
    out->send_free_s = start_s + hold_s;
    out->count.busy_s += hold_s;
    /* The last byte is in after the wire, or right behind the message before it. */
    double arrival_s =
        fmax(start_s + net_latency(net, from, to) + wire_s, in->receive_free_s + hold_s);
    in->receive_free_s = arrival_s;
    if (trace_on) {
        trace_track_interface(from, TRACE_SEND, start_s, start_s + hold_s);
        trace_track_interface(to, TRACE_RECEIVE, fmax(0, arrival_s - hold_s), arrival_s);
    }
    kern_at(arrival_s, handle, data);
    return start_s + wire_s;
}

/* Within a node it goes through memory and holds no interface. One is copied behind the other,
 * whoever copies, and does not overtake it. */
static double send_within(struct net *net, int node, uint64_t bytes, double ready_s,
                          kern_handler handle, void *data)
{
    struct interface *here = &net->interface[node];
    double start_s = fmax(ready_s, here->local_free_s);
    here->local_free_s = start_s + wire_time(net, node, node, bytes);
    /* rounding must not let a short one overtake */
    here->local_s = fmax(here->local_s, start_s + net_time(net, node, node, bytes));
    kern_at(here->local_s, handle, data);
    return here->local_free_s;
}

/* ---- large messages: flows, one at a time for each interface --------------------------------- */

static void start_flow(struct net *net, struct message *msg);

static void flow_done(void *data, double time_s)
{
    struct message *msg = data;
    struct net *net = msg->net;
    struct interface *out = &net->interface[msg->from];
    out->flowing = false;
    out->count.busy_s += time_s - msg->begun_s;
    out->send_free_s = fmax(out->send_free_s, time_s);
    kern_at(time_s + net->mach->ni_latency, msg->handle, msg->data);
    if (trace_on) {
        /* the first byte is there */
        double first_s = msg->begun_s + net_latency(net, msg->from, msg->to);
        trace_track_interface(msg->from, TRACE_SEND, msg->begun_s, time_s);
        trace_track_interface(msg->to, TRACE_RECEIVE, first_s, time_s + net->mach->ni_latency);
    }
    g_free(msg);
    while (out->first && !out->flowing) {
        struct message *next = out->first;
        out->first = next->next;
        if (!out->first) out->last = NULL;
        if ((double)next->bytes >= net->mach->net_flow_bytes)
            start_flow(net, next);
        else {
            send_now(net, next->from, next->to, next->bytes, time_s, next->handle, next->data);
            g_free(next);
        }
    }
}

static void begin_flow(void *data, double time_s)
{
    struct message *msg = data;
    msg->begun_s = time_s;
    kern_flow(msg->from, msg->to, msg->bytes, flow_done, msg);
}

static void start_flow(struct net *net, struct message *msg)
{
    struct interface *out = &net->interface[msg->from];
    out->flowing = true;
    kern_at(fmax(kern_now(), out->send_free_s), begin_flow, msg);
}

double net_send(struct net *net, int from_node, int to_node, uint64_t bytes, double ready_s,
                kern_handler handle, void *data)
{
    struct interface *out = &net->interface[from_node];
    if (from_node == to_node) return send_within(net, from_node, bytes, ready_s, handle, data);
    out->count.messages++;
    out->count.bytes += bytes;
    bool flow = (double)bytes >= net->mach->net_flow_bytes;
    if (!flow && !out->flowing)
        return send_now(net, from_node, to_node, bytes, ready_s, handle, data);

    struct message *msg = g_new(struct message, 1);
    *msg = (struct message){net, from_node, to_node, bytes, handle, data, 0, NULL};
    out->send_free_s = fmax(out->send_free_s, ready_s);
    if (!out->flowing)
        start_flow(net, msg);
    else if (out->last)
        out->last = out->last->next = msg;
    else
        out->first = out->last = msg;
    return ready_s;
}
