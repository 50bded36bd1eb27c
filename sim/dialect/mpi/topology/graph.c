/* Graphs that every rank knows whole (MPI-3.1 7.5.3). */
#include "dialect/mpi/topology/topology.h"

#include <string.h>

/* What is wrong with it; NULL: nothing. */
static const char *wrong(int ranks, int nodes, const int *index, const int *edges)
{
    if (nodes < 0) return "the number of nodes is negative";
    if (nodes > ranks) return "there are more nodes than ranks";
    for (int i = 0; i < nodes; i++)
        if (index[i] < (i > 0 ? index[i - 1] : 0)) return "index[] falls";
    for (int i = 0; nodes > 0 && i < index[nodes - 1]; i++)
        if (edges[i] < 0 || edges[i] >= nodes) return "an edge leads to no node";
    return NULL;
}

int MPI_Graph_create(MPI_Comm comm_old, int nnodes, const int *index, const int *edges, int reorder,
                     MPI_Comm *comm_graph)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    DIALECT_NO_THREAD(r);
    (void)reorder;
    int code;
    if (!r) return MPI_ERR_OTHER;
    *comm_graph = MPI_COMM_NULL;
    const char *what = wrong(dialect_size_of(comm_old), nnodes, index, edges);
    if (dialect_inter_refuses(r, comm_old, __func__, &code)) return code;
    if (what)
        code = dialect_error(r, comm_old, __func__, MPI_ERR_ARG, "%s", what);
    else {
        struct dialect_graph *graph = g_new0(struct dialect_graph, 1);
        const int all = nnodes > 0 ? index[nnodes - 1] : 0;
        graph->nodes = nnodes;
        graph->index = g_new0(int, nnodes + 1);
        graph->edges = g_new0(int, all + 1);
        if (nnodes > 0) memcpy(graph->index, index, (size_t)nnodes * sizeof(int));
        if (all > 0) memcpy(graph->edges, edges, (size_t)all * sizeof(int));
        code = dialect_graph_made(r, comm_old, nnodes, graph, comm_graph);
        if (code != MPI_SUCCESS) code = dialect_refused(r, comm_old, __func__, code);
    }
    world_leave(r);
    return code;
}

/* ---- what it is ------------------------------------------------------------------------------ */

/* The handler has heard of it where it is none. */
static const struct dialect_graph *graph_of(MPI_Comm comm, const char *call, int *code)
{
    const struct dialect_graph *graph = dialect_graph_of(comm);
    *code = MPI_SUCCESS;
    if (graph && graph->index) return graph;
    *code = dialect_error(world_here(), comm, call,
                          comm == MPI_COMM_NULL ? MPI_ERR_COMM : MPI_ERR_TOPOLOGY,
                          "the communicator is not one of MPI_Graph_create");
    return NULL;
}

static int edges_of(const struct dialect_graph *graph) { return graph->index[graph->nodes - 1]; }

int MPI_Graphdims_get(MPI_Comm comm, int *nnodes, int *nedges)
{
    DIALECT_AWAY;
    int code;
    const struct dialect_graph *graph = graph_of(comm, __func__, &code);
    if (!graph) return code;
    *nnodes = graph->nodes;
    *nedges = edges_of(graph);
    return MPI_SUCCESS;
}

static void give(int *to, int room, const int *from, int count)
{
    const int some = MAX(MIN(room, count), 0);
    if (some > 0) memcpy(to, from, (size_t)some * sizeof(int));
}

int MPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int *index, int *edges)
{
    DIALECT_AWAY;
    int code;
    const struct dialect_graph *graph = graph_of(comm, __func__, &code);
    if (!graph) return code;
    give(index, maxindex, graph->index, graph->nodes);
    give(edges, maxedges, graph->edges, edges_of(graph));
    return MPI_SUCCESS;
}

/* Where the neighbours of that rank begin; -1: the handler has heard that it is none. */
static int first_of(const struct dialect_graph *graph, MPI_Comm comm, const char *call, int rank,
                    int *code)
{
    if (rank >= 0 && rank < graph->nodes) return rank > 0 ? graph->index[rank - 1] : 0;
    *code = dialect_error(world_here(), comm, call, MPI_ERR_RANK, "rank %d is none of %d", rank,
                          graph->nodes);
    return -1;
}

int MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *nneighbors)
{
    DIALECT_AWAY;
    int code;
    const struct dialect_graph *graph = graph_of(comm, __func__, &code);
    const int first = graph ? first_of(graph, comm, __func__, rank, &code) : -1;
    if (first >= 0) *nneighbors = graph->index[rank] - first;
    return code;
}

int MPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int *neighbors)
{
    DIALECT_AWAY;
    int code;
    const struct dialect_graph *graph = graph_of(comm, __func__, &code);
    const int first = graph ? first_of(graph, comm, __func__, rank, &code) : -1;
    if (first >= 0) give(neighbors, maxneighbors, graph->edges + first, graph->index[rank] - first);
    return code;
}

/* No rank is moved. */
int MPI_Graph_map(MPI_Comm comm_old, int nnodes, const int *index, const int *edges, int *newrank)
{
    DIALECT_AWAY;
    const char *what = wrong(dialect_size_of(comm_old), nnodes, index, edges);
    if (what) return dialect_error(world_here(), comm_old, __func__, MPI_ERR_ARG, "%s", what);
    const int rank = dialect_rank_in(comm_old);
    *newrank = rank < nnodes ? rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}
