/* What a communicator's topology is, and the neighbours in it. */
#include "dialect/mpi/topology/topology.h"

#include <string.h>

static int key = MPI_KEYVAL_INVALID;

static void graph_unref(struct dialect_graph *graph)
{
    if (--graph->refs > 0) return;
    g_free(graph->index);
    g_free(graph->edges);
    g_free(graph->in.rank);
    g_free(graph->in.weight);
    g_free(graph->out.rank);
    g_free(graph->out.weight);
    g_free(graph);
}

static int copied(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    struct dialect_graph *graph = in;
    (void)comm, (void)keyval, (void)extra;
    graph->refs++;
    *(void **)out = graph;
    *flag = 1;
    return MPI_SUCCESS;
}

static int deleted(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)extra;
    graph_unref(value);
    return MPI_SUCCESS;
}

struct dialect_graph *dialect_graph_of(MPI_Comm comm)
{
    struct dialect_graph *graph = NULL;
    int found = 0;
    if (key == MPI_KEYVAL_INVALID || comm == MPI_COMM_NULL) return NULL;
    return PMPI_Comm_get_attr(comm, key, &graph, &found) == MPI_SUCCESS && found ? graph : NULL;
}

int dialect_graph_made(struct world_rank *rank, MPI_Comm old, int members,
                       struct dialect_graph *graph, MPI_Comm *made)
{
    MPI_Group all, some;
    if (key == MPI_KEYVAL_INVALID) PMPI_Comm_create_keyval(copied, deleted, &key, NULL);
    PMPI_Comm_group(old, &all);
    PMPI_Group_range_incl(all, members > 0, (int[][3]){{0, members - 1, 1}}, &some);
    int code = PMPI_Comm_create(old, some, made);
    PMPI_Group_free(&some);
    PMPI_Group_free(&all);
    graph->refs = 1;
    if (code != MPI_SUCCESS || *made == MPI_COMM_NULL) {
        graph_unref(graph);
        return code;
    }
    PMPI_Comm_set_attr(*made, key, graph);
    dialect_comm_made(rank, *made);
    dialect_inherits_handler(old, *made);
    return code;
}

/* ---- neighbours ------------------------------------------------------------------------------ */

static void on_grid(struct dialect_neighbours *n, const struct dialect_grid *grid)
{
    n->directions = true;
    n->sources = n->destinations = 2 * grid->dimensions;
    n->source = g_new(int, n->sources + 1);
    for (int d = 0; d < grid->dimensions; d++) {
        n->source[2 * d] = dialect_grid_beside(grid, d, -1);
        n->source[2 * d + 1] = dialect_grid_beside(grid, d, 1);
    }
    n->destination = g_memdup2(n->source, (gsize)n->sources * sizeof(int));
}

static void on_graph(struct dialect_neighbours *n, const struct dialect_graph *graph, int rank)
{
    const int from = rank > 0 ? graph->index[rank - 1] : 0;
    n->sources = n->destinations = graph->index[rank] - from;
    n->source = g_memdup2(graph->edges + from, (gsize)n->sources * sizeof(int));
    n->destination = g_memdup2(graph->edges + from, (gsize)n->sources * sizeof(int));
}

bool dialect_neighbours_init(struct dialect_neighbours *n, MPI_Comm comm)
{
    const struct dialect_graph *graph = dialect_graph_of(comm);
    struct dialect_grid grid;
    *n = (struct dialect_neighbours){0};
    if (graph && graph->index)
        on_graph(n, graph, dialect_rank_in(comm));
    else if (graph) {
        n->sources = graph->in.count;
        n->destinations = graph->out.count;
        n->source = g_memdup2(graph->in.rank, (gsize)n->sources * sizeof(int));
        n->destination = g_memdup2(graph->out.rank, (gsize)n->destinations * sizeof(int));
    } else if (!dialect_grid_init(&grid, comm))
        return false;
    else {
        on_grid(n, &grid);
        dialect_grid_clear(&grid);
    }
    return true;
}

void dialect_neighbours_clear(struct dialect_neighbours *n)
{
    g_free(n->source);
    g_free(n->destination);
}

int MPI_Topo_test(MPI_Comm comm, int *status)
{
    const struct dialect_graph *graph;
    struct dialect_grid grid;
    DIALECT_AWAY;
    if (comm == MPI_COMM_NULL)
        return dialect_error(world_here(), MPI_COMM_NULL, __func__, MPI_ERR_COMM,
                             "MPI_COMM_NULL has no topology");
    graph = dialect_graph_of(comm);
    if (graph)
        *status = graph->index ? MPI_GRAPH : MPI_DIST_GRAPH;
    else if (dialect_grid_init(&grid, comm)) {
        *status = MPI_CART;
        dialect_grid_clear(&grid);
    } else
        *status = MPI_UNDEFINED;
    return MPI_SUCCESS;
}
