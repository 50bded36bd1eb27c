/* net: node to node.
 *
 * Answers one question: when is the last byte of a message at the other node? A message waits for
 * its node's network interface, which sends one at a time (at most one per net.gap, Culler et al.,
 * LogP, PPoPP 1993; bytes at the link's bandwidth, Alexandrov et al., LogGP, SPAA 1995), takes the
 * latency of the way and whatever it waits for other bytes on the links of that way (link.c), and
 * waits for the receiving interface. What is not short (net.short_bytes) its interface fetches
 * first. Longer ones than net.flow_bytes travel in pieces of that many bytes, between which those
 * of others come in, on links and at the receiver. Messages between ranks of one node go through
 * its memory: they take net.local_latency and net.local_bandwidth, one behind the other, and no
 * interface. Ordering: messages of one sender (a rank's processor, or a node's interface) to a node
 * arrive in the order sent. Everything is booked at its own date, at equal dates in the order of
 * the senders, so that it does not matter which rank ran ahead. Left out: MPI's own messages, which
 * are SMPI's; copies that processors of one node make at once.
 */
#ifndef NET_NET_H
#define NET_NET_H

#include "base/base.h"
#include "kern/kern.h"
#include "mach/mach.h"
#include "op/op.h"

struct net;
struct net *net_new(const struct mach *m, int nodes);
void net_free(struct net *net);

enum { NET_INTERFACE = -1 };
struct net_message {
    int from, to; /* nodes */
    int by;       /* the rank whose processor sends it; NET_INTERFACE: the node's interface does */
    int of;       /* the rank whose operation it is: what comes behind it has waited for that one */
    uint64_t bytes;
    double ready_s;
    kern_handler handle; /* handle(data, arrival) runs when it is there, in an event */
    void *data;
    /* NULL: nobody asks. Is set, before that, to when the origin's interface is done with it. */
    double *sent_s;
};
/* Carries bytes. */
void net_send(struct net *net, const struct net_message *what);
/* The same for what an interface sends by itself, without net.gap. */
void net_acknowledge(struct net *net, const struct net_message *what);
/* Seconds for one message of that size with nobody else about: latency + bytes / bandwidth. */
double net_time(struct net *net, int from_node, int to_node, uint64_t bytes);
double net_latency(struct net *net, int from_node, int to_node);
/* Notes for the date that is set next what net_time is made of, or of no bytes net_latency. */
void net_note(struct net *net, int from_node, int to_node, uint64_t bytes);
/* Of that time, until the interface has the first byte of what is not short: it fetches that
 * itself.
 */
double net_fetch(const struct net *net, int from_node, int to_node, uint64_t bytes);
/* Seconds from the last arrival at a barrier of that many ranks to everybody's release: the barrier
 * network's, or ceil(log2 n) rounds of messages between nodes (dissemination, Hensgen et al. 1988).
 */
double net_barrier(struct net *net, int ranks);
void net_note_barrier(struct net *net, int ranks); /* what it is made of, as net_note */

struct net_count {
    uint64_t messages, bytes;
    double busy_s;
};
struct net_count net_count(const struct net *net, int node); /* what the node's interface sent */
/* An operation has moved so many bytes from one node to the other, or within one: what it used owes
 * them to the audit (struct base_use). */
void net_owe(struct net *net, int from_node, int to_node, uint64_t bytes);
/* What each of its resources was used for, 0 to net_uses: interfaces each way, links each way, the
 * memory that messages within a node go through. False: for nothing. */
int net_uses(struct net *net);
bool net_use(const struct net *net, int i, struct base_use *use);

/* Invariants the tests check: one message takes exactly net_time; arrival is not before ready +
 * latency; messages of a sender to a node never overtake; time never falls as bytes grow. */

#endif
