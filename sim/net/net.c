/* Messages through the nodes' network interfaces. */
#include "kern/parts/parts.h"
#include "net/dates.h"
#include "net/state.h"
#include "trace/trace.h"

#include <math.h>

struct message {
    struct net *net;
    int from, to, sender, of;
    uint64_t bytes, left; /* of all, and not on the way yet */
    double begin_s;       /* when the next piece leaves */
    kern_handler handle;
    void *data;
    double gap_s;       /* holds the interfaces at least so long */
    kern_date sets_out; /* in the graph: the next piece */
    double *sent_s;
};

struct net *net_new(const struct mach *m, int nodes)
{
    struct net *net = g_new0(struct net, 1);
    net->mach = m;
    net->nodes = nodes;
    net->interface = g_new0(struct interface, nodes);
    net->links = net_links_new(m, nodes);
    net->way = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    net->yet = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    return net;
}

void net_free(struct net *net)
{
    if (!net) return;
    g_hash_table_unref(net->way);
    g_hash_table_unref(net->yet);
    g_free(net->interface);
    net_links_free(net->links);
    g_free(net);
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
    double wire_s = net_wire_time(msg->net, msg->from, msg->to, bytes);
    return bytes < msg->bytes ? wire_s : fmax(wire_s, msg->gap_s);
}

/* What makes the interfaces be held so long. */
static const double *held_by(const struct message *msg)
{
    const double wire_s = net_wire_time(msg->net, msg->from, msg->to, msg->bytes);
    return msg->gap_s > wire_s ? &msg->net->mach->net_gap
                               : net_rate_of(msg->net, msg->from, msg->to);
}

/* Of what a piece's time until it is there is made; of one that others of its message follow, until
 * the next sets out. */
static void note_piece(const struct message *msg, double wire_s, double arrival_s)
{
    if (!kern_parts_on) return;
    const double *rate = net_rate_of(msg->net, msg->from, msg->to);
    const double way_s = net_latency(msg->net, msg->from, msg->to);
    kern_parts_note(rate, wire_s);
    if (piece_of(msg) < msg->left) return;
    net_note_latency(msg->net, msg->from, msg->to, 1);
    kern_parts_note(held_by(msg), arrival_s - msg->begin_s - way_s - wire_s);
}

/* The next piece sets out; returns when the last byte of it is there: after the wire, or right
 * behind the piece before it, another message's perhaps. */
static double piece_leaves(struct message *msg, kern_date *there)
{
    struct net *net = msg->net;
    struct interface *in = &net->interface[msg->to];
    const uint64_t bytes = piece_of(msg);
    int whose = -1;
    struct net_head head = {msg->sets_out, 0, 0};
    const double hold_s = held(msg, bytes), wire_s = net_wire_time(net, msg->from, msg->to, bytes),
                 links_s = net_links_cross(net->links, msg->from, msg->to, bytes, msg->begin_s,
                                           msg->of, &whose, &head),
                 way_s = net_latency(net, msg->from, msg->to) + links_s;
    const double arrival_s = fmax(msg->begin_s + way_s + wire_s, in->receive_free_s + hold_s),
                 behind_s = arrival_s - (msg->begin_s + way_s + wire_s);
    if (behind_s >= links_s) whose = in->receives_of;
    if (msg->left == bytes) kern_cause_behind(whose, arrival_s - behind_s - links_s, arrival_s);
    in->receives_of = msg->of;
    note_piece(msg, wire_s, arrival_s);
    if (kern_graph_on)
        *there =
            net_date_arrives(&msg->sets_out, &in->received_date, net->mach, &head, way_s - links_s,
                             (struct net_hold){wire_s, net_rate_of(net, msg->from, msg->to)},
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

/* Each piece at its date, so that what others sent before is ahead of it; those of one interface in
 * the order of their dates. */
static void leave(struct message *msg, bool due)
{
    struct interface *out = &msg->net->interface[msg->from];
    double arrival_s = 0;
    kern_date there = 0;
    do {
        if (!due && (out->leaving > 0 || msg->begin_s > kern_now())) {
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

/* Its interface sends it behind what it sends already. */
static void book(struct message *msg)
{
    struct interface *out = &msg->net->interface[msg->from];
    const double start_s = fmax(msg->begin_s, out->send_free_s), hold_s = held(msg, msg->bytes);
    if (kern_graph_on)
        msg->sets_out =
            net_date_leaves(&out->sent_date, msg->begin_s, (struct net_hold){hold_s, held_by(msg)});
    if (out->holds) kern_parts_note(out->holds, start_s - msg->begin_s);
    kern_cause_behind(out->sends_of, msg->begin_s, start_s);
    out->sends_of = msg->of;
    if (kern_parts_on) out->holds = held_by(msg);
    out->send_free_s = start_s + hold_s;
    count(&out->sent, msg->bytes, hold_s, true);
    msg->begin_s = start_s;
    if (msg->sent_s)
        *msg->sent_s = start_s + net_wire_time(msg->net, msg->from, msg->to, msg->bytes);
    leave(msg, false);
}

/* Within a node it goes through memory and holds no interface. One is copied behind the other,
 * whoever copies, and does not overtake it. */
static void copy(struct message *msg)
{
    struct net *net = msg->net;
    struct interface *here = &net->interface[msg->from];
    const double start_s = fmax(msg->begin_s, here->local_free_s),
                 copy_s = net_wire_time(net, msg->from, msg->to, msg->bytes);
    kern_date copied = 0;
    here->local_free_s = start_s + copy_s;
    if (msg->sent_s) *msg->sent_s = here->local_free_s;
    count(&here->local, msg->bytes, copy_s, true);
    /* rounding must not let a short one overtake */
    here->local_s = fmax(here->local_s, start_s + net_time(net, msg->from, msg->to, msg->bytes));
    if (kern_graph_on) copied = net_date_copied(&here->local_date, net->mach, msg->begin_s, copy_s);
    net_note(net, msg->from, msg->to, msg->bytes);
    kern_parts_note(&net->mach->net_local_bandwidth, start_s - msg->begin_s);
    kern_cause_next(copied);
    kern_cause_behind(here->copies_of, msg->begin_s, start_s);
    here->copies_of = msg->of;
    kern_at(here->local_s, KERN_NETWORK, -1, msg->handle, msg->data);
    g_free(msg);
}

/* None overtakes another of its sender that way, though that may be ready later; one of another
 * sender may: a rank that is ahead of the clock would hold up what its node answers meanwhile. */
static double yet(struct net *net, int sender, int to)
{
    const gint64 key = (gint64)sender * net->nodes + to;
    const double *ready_s = g_hash_table_lookup(net->yet, &key);
    return ready_s ? *ready_s : 0;
}

static void note_yet(const struct message *msg)
{
    const gint64 key = (gint64)msg->sender * msg->net->nodes + msg->to;
    g_hash_table_replace(msg->net->yet, g_memdup2(&key, sizeof key),
                         g_memdup2(&msg->begin_s, sizeof msg->begin_s));
}

static void begin(struct message *msg)
{
    if (msg->from == msg->to)
        copy(msg);
    else
        book(msg);
}

static void is_ready(void *data, double time_s)
{
    struct message *msg = data;
    const gint64 key = (gint64)msg->sender * msg->net->nodes + msg->to;
    (void)time_s;
    if (yet(msg->net, msg->sender, msg->to) <= msg->begin_s)
        g_hash_table_remove(msg->net->yet, &key);
    begin(msg);
}

static void send(struct net *net, const struct net_message *what, double gap_s)
{
    struct message *msg = g_new(struct message, 1);
    *msg = (struct message){.net = net,
                            .from = what->from,
                            .to = what->to,
                            .sender = what->by < 0 ? 2 * what->from + 1 : 2 * what->by,
                            .of = what->of,
                            .bytes = what->bytes,
                            .left = what->bytes,
                            .begin_s = what->ready_s,
                            .handle = what->handle,
                            .data = what->data,
                            .gap_s = gap_s,
                            .sent_s = what->sent_s};
    const double fetch_s = net_fetch(net, msg->from, msg->to, msg->bytes),
                 yet_s = yet(net, msg->sender, msg->to);
    msg->begin_s = fmax(msg->begin_s + fetch_s, yet_s);
    kern_parts_note(&net->mach->net_fetch, fetch_s);
    if (kern_rank() < 0 && yet_s <= 0 && msg->begin_s <= kern_now()) {
        begin(msg);
        return;
    }
    note_yet(msg);
    kern_at_turn(msg->begin_s, 1 + msg->sender, KERN_NETWORK, is_ready, msg);
}

void net_send(struct net *net, const struct net_message *what)
{
    send(net, what, net->mach->net_gap);
}

void net_acknowledge(struct net *net, const struct net_message *what) { send(net, what, 0); }

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
