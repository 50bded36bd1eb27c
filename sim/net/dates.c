/* Dates of messages; see dates.h. */
#include "net/dates.h"

#include <math.h>

static kern_date after(kern_date date, struct net_hold hold)
{
    return kern_graph_part(date, hold.seconds, hold.number);
}

kern_date net_date_leaves(kern_date *free, double begin_s, struct net_hold hold)
{
    const kern_date ready = kern_cause_date(kern_rank(), kern_now(), begin_s),
                    sets_out = kern_graph_later(ready, *free);
    *free = after(sets_out, hold);
    return sets_out;
}

kern_date net_date_arrives(kern_date *sets_out, kern_date *free, const struct mach *m,
                           const struct net_head *head, double way_s, struct net_hold wire,
                           struct net_hold hold)
{
    const double interface_s = fmin(way_s, m->ni_latency);
    kern_date there = after(head->date, wire);
    there = kern_graph_part(there, interface_s, &m->ni_latency);
    there = kern_graph_part(there, way_s - interface_s - head->before_s, &m->net_latency);
    if (*free) there = kern_graph_later(there, after(*free, hold));
    *sets_out = after(*sets_out, hold);
    return *free = there;
}

kern_date net_date_copied(kern_date *free, const struct mach *m, double ready_s, double copy_s)
{
    const struct net_hold copy = {copy_s, &m->net_local_bandwidth};
    net_date_leaves(free, ready_s, copy);
    return kern_graph_part(*free, m->net_local_latency, &m->net_local_latency);
}
