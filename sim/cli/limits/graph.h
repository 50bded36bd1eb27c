/* cli/limits, inside: what had to wait for what (kern/graph_format), with stretches that take
 * longer or shorter: how long does the run take if everything comes in the same order? Not a door.
 */
#ifndef CLI_LIMITS_GRAPH_H
#define CLI_LIMITS_GRAPH_H

#include "base/base.h"

struct cli_graph;
/* NULL: *error. folder: for a temporary file, of 8 bytes a date. */
struct cli_graph *cli_graph_open(const char *file, const char *folder, GError **error);
void cli_graph_free(struct cli_graph *graph);

/* What a key of the machine takes, takes so much of that. */
struct cli_graph_change {
    const char *key; /* "net.latency", "memory" (stalls); "net.": all that begin so */
    double factor;
};
/* The time of the run with these changes. of_rank: what each rank computes and stalls takes so much
 * of that; NULL: as long as it does. Less than 0: the file is broken. */
double cli_graph_time(struct cli_graph *graph, const struct cli_graph_change *change, size_t n,
                      const double *of_rank, int ranks);
/* As it was. */
double cli_graph_end(const struct cli_graph *graph);

#endif
