/* Messages through the nodes' network interfaces. */
#include "kern/parts/parts.h"
#include "net/dates.h"
#include "net/link.h"
#include "trace/trace.h"

#include <math.h>

struct message {
    struct net *net;
    int from, to;
    uint64_t bytes, left; /* of all, and not on the way yet */
    double begin_s;       /* when the next piece leaves */
    kern_handler handle;
    void *data;
    double gap_s;       /* holds the interfaces at least so long */
    kern_date sets_out; /* in the graph: the next piece */
};

struct interface {
    double send_free_s, receive_free_s; /* busy until */
    const double *holds; /* the number of the machine that says how long the last one holds it */
    int leaving;         /* messages whose next piece leaves later than a quantum from now */
    /* messages ready later than a quantum from now, and when the last of them is */
    int later;
    double later_s;
    double local_free_s, local_s; /* the last message that stayed in the node: is copied, arrived */
    kern_date sent_date, received_date, local_date; /* the same in the graph: free again */
    struct net_count sent, received, local;
    uint64_t sent_owed, received_owed, local_owed; /* bytes of them that operations moved */
    int going_to; /* those that went last, to one node, are not among them yet */
    uint64_t going;
};

/* From one node to another. */
struct way {
    struct kern_route route;
    double later_s; /* when the last message is ready that is not ready yet */
};

struct net {
    const struct mach *mach;
    int nodes;
    struct interface *interface;
    struct net_links *links;
    GHashTable *way; /* from * nodes + to -> struct way */
};

struct net *net_new(const struct mach *m, int nodes)
{
    struct net *net = g_new0(struct net, 1);
    net->mach = m;
    net->nodes = nodes;
    net->interface = g_new0(struct interface, nodes);
    net->links = net_links_new(m, nodes);
    net->way = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    return net;
}

void net_free(struct net *net)
{
    if (!net) return;
    g_hash_table_unref(net->way);
    g_free(net->interface);
    net_links_free(net->links);
    g_free(net);
}

static struct way *way(struct net *net, int from, int to)
{
    gint64 key = (gint64)from * net->nodes + to;
    struct way *w = g_hash_table_lookup(net->way, &key);
    if (w) return w;
    w = g_new(struct way, 1);
    *w = (struct way){.route = kern_route(from, to)};
    g_hash_table_insert(net->way, g_memdup2(&key, sizeof key), w);
    return w;
}

static const struct kern_route *route(struct net *net, int from, int to)
{
    return &way(net, from, to)->route;
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

/* Seconds the bytes themselves take. */
static double wire_time(struct net *net, int from, int to, uint64_t bytes)
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
    return net_latency(net, from_node, to_node) + wire_time(net, from_node, to_node, bytes) +
           net_fetch(net, from_node, to_node, bytes);
}

static void note_latency(struct net *net, int from, int to, double times)
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

static const double *rate_of(const struct net *net, int from, int to)
{
    return from == to ? &net->mach->net_local_bandwidth : &net->mach->net_bandwidth;
}

void net_note(struct net *net, int from_node, int to_node, uint64_t bytes)
{
    if (!kern_parts_on) return;
    note_latency(net, from_node, to_node, 1);
    kern_parts_note(rate_of(net, from_node, to_node), wire_time(net, from_node, to_node, bytes));
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
        note_latency(net, 0, net->nodes / 2, rounds);
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

struct net_count net_count(const struct net *net, int node) { return net->interface[node].sent; }

static void count(struct net_count *count, uint64_t bytes, double busy_s, bool last)
{
    count->messages += last;
    count->bytes += bytes;
    count->busy_s += busy_s;
}

/* ---- between nodes --------------------------------------------------------------------------- */

static uint64_t piece_of(const struct message *msg)
{
    double most = fmax(1, msg->net->mach->net_flow_bytes);
    return (double)msg->left > most ? (uint64_t)most : msg->left;
}

/* The interfaces are held for the bytes, and by a whole message at least for its gap. */
static double held(const struct message *msg, uint64_t bytes)
{
    double wire_s = wire_time(msg->net, msg->from, msg->to, bytes);
    return bytes < msg->bytes ? wire_s : fmax(wire_s, msg->gap_s);
}

/* What makes the interfaces be held so long. */
static const double *held_by(const struct message *msg)
{
    const double wire_s = wire_time(msg->net, msg->from, msg->to, msg->bytes);
    return msg->gap_s > wire_s ? &msg->net->mach->net_gap : rate_of(msg->net, msg->from, msg->to);
}

/* Of what a piece's time until it is there is made; of one that others of its message follow, until
 * the next sets out. */
static void note_piece(const struct message *msg, double wire_s, double arrival_s)
{
    if (!kern_parts_on) return;
    const double *rate = rate_of(msg->net, msg->from, msg->to);
    const double way_s = net_latency(msg->net, msg->from, msg->to);
    kern_parts_note(rate, wire_s);
    if (piece_of(msg) < msg->left) return;
    note_latency(msg->net, msg->from, msg->to, 1);
    kern_parts_note(held_by(msg), arrival_s - msg->begin_s - way_s - wire_s);
}

/* The next piece sets out; returns when the last byte of it is there: after the wire, or right
 * behind the piece before it, another message's perhaps. */
static double piece_leaves(struct message *msg, kern_date *there)
{
    struct net *net = msg->net;
    struct interface *in = &net->interface[msg->to];
    const uint64_t bytes = piece_of(msg);
    const double hold_s = held(msg, bytes), wire_s = wire_time(net, msg->from, msg->to, bytes),
                 way_s = net_latency(net, msg->from, msg->to) +
                         net_links_cross(net->links, msg->from, msg->to, bytes, msg->begin_s);
    const double arrival_s = fmax(msg->begin_s + way_s + wire_s, in->receive_free_s + hold_s);
    note_piece(msg, wire_s, arrival_s);
    if (kern_graph_on)
        *there = net_date_arrives(&msg->sets_out, &in->received_date, net->mach, way_s,
                                  (struct net_hold){wire_s, rate_of(net, msg->from, msg->to)},
                                  (struct net_hold){hold_s, held_by(msg)});
    in->receive_free_s = arrival_s;
    count(&in->received, bytes, hold_s, msg->left == bytes);
    if (trace_on) {
        trace_track_interface(msg->from, TRACE_SEND, msg->begin_s, msg->begin_s + hold_s);
        trace_track_interface(msg->to, TRACE_RECEIVE, fmax(0, arrival_s - hold_s), arrival_s);
    }
    msg->left -= bytes;
    msg->begin_s += hold_s;
    return arrival_s;
}

static void leaves(void *data, double time_s);

/* Each piece at its date, or a quantum before at most, so that what others sent before is ahead
 * of it; those of one interface in the order of their dates. */
static void leave(struct message *msg, bool due)
{
    struct interface *out = &msg->net->interface[msg->from];
    double arrival_s = 0;
    kern_date there = 0;
    do {
        if (!due && (out->leaving > 0 || msg->begin_s > kern_now() + msg->net->mach->quantum)) {
            out->leaving++;
            kern_cause_next(msg->sets_out);
            kern_at(fmax(msg->begin_s, kern_now()), KERN_NETWORK, -1, leaves, msg);
            return;
        }
        arrival_s = piece_leaves(msg, &there);
        due = false;
    } while (msg->left > 0);
    kern_cause_next(there);
    kern_at(arrival_s, KERN_NETWORK, -1, msg->handle, msg->data);
    g_free(msg);
}

static void leaves(void *data, double time_s)
{
    (void)time_s;
    struct message *msg = data;
    msg->net->interface[msg->from].leaving--;
    leave(msg, true);
}

/* Its interface sends it behind what it sends already. Returns when it is done with it. */
static double book(struct message *msg)
{
    struct interface *out = &msg->net->interface[msg->from];
    const double start_s = fmax(msg->begin_s, out->send_free_s), hold_s = held(msg, msg->bytes);
    if (kern_graph_on)
        msg->sets_out =
            net_date_leaves(&out->sent_date, msg->begin_s, (struct net_hold){hold_s, held_by(msg)});
    if (out->holds) kern_parts_note(out->holds, start_s - msg->begin_s);
    if (kern_parts_on) out->holds = held_by(msg);
    out->send_free_s = start_s + hold_s;
    count(&out->sent, msg->bytes, hold_s, true);
    msg->begin_s = start_s;
    const double sent_s = start_s + wire_time(msg->net, msg->from, msg->to, msg->bytes);
    leave(msg, false);
    return sent_s;
}

static void is_ready(void *data, double time_s)
{
    struct message *msg = data;
    msg->net->interface[msg->from].later--;
    msg->begin_s = time_s;
    book(msg);
}

/* Within a node it goes through memory and holds no interface. One is copied behind the other,
 * whoever copies, and does not overtake it. */
static double send_within(struct net *net, int node, uint64_t bytes, double ready_s,
                          kern_handler handle, void *data)
{
    struct interface *here = &net->interface[node];
    double start_s = fmax(ready_s, here->local_free_s);
    const double copy_s = wire_time(net, node, node, bytes);
    kern_date copied = 0;
    here->local_free_s = start_s + copy_s;
    count(&here->local, bytes, copy_s, true);
    /* rounding must not let a short one overtake */
    here->local_s = fmax(here->local_s, start_s + net_time(net, node, node, bytes));
    if (kern_graph_on) copied = net_date_copied(&here->local_date, net->mach, ready_s, copy_s);
    net_note(net, node, node, bytes);
    kern_parts_note(&net->mach->net_local_bandwidth, start_s - ready_s);
    kern_cause_next(copied);
    kern_at(here->local_s, KERN_NETWORK, -1, handle, data);
    return here->local_free_s;
}

static double send(struct net *net, int from_node, int to_node, uint64_t bytes, double gap_s,
                   double ready_s, kern_handler handle, void *data)
{
    struct interface *out = &net->interface[from_node];
    if (from_node == to_node) return send_within(net, from_node, bytes, ready_s, handle, data);
    /* none overtakes another of its way, though that may be ready later */
    struct way *w = way(net, from_node, to_node);
    ready_s = fmax(ready_s + net_fetch(net, from_node, to_node, bytes), w->later_s);
    kern_parts_note(&net->mach->net_fetch, net_fetch(net, from_node, to_node, bytes));
    struct message *msg = g_new(struct message, 1);
    *msg = (struct message){net, from_node, to_node, bytes, bytes, ready_s, handle, data, gap_s, 0};
    const bool behind = out->later > 0 && ready_s >= out->later_s;
    if (!behind && ready_s <= kern_now() + net->mach->quantum) return book(msg);
    out->later++;
    out->later_s = fmax(ready_s, out->later_s);
    w->later_s = ready_s;
    kern_at(ready_s, KERN_NETWORK, -1, is_ready, msg);
    return fmax(ready_s, out->send_free_s) + wire_time(net, from_node, to_node, bytes);
}

double net_send(struct net *net, int from_node, int to_node, uint64_t bytes, double ready_s,
                kern_handler handle, void *data)
{
    return send(net, from_node, to_node, bytes, net->mach->net_gap, ready_s, handle, data);
}

void net_acknowledge(struct net *net, int from_node, int to_node, uint64_t bytes, double ready_s,
                     kern_handler handle, void *data)
{
    send(net, from_node, to_node, bytes, 0, ready_s, handle, data);
}

/* ---- what was used --------------------------------------------------------------------------- */

/* What operations moved from that node to the one they went to last is noted on its way. */
static void settle(struct net *net, int from)
{
    struct interface *at = &net->interface[from];
    const int to = at->going_to;
    if (from == to) {
        at->local_owed += at->going;
    } else if (at->going > 0) {
        at->sent_owed += at->going;
        net->interface[to].received_owed += at->going;
        net_links_owe(net->links, from, to, at->going);
    }
    at->going = 0;
}

void net_owe(struct net *net, int from_node, int to_node, uint64_t bytes)
{
    struct interface *at = &net->interface[from_node];
    if (at->going_to != to_node) {
        settle(net, from_node);
        at->going_to = to_node;
    }
    at->going += bytes;
}

int net_uses(struct net *net)
{
    for (int node = 0; node < net->nodes; node++) settle(net, node);
    return 3 * net->nodes + net_links_count(net->links);
}

bool net_use(const struct net *net, int i, struct base_use *use)
{
    if (i >= 3 * net->nodes) return net_links_use(net->links, i - 3 * net->nodes, use);
    static const char *const what[] = {"interface of", "interface of", "messages within"},
                             *const way[] = {", sending", ", receiving", ""};
    const int node = i / 3;
    const struct mach *m = net->mach;
    const struct interface *at = &net->interface[node];
    const struct net_count *const count[] = {&at->sent, &at->received, &at->local},
                                  *c = count[i % 3];
    const uint64_t owed[] = {at->sent_owed, at->received_owed, at->local_owed};
    const double bytes_per_s[] = {m->net_bandwidth, m->net_bandwidth, m->net_local_bandwidth};
    if (c->messages == 0 && owed[i % 3] == 0) return false;
    *use = (struct base_use){.messages = c->messages,
                             .bytes = c->bytes,
                             .owed = owed[i % 3],
                             .bytes_per_s = bytes_per_s[i % 3],
                             .busy_s = c->busy_s};
    g_snprintf(use->name, sizeof use->name, "%s node %d%s", what[i % 3], node, way[i % 3]);
    return true;
}
