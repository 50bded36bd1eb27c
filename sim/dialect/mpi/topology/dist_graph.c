/* Distributed graphs: each rank knows its own edges (MPI-3.1 7.5.4). The hints of `info` and
 * `reorder` change nothing: no rank is moved. */
#include "dialect/mpi/topology/topology.h"

#include <string.h>

static int *copy(const int *from, int count)
{
    int *to = g_new0(int, count + 1);
    if (count > 0) memcpy(to, from, (size_t)count * sizeof(int));
    return to;
}

static bool known(const int *ranks, int count, int all)
{
    for (int i = 0; i < count; i++)
        if (ranks[i] < 0 || ranks[i] >= all) return false;
    return true;
}

/* "MPI_UNWEIGHTED ... indicates that all edges have the same (effectively no) weight" */
static struct dialect_edges edges_of(int count, const int *rank, const int *weight)
{
    const bool weighted = weight != MPI_UNWEIGHTED && weight != MPI_WEIGHTS_EMPTY;
    return (struct dialect_edges){count, copy(rank, count), weighted ? copy(weight, count) : NULL};
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int *sources,
                                   const int *sourceweights, int outdegree, const int *destinations,
                                   const int *destweights, MPI_Info info, int reorder,
                                   MPI_Comm *comm_dist_graph)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    DIALECT_NO_THREAD(r);
    const int ranks = dialect_size_of(comm_old);
    int code;
    (void)info, (void)reorder;
    if (!r) return MPI_ERR_OTHER;
    *comm_dist_graph = MPI_COMM_NULL;
    if (dialect_inter_refuses(r, comm_old, __func__, &code)) return code;
    if (indegree < 0 || outdegree < 0)
        code = dialect_error(r, comm_old, __func__, MPI_ERR_ARG, "a degree is negative");
    else if (!known(sources, indegree, ranks) || !known(destinations, outdegree, ranks))
        code = dialect_error(r, comm_old, __func__, MPI_ERR_RANK,
                             "an edge names a rank that is none of %d", ranks);
    else {
        struct dialect_graph *graph = g_new0(struct dialect_graph, 1);
        graph->in = edges_of(indegree, sources, sourceweights);
        graph->out = edges_of(outdegree, destinations, destweights);
        graph->weighted = sourceweights != MPI_UNWEIGHTED && destweights != MPI_UNWEIGHTED;
        code = dialect_graph_made(r, comm_old, ranks, graph, comm_dist_graph);
        if (code != MPI_SUCCESS) code = dialect_refused(r, comm_old, __func__, code);
    }
    world_leave(r);
    return code;
}

/* ---- any rank may name any edge -------------------------------------------------------------- */

/* An edge, told to one of its ends. */
struct told {
    int out, other, weight;
};
enum { WORDS = sizeof(struct told) / sizeof(int) };

struct named {
    int n, edges;
    const int *sources, *degrees, *destinations, *weights;
};

static const char *wrong(struct named *named, int ranks)
{
    if (named->n < 0) return "the number of sources is negative";
    for (int i = 0; i < named->n; i++) {
        if (named->degrees[i] < 0) return "a degree is negative";
        named->edges += named->degrees[i];
    }
    return known(named->sources, named->n, ranks) && known(named->destinations, named->edges, ranks)
               ? NULL
               : "an edge names a rank that is no rank of the communicator";
}

/* Calls `what` for both ends of every edge. */
typedef void tell(void *data, int to, struct told told);
static void each_end(const struct named *named, tell *what, void *data)
{
    const bool weighted = named->weights != MPI_UNWEIGHTED && named->weights != MPI_WEIGHTS_EMPTY;
    for (int i = 0, e = 0; i < named->n; i++)
        for (int k = 0; k < named->degrees[i]; k++, e++) {
            const int from = named->sources[i], to = named->destinations[e];
            const int weight = weighted ? named->weights[e] : 1;
            what(data, from, (struct told){1, to, weight});
            what(data, to, (struct told){0, from, weight});
        }
}

struct mail {
    int *count, *at; /* in words, by rank */
    int *words;
};

static void counts(void *data, int to, struct told told)
{
    struct mail *mail = data;
    (void)told;
    mail->count[to] += WORDS;
}

static void writes(void *data, int to, struct told told)
{
    struct mail *mail = data;
    memcpy(mail->words + mail->at[to], &told, sizeof told);
    mail->at[to] += WORDS;
}

static int place(struct mail *mail, int ranks)
{
    int all = 0;
    for (int i = 0; i < ranks; all += mail->count[i++]) mail->at[i] = all;
    return all;
}

static struct mail mail_new(int ranks)
{
    return (struct mail){g_new0(int, ranks), g_new0(int, ranks), NULL};
}

static void mail_free(struct mail *mail)
{
    g_free(mail->count);
    g_free(mail->at);
    g_free(mail->words);
}

/* Every rank hears of its edges, those that lower ranks named first: so the edges between two ranks
 * are in the same order at both. */
static int hear(const struct named *named, MPI_Comm comm, struct dialect_graph *graph)
{
    const int ranks = dialect_size_of(comm);
    struct mail out = mail_new(ranks), in = mail_new(ranks);
    each_end(named, counts, &out);
    out.words = g_new(int, place(&out, ranks) + 1);
    each_end(named, writes, &out);
    place(&out, ranks);
    int code = PMPI_Alltoall(out.count, 1, MPI_INT, in.count, 1, MPI_INT, comm);
    const int all = place(&in, ranks);
    in.words = g_new(int, all + 1);
    if (code == MPI_SUCCESS)
        code = PMPI_Alltoallv(out.words, out.count, out.at, MPI_INT, in.words, in.count, in.at,
                              MPI_INT, comm);
    const int room = all / WORDS + 1;
    graph->in = (struct dialect_edges){0, g_new0(int, room), g_new0(int, room)};
    graph->out = (struct dialect_edges){0, g_new0(int, room), g_new0(int, room)};
    for (int i = 0; code == MPI_SUCCESS && i < all; i += WORDS) {
        struct told told;
        memcpy(&told, in.words + i, sizeof told);
        struct dialect_edges *to = told.out ? &graph->out : &graph->in;
        to->rank[to->count] = told.other;
        to->weight[to->count++] = told.weight;
    }
    mail_free(&out);
    mail_free(&in);
    return code;
}

int MPI_Dist_graph_create(MPI_Comm comm_old, int n, const int *sources, const int *degrees,
                          const int *destinations, const int *weights, MPI_Info info, int reorder,
                          MPI_Comm *comm_dist_graph)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    DIALECT_NO_THREAD(r);
    const int ranks = dialect_size_of(comm_old);
    struct named named = {n, 0, sources, degrees, destinations, weights};
    int code;
    (void)info, (void)reorder;
    if (!r) return MPI_ERR_OTHER;
    *comm_dist_graph = MPI_COMM_NULL;
    if (dialect_inter_refuses(r, comm_old, __func__, &code)) return code;
    const char *what = wrong(&named, ranks);
    if (what)
        code = dialect_error(r, comm_old, __func__, MPI_ERR_ARG, "%s", what);
    else {
        struct dialect_graph *graph = g_new0(struct dialect_graph, 1);
        graph->weighted = weights != MPI_UNWEIGHTED;
        world_settle(r);
        hear(&named, comm_old, graph);
        code = dialect_graph_made(r, comm_old, ranks, graph, comm_dist_graph);
        if (code != MPI_SUCCESS) code = dialect_refused(r, comm_old, __func__, code);
    }
    world_leave(r);
    return code;
}

/* ---- what it is ------------------------------------------------------------------------------ */

static const struct dialect_graph *graph_of(MPI_Comm comm, const char *call, int *code)
{
    const struct dialect_graph *graph = dialect_graph_of(comm);
    *code = MPI_SUCCESS;
    if (graph && !graph->index) return graph;
    *code = dialect_error(world_here(), comm, call,
                          comm == MPI_COMM_NULL ? MPI_ERR_COMM : MPI_ERR_TOPOLOGY,
                          "the communicator is not one of MPI_Dist_graph_create");
    return NULL;
}

int MPI_Dist_graph_neighbors_count(MPI_Comm comm, int *indegree, int *outdegree, int *weighted)
{
    DIALECT_AWAY;
    int code;
    const struct dialect_graph *graph = graph_of(comm, __func__, &code);
    if (!graph) return code;
    *indegree = graph->in.count;
    *outdegree = graph->out.count;
    *weighted = graph->weighted;
    return MPI_SUCCESS;
}

static void give(const struct dialect_edges *edges, int room, int *rank, int *weight)
{
    const bool wanted = weight != MPI_UNWEIGHTED && weight != MPI_WEIGHTS_EMPTY;
    for (int i = 0; i < MIN(room, edges->count); i++) {
        rank[i] = edges->rank[i];
        if (wanted) weight[i] = edges->weight ? edges->weight[i] : 1;
    }
}

int MPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int *sources, int *sourceweights,
                             int maxoutdegree, int *destinations, int *destweights)
{
    DIALECT_AWAY;
    int code;
    const struct dialect_graph *graph = graph_of(comm, __func__, &code);
    if (!graph) return code;
    give(&graph->in, maxindegree, sources, sourceweights);
    give(&graph->out, maxoutdegree, destinations, destweights);
    return MPI_SUCCESS;
}
