/* A 3-D torus: each node has a link to each neighbour, and bytes take the shorter way round, x
 * first, then y, then z (dimension order: Dally and Seitz, The Torus Routing Chip, 1986; the Cray
 * T3D routes so, Scott and Thorson, 1994). A message holds a link while its bytes pass; the head
 * goes on meanwhile. Left out: links that a blocked message keeps behind it. */
#include "net/link.h"

#include <math.h>

enum { DIMENSIONS = 3, LINKS = 2 * DIMENSIONS }; /* of a node: up and down each dimension */

struct link {
    double free_s;
    uint64_t messages, bytes;
    double busy_s;
    int of;                /* the rank whose bytes it had last */
    uint64_t owed;         /* bytes of operations that went this way */
    struct net_head taken; /* the graph: by the bytes it had last, which hold it so long */
    double takes_s;
};
struct net_links {
    const struct mach *mach;
    int nodes;
    struct link *link; /* node * LINKS + 2 * dimension + (down) */
};

struct net_links *net_links_new(const struct mach *m, int nodes)
{
    struct net_links *links = g_new0(struct net_links, 1);
    links->mach = m;
    if (strcmp(m->net_topology, "torus") != 0) return links;
    links->nodes = MAX(nodes, m->torus[0] * m->torus[1] * m->torus[2]);
    links->link = g_new0(struct link, (gsize)links->nodes * LINKS);
    return links;
}

void net_links_free(struct net_links *links)
{
    g_free(links->link);
    g_free(links);
}

/* A way, a link at a time. */
struct walk {
    const struct mach *mach;
    int at, to;
    int dimension, stride; /* all below are done */
};

/* The next link's index; -1: it is there. */
static int next_link(struct walk *w)
{
    for (; w->dimension < DIMENSIONS; w->stride *= w->mach->torus[w->dimension++]) {
        const int size = w->mach->torus[w->dimension], here = w->at / w->stride % size,
                  up = (w->to / w->stride % size - here + size) % size;
        if (up == 0) continue;
        const bool down = 2 * up > size;
        const int from = w->at, next = (here + (down ? size - 1 : 1)) % size;
        w->at += (next - here) * w->stride;
        return from * LINKS + 2 * w->dimension + down;
    }
    return -1;
}

/* When the head of so many bytes is on that link, which it gets to at at_s. */
static double hold(const struct net_links *links, struct link *link, uint64_t bytes, double at_s)
{
    const double takes_s = (double)bytes / links->mach->net_bandwidth;
    at_s = fmax(at_s, link->free_s);
    link->free_s = at_s + takes_s;
    link->busy_s += takes_s;
    link->bytes += bytes;
    link->messages++;
    return at_s;
}

/* In the graph the head comes to the link, and waits or not. */
static void hold_date(const struct net_links *links, struct link *link, uint64_t bytes, bool waits,
                      struct net_head *head)
{
    const struct mach *m = links->mach;
    if (!kern_graph_on) return;
    if (waits) {
        const struct net_head *taken = &link->taken;
        const kern_date crossed = kern_graph_part(taken->date, taken->passed_s, &m->net_latency);
        head->date = kern_graph_later(kern_graph_part(head->date, head->passed_s, &m->net_latency),
                                      kern_graph_part(crossed, link->takes_s, &m->net_bandwidth));
        head->before_s += head->passed_s;
        head->passed_s = 0;
    }
    link->taken = *head;
    link->takes_s = (double)bytes / m->net_bandwidth;
    head->passed_s += m->net_latency;
}

double net_links_cross(struct net_links *links, int from, int to, uint64_t bytes, double at_s,
                       int of, int *whose, struct net_head *head)
{
    double waited_s = 0, longest_s = 0;
    if (!links->link) return 0;
    struct walk walk = {links->mach, from, to, 0, 1};
    for (int i; (i = next_link(&walk)) >= 0;) {
        struct link *link = &links->link[i];
        const double begin_s = hold(links, link, bytes, at_s);
        hold_date(links, link, bytes, begin_s > at_s, head);
        if (begin_s - at_s > longest_s) {
            longest_s = begin_s - at_s;
            *whose = link->of;
        }
        link->of = of;
        waited_s += begin_s - at_s;
        at_s = begin_s + links->mach->net_latency;
    }
    return waited_s;
}

void net_links_owe(struct net_links *links, int from, int to, uint64_t bytes)
{
    if (!links->link) return;
    struct walk walk = {links->mach, from, to, 0, 1};
    for (int i; (i = next_link(&walk)) >= 0;) links->link[i].owed += bytes;
}

int net_links_count(const struct net_links *links) { return links->nodes * LINKS; }

bool net_links_use(const struct net_links *links, int i, struct base_use *use)
{
    static const char *const way[LINKS] = {"+x", "-x", "+y", "-y", "+z", "-z"};
    const struct link *link = &links->link[i];
    if (link->messages == 0 && link->owed == 0) return false;
    *use = (struct base_use){.messages = link->messages,
                             .bytes = link->bytes,
                             .owed = link->owed,
                             .busy_s = link->busy_s,
                             .bytes_per_s = links->mach->net_bandwidth};
    g_snprintf(use->name, sizeof use->name, "link %s of node %d", way[i % LINKS], i / LINKS);
    return true;
}
