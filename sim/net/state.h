/* state: what net's own files know of it. Private to net. */
#ifndef NET_STATE_H
#define NET_STATE_H

#include "net/link.h"
#include "net/net.h"

struct interface {
    double send_free_s, receive_free_s;   /* busy until */
    int sends_of, receives_of, copies_of; /* the rank whose bytes it had last */
    const double *holds; /* the number of the machine that says how long the last one holds it */
    int leaving;         /* messages whose next piece leaves later than now */
    double local_free_s, local_s; /* the last message that stayed in the node: is copied, arrived */
    kern_date sent_date, received_date, local_date; /* the same in the graph: free again */
    struct net_count sent, received, local;
    uint64_t sent_owed, received_owed, local_owed; /* bytes of them that operations moved */
    int going_to; /* those that went last, to one node, are not among them yet */
    uint64_t going;
};

struct net {
    const struct mach *mach;
    int nodes;
    struct interface *interface;
    struct net_links *links;
    GHashTable *way; /* from * nodes + to -> struct kern_route */
    GHashTable *yet; /* sender * nodes + to -> double, when its last one is that is not ready */
};

/* Seconds the bytes themselves take. */
double net_wire_time(struct net *net, int from, int to, uint64_t bytes);
/* The number of the machine that says how many a second. */
const double *net_rate_of(const struct net *net, int from, int to);
/* Notes so many latencies of that way for the date that is set next. */
void net_note_latency(struct net *net, int from, int to, double times);

#endif
