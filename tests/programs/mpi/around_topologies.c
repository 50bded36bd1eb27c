/* Graphs, distributed graphs, and the collectives of neighbours (MPI-3.1 chapter 7). */
#include "check.h"

static int right(int by) { return (check_rank + by) % check_ranks; }
static int left(int by) { return (check_rank + check_ranks - by) % check_ranks; }

static int topology(MPI_Comm comm)
{
    int what = -1;
    MPI_Topo_test(comm, &what);
    return what;
}

static MPI_Comm ring(void)
{
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &check_ranks, (int[]){1}, 0, &comm);
    return comm;
}

static void grids(void)
{
    MPI_Comm comm = ring(), copy;
    const int out[2] = {10 * check_rank, 10 * check_rank + 1};
    int in[2] = {-1, -1};
    check(topology(comm) == MPI_CART && topology(MPI_COMM_WORLD) == MPI_UNDEFINED,
          "MPI_Topo_test knows a grid, and what has no topology");
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    check(
        in[0] == 10 * left(1) + 1 && in[1] == 10 * right(1),
        "what went in the negative direction comes from the positive one, also where both are the "
        "same rank");
    MPI_Comm_dup(comm, &copy);
    MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, copy);
    check(in[0] == 10 * left(1) && in[1] == 10 * right(1), "a copy has the same neighbours");
    MPI_Comm_free(&copy);
    MPI_Comm_free(&comm);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &check_ranks, (int[]){0}, 0, &comm);
    in[0] = in[1] = -1;
    MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    check(in[0] == (check_rank > 0 ? 10 * left(1) : -1) &&
              in[1] == (check_rank < check_ranks - 1 ? 10 * right(1) : -1),
          "beyond the end of a grid is nobody, and that part of the buffer stays as it is");
    MPI_Comm_free(&comm);
}

/* "MPI_COMM_DUP ... also copies topology"; others make a communicator without one (MPI-3.1 7.2). */
static void split(void)
{
    MPI_Comm comm = ring(), other;
    MPI_Group all;
    int status = -1, dimensions = -1, class = MPI_SUCCESS;
    MPI_Comm_split(comm, 0, check_rank, &other);
    MPI_Topo_test(other, &status);
    check(status == MPI_UNDEFINED, "what MPI_Comm_split makes of a grid has no topology");
    MPI_Comm_set_errhandler(other, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Cartdim_get(other, &dimensions), &class);
    check(class == MPI_ERR_TOPOLOGY && dimensions == -1, "and no dimensions");
    MPI_Comm_free(&other);
    MPI_Comm_group(comm, &all);
    MPI_Comm_create(comm, all, &other);
    MPI_Topo_test(other, &status);
    check(status == MPI_UNDEFINED, "nor has what MPI_Comm_create makes");
    MPI_Group_free(&all);
    MPI_Comm_free(&other);
    MPI_Comm_dup(comm, &other);
    MPI_Topo_test(other, &status);
    check(status == MPI_CART, "a copy has");
    MPI_Comm_free(&other);
    MPI_Comm_free(&comm);
}

/* SMPI took a rank's place in a part of a grid from its rank in the whole. */
static void parts(void)
{
    MPI_Comm comm, column;
    int dims[2] = {0, 0}, place[2], rank = -1, length = 0, period = -1, at = -1, before, behind;
    MPI_Dims_create(check_ranks, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){dims[1], dims[0]}, (int[]){0, 1}, 0, &comm);
    MPI_Cart_coords(comm, check_rank, 2, place);
    MPI_Cart_sub(comm, (int[]){0, 1}, &column);
    MPI_Comm_rank(column, &rank);
    MPI_Cart_get(column, 1, &length, &period, &at);
    MPI_Cart_shift(column, 0, 1, &before, &behind);
    check(length == dims[0] && period == 1 && at == place[1] && rank == at &&
              behind == (at + 1) % length && before == (at + length - 1) % length,
          "a part of a grid has the places of the whole");
    MPI_Comm_free(&column);
    MPI_Cart_sub(comm, (int[]){1, 0}, &column);
    MPI_Cart_shift(column, 0, 1, &before, &behind);
    check(before == (place[0] > 0 ? place[0] - 1 : MPI_PROC_NULL) &&
              behind == (place[0] < dims[1] - 1 ? place[0] + 1 : MPI_PROC_NULL),
          "and its ends");
    MPI_Comm_free(&column);
    MPI_Comm_free(&comm);
}

static int returns(MPI_Comm comm)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_get_errhandler(comm, &handler);
    MPI_Comm_free(&comm);
    return handler == MPI_ERRORS_RETURN;
}

static void handlers(void)
{
    MPI_Comm parent, made;
    MPI_Group group;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    MPI_Comm_group(parent, &group);
    MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
    MPI_Comm_split(parent, 0, 0, &made);
    check(returns(made), "what is split off inherits the error handler of its parent");
    MPI_Comm_create(parent, group, &made);
    check(returns(made), "so does what is made of a group");
    MPI_Comm_create_group(parent, group, 0, &made);
    check(returns(made), "by its members alone, too");
    MPI_Cart_create(parent, 1, &check_ranks, (int[]){1}, 0, &made);
    check(returns(made), "and a grid");
    MPI_Dist_graph_create_adjacent(parent, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &made);
    check(returns(made), "and a graph");
    MPI_Group_free(&group);
    MPI_Comm_free(&parent);
}

static void no_dimension(void)
{
    MPI_Comm comm = ring(), none;
    int size = -1, dimensions = -1, where = -1;
    MPI_Cart_sub(comm, (int[]){0}, &none);
    if (none != MPI_COMM_NULL) MPI_Comm_size(none, &size);
    if (none != MPI_COMM_NULL) MPI_Cartdim_get(none, &dimensions);
    check(size == 1 && dimensions == 0 && topology(none) == MPI_CART,
          "each rank has a grid of no dimension, if none remains");
    MPI_Cart_map(MPI_COMM_WORLD, 1, (int[]){1}, (int[]){0}, &where);
    check(where == (check_rank == 0 ? 0 : MPI_UNDEFINED), "MPI_Cart_map moves no rank");
    MPI_Comm_free(&none);
    MPI_Comm_free(&comm);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int code = MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, check_ranks}, (int[]){0, 0}, 0, &comm);
    MPI_Error_class(code, &code);
    check(code == MPI_ERR_DIMS, "a grid has no more places than there are ranks");
}

/* A star: rank 0 is everybody's neighbour. */
static MPI_Comm star(void)
{
    MPI_Comm comm;
    int *index = malloc((size_t)check_ranks * sizeof(int));
    int *edges = malloc(2 * (size_t)check_ranks * sizeof(int));
    for (int i = 0; i < check_ranks; i++) index[i] = check_ranks - 1 + i;
    for (int i = 0; i < check_ranks - 1; i++) edges[i] = i + 1, edges[check_ranks - 1 + i] = 0;
    MPI_Graph_create(MPI_COMM_WORLD, check_ranks, index, edges, 0, &comm);
    free(index);
    free(edges);
    return comm;
}

static void graphs(void)
{
    MPI_Comm comm = star(), few;
    int nodes = 0, edges = 0, count = 0, first = -1, index = -1, where = -2, code;
    int *in = calloc((size_t)check_ranks, sizeof(int));
    MPI_Graphdims_get(comm, &nodes, &edges);
    MPI_Graph_neighbors_count(comm, check_rank, &count);
    MPI_Graph_neighbors(comm, check_rank, 1, &first);
    MPI_Graph_get(comm, 1, 0, &index, NULL);
    check(topology(comm) == MPI_GRAPH && nodes == check_ranks && edges == 2 * (check_ranks - 1) &&
              index == check_ranks - 1,
          "a graph is as it was made");
    check(count == (check_rank > 0 ? 1 : check_ranks - 1) &&
              (count == 0 || first == (check_rank > 0 ? 0 : 1)),
          "and knows everybody's neighbours");
    MPI_Neighbor_allgather(&check_rank, 1, MPI_INT, in, 1, MPI_INT, comm);
    int right_ones = 1;
    for (int i = 0; i < count; i++) right_ones &= in[i] == (check_rank > 0 ? 0 : i + 1);
    check(right_ones, "each gets what its neighbours give, in their order");
    MPI_Graph_create(MPI_COMM_WORLD, 1, (int[]){1}, (int[]){0}, 0, &few);
    check((few != MPI_COMM_NULL) == (check_rank == 0), "ranks beyond the nodes get MPI_COMM_NULL");
    if (few != MPI_COMM_NULL) MPI_Comm_free(&few);
    MPI_Graph_map(MPI_COMM_WORLD, 1, (int[]){1}, (int[]){0}, &where);
    check(where == (check_rank == 0 ? 0 : MPI_UNDEFINED), "and have no place in MPI_Graph_map");
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    code = MPI_Dist_graph_neighbors_count(comm, &count, &count, &count);
    MPI_Error_class(code, &code);
    check(code == MPI_ERR_TOPOLOGY, "it is no distributed graph");
    free(in);
    MPI_Comm_free(&comm);
}

/* To the next one twice and to the one behind it, with weights. */
static MPI_Comm adjacent(void)
{
    MPI_Comm comm;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, (int[]){left(1), left(1), left(2)},
                                   (int[]){1, 2, 3}, 3, (int[]){right(1), right(1), right(2)},
                                   (int[]){1, 2, 3}, MPI_INFO_NULL, 0, &comm);
    return comm;
}

static void distributed(void)
{
    MPI_Comm comm = adjacent(), copy;
    int ins = 0, outs = 0, weighted = 0, from[3], to[3], in_weight[3], out_weight[3];
    int out[3] = {100 * check_rank, 100 * check_rank + 1, 100 * check_rank + 2}, in[3];
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_free(&comm);
    MPI_Dist_graph_neighbors_count(copy, &ins, &outs, &weighted);
    MPI_Dist_graph_neighbors(copy, 3, from, in_weight, 3, to, out_weight);
    check(topology(copy) == MPI_DIST_GRAPH && ins == 3 && outs == 3 && weighted,
          "a distributed graph outlives the communicator that it was made with");
    check(from[0] == left(1) && from[2] == left(2) && to[1] == right(1) && to[2] == right(2) &&
              in_weight[2] == 3 && out_weight[1] == 2,
          "neighbours and weights are in the order given");
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, copy);
    check(in[0] == 100 * left(1) && in[1] == 100 * left(1) + 1 && in[2] == 100 * left(2) + 2,
          "the k-th edge to a rank meets its k-th from there");
    MPI_Comm_free(&copy);
}

/* Rank 0 names all edges of a ring. */
static void named_by_one(void)
{
    MPI_Comm comm;
    const int n = check_rank == 0 ? check_ranks : 0;
    int *sources = malloc((size_t)check_ranks * sizeof(int));
    int *degrees = malloc((size_t)check_ranks * sizeof(int));
    int *destinations = malloc((size_t)check_ranks * sizeof(int));
    int ins = 0, outs = 0, weighted = -1, from = -1, to = -1, in = -1;
    for (int i = 0; i < check_ranks; i++)
        sources[i] = i, degrees[i] = 1, destinations[i] = (i + 1) % check_ranks;
    MPI_Dist_graph_create(MPI_COMM_WORLD, n, sources, degrees, destinations, MPI_UNWEIGHTED,
                          MPI_INFO_NULL, 0, &comm);
    MPI_Dist_graph_neighbors_count(comm, &ins, &outs, &weighted);
    MPI_Dist_graph_neighbors(comm, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED);
    check(ins == 1 && outs == 1 && !weighted && from == left(1) && to == right(1),
          "one rank may name the edges of all");
    MPI_Neighbor_allgather(&check_rank, 1, MPI_INT, &in, 1, MPI_INT, comm);
    check(in == left(1), "and they carry");
    free(sources);
    free(degrees);
    free(destinations);
    MPI_Comm_free(&comm);
}

/* Into a window, whose lines a processor may hold: k and k + 1 elements, every second one. */
static void shapes(void)
{
    MPI_Comm comm = ring();
    MPI_Datatype every_second;
    MPI_Win win;
    MPI_Request request;
    int *in, out[8], wrong = 0;
    MPI_Win_allocate(32 * sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &in, &win);
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &every_second);
    MPI_Type_commit(&every_second);
    for (int i = 0; i < 32; i++) in[i] = -1;
    for (int i = 0; i < 8; i++) out[i] = 1000 * check_rank + i;
    MPI_Ineighbor_alltoallv(out, (int[]){2, 3}, (int[]){4, 0}, MPI_INT, in, (int[]){3, 2},
                            (int[]){0, 8}, every_second, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; i++) wrong += in[2 * i] != 1000 * left(1) + i;
    for (int i = 0; i < 2; i++) wrong += in[2 * (8 + i)] != 1000 * right(1) + 4 + i;
    check(!wrong && in[1] == -1 && in[6] == -1 && in[20] == -1,
          "blocks of several lengths come to their places, gaps stay as they are");
    MPI_Neighbor_alltoallw(out, (int[]){1, 1}, (MPI_Aint[]){4, 0},
                           (MPI_Datatype[]){MPI_INT, MPI_FLOAT}, in, (int[]){1, 1},
                           (MPI_Aint[]){8, 0}, (MPI_Datatype[]){MPI_FLOAT, MPI_INT}, comm);
    check(in[2] == 1000 * left(1) && in[0] == 1000 * right(1) + 1,
          "displacements are in bytes where every block has a datatype");
    MPI_Neighbor_allgatherv(out, 2, MPI_INT, in, (int[]){2, 2}, (int[]){16, 20}, MPI_INT, comm);
    check(in[17] == 1000 * left(1) + 1 && in[20] == 1000 * right(1), "gathered with displacements");
    MPI_Type_free(&every_second);
    MPI_Win_free(&win);
    MPI_Comm_free(&comm);
}

/* Nobody waits for a rank that is no neighbour, and messages beside are not taken for blocks. */
static void alone(void)
{
    MPI_Comm comm = ring();
    MPI_Request request;
    int out[2] = {check_rank, check_rank}, in[2] = {-1, -1}, beside = -1;
    MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm, &request);
    MPI_Sendrecv(&check_rank, 1, MPI_INT, right(1), 0, &beside, 1, MPI_INT, MPI_ANY_SOURCE,
                 MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(beside == left(1) && in[0] == left(1) && in[1] == right(1),
          "a receive from anybody takes no block of a collective");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int code = MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Error_class(code, &code);
    check(code == MPI_ERR_TOPOLOGY, "without a topology nobody has neighbours");
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 1);
    grids();
    split();
    parts();
    handlers();
    no_dimension();
    graphs();
    distributed();
    named_by_one();
    shapes();
    alone();
    return check_end();
}
