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

/* When the head of so many bytes is on that link, which it gets to at at_s. */
static double hold(struct net_links *links, int node, int number, uint64_t bytes, double at_s)
{
    struct link *link = &links->link[node * LINKS + number];
    const double takes_s = (double)bytes / links->mach->net_bandwidth;
    at_s = fmax(at_s, link->free_s);
    link->free_s = at_s + takes_s;
    link->busy_s += takes_s;
    link->bytes += bytes;
    link->messages++;
    return at_s;
}

double net_links_cross(struct net_links *links, int from, int to, uint64_t bytes, double at_s)
{
    const struct mach *m = links->mach;
    double waited_s = 0;
    if (!links->link) return 0;
    for (int d = 0, stride = 1; d < DIMENSIONS; stride *= m->torus[d++]) {
        const int size = m->torus[d], here = from / stride % size, there = to / stride % size;
        const int up = (there - here + size) % size;
        const bool down = 2 * up > size;
        int position = here;
        for (int left = down ? size - up : up; left > 0; left--) {
            const double begin_s = hold(links, from, 2 * d + down, bytes, at_s);
            const int next = (position + (down ? size - 1 : 1)) % size;
            waited_s += begin_s - at_s;
            at_s = begin_s + m->net_latency;
            from += (next - position) * stride;
            position = next;
        }
    }
    return waited_s;
}

int net_links_count(const struct net_links *links) { return links->nodes * LINKS; }

bool net_links_use(const struct net_links *links, int i, struct base_use *use)
{
    static const char *const way[LINKS] = {"+x", "-x", "+y", "-y", "+z", "-z"};
    const struct link *link = &links->link[i];
    if (link->messages == 0) return false;
    *use = (struct base_use){.messages = link->messages,
                             .bytes = link->bytes,
                             .busy_s = link->busy_s,
                             .bytes_per_s = links->mach->net_bandwidth};
    g_snprintf(use->name, sizeof use->name, "link %s of node %d", way[i % LINKS], i / LINKS);
    return true;
}
