/* The links between the interfaces, each way its own: those of a torus. A switch has none: its
 * nodes' links are their interfaces. */
#ifndef NET_LINK_H
#define NET_LINK_H

#include "net/net.h"

struct net_links;
struct net_links *net_links_new(const struct mach *m, int nodes);
void net_links_free(struct net_links *links);
/* In the graph, the head of some bytes: it set out at that date, or last went on from it onto a
 * link that others had held. net.latency: passed since, and before. */
struct net_head {
    kern_date date;
    double passed_s, before_s;
};
/* That many bytes of a rank set out at a date: holds each link of their way in turn. Returns how
 * long they wait for other bytes on them; *whose: whose they waited for longest, if they did.
 * Called in order of dates. */
double net_links_cross(struct net_links *links, int from, int to, uint64_t bytes, double at_s,
                       int of, int *whose, struct net_head *head);
/* What operations moved that way, for what the links say that they carried. */
void net_links_owe(struct net_links *links, int from, int to, uint64_t bytes);
int net_links_count(const struct net_links *links);
/* What link number i carried and its name; false: nothing. */
bool net_links_use(const struct net_links *links, int i, struct base_use *use);

#endif
