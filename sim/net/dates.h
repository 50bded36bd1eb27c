/* dates: a message in the graph of what had to wait for what. Interfaces send one at a time, and
 * take one at a time: so each has a date at which it is free again. Private to net. */
#ifndef NET_DATES_H
#define NET_DATES_H

#include "kern/kern.h"
#include "mach/mach.h"
#include "net/link.h"

/* What holds the interfaces: so long, by that number of the machine. */
struct net_hold {
    double seconds;
    const double *number;
};
/* Set by the running context, it sets out at begin_s, or when the interface is free, which it holds
 * then; returns that date. */
kern_date net_date_leaves(kern_date *free, double begin_s, struct net_hold hold);
/* It set out at *sets_out, has crossed the links (net_links_cross), and takes so long for its way
 * (ni.latency and net.latency) and for its bytes (`wire`): it is there when that has passed, and
 * when the interface has been held for it, behind what came before. *sets_out: the date of its next
 * piece, afterwards. */
kern_date net_date_arrives(kern_date *sets_out, kern_date *free, const struct mach *m,
                           const struct net_head *head, double way_s, struct net_hold wire,
                           struct net_hold hold);
/* Within a node: it is copied when the running context is ready, and the last copy is over. */
kern_date net_date_copied(kern_date *free, const struct mach *m, double ready_s, double copy_s);

#endif
