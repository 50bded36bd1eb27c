/* Cartesian grids (MPI-3.1 7.5), kept here. In SMPI what MPI_Comm_split makes of a grid is the
 * grid, though it "has no topology" (7.5.1); and of one that MPI_Cart_sub makes SMPI takes a rank's
 * place from the rank in the old grid, and has none for some.
 */
#include "dialect/mpi/topology/topology.h"

#include <string.h>

struct kept {
    int refs, dimensions;
    int *dims, *periods;
};
static int key = MPI_KEYVAL_INVALID;

static int copied(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    struct kept *kept = in;
    (void)comm, (void)keyval, (void)extra;
    kept->refs++;
    *(void **)out = kept;
    *flag = 1;
    return MPI_SUCCESS;
}

static void kept_unref(struct kept *kept)
{
    if (--kept->refs > 0) return;
    g_free(kept->dims);
    g_free(kept->periods);
    g_free(kept);
}

static int deleted(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)extra;
    kept_unref(value);
    return MPI_SUCCESS;
}

bool dialect_grid_init(struct dialect_grid *g, MPI_Comm comm)
{
    struct kept *kept = NULL;
    int found = 0;
    *g = (struct dialect_grid){0};
    if (comm == MPI_COMM_NULL || key == MPI_KEYVAL_INVALID) return false;
    PMPI_Comm_get_attr(comm, key, &kept, &found);
    if (!found) return false;
    const gsize bytes = (gsize)(kept->dimensions + 1) * sizeof(int);
    g->dimensions = kept->dimensions;
    g->dims = g_memdup2(kept->dims, bytes);
    g->periods = g_memdup2(kept->periods, bytes);
    g->place = g_new0(int, g->dimensions + 1);
    dialect_grid_place(g, dialect_rank_in(comm), g->place);
    return true;
}

void dialect_grid_clear(struct dialect_grid *g)
{
    g_free(g->dims);
    g_free(g->periods);
    g_free(g->place);
}

void dialect_grid_place(const struct dialect_grid *g, int rank, int *place)
{
    for (int d = g->dimensions - 1; d >= 0; d--) {
        place[d] = rank % g->dims[d];
        rank /= g->dims[d];
    }
}

/* MPI_PROC_NULL: it is beyond an end. */
static int rank_at(const struct dialect_grid *g, const int *place)
{
    int rank = 0;
    for (int d = 0; d < g->dimensions; d++) {
        int at = place[d], n = g->dims[d];
        if (!g->periods[d] && (at < 0 || at >= n)) return MPI_PROC_NULL;
        rank = rank * n + (at % n + n) % n;
    }
    return rank;
}

int dialect_grid_beside(const struct dialect_grid *g, int dimension, int by)
{
    g_autofree int *place = g_memdup2(g->place, (gsize)(g->dimensions + 1) * sizeof(int));
    place[dimension] += by;
    return rank_at(g, place);
}

static void keep(MPI_Comm comm, struct kept *kept)
{
    if (key == MPI_KEYVAL_INVALID) PMPI_Comm_create_keyval(copied, deleted, &key, NULL);
    PMPI_Comm_set_attr(comm, key, kept);
}

static struct kept *kept_new(int dimensions)
{
    struct kept *kept = g_new(struct kept, 1);
    *kept = (struct kept){1, 0, g_new0(int, dimensions + 1), g_new0(int, dimensions + 1)};
    return kept;
}

static void kept_add(struct kept *kept, int length, int period)
{
    kept->dims[kept->dimensions] = length;
    kept->periods[kept->dimensions++] = period;
}

void dialect_grid_keep(MPI_Comm made, int dimensions, const int *dims, const int *periods)
{
    if (made == MPI_COMM_NULL) return;
    struct kept *kept = kept_new(dimensions);
    for (int d = 0; d < dimensions; d++) kept_add(kept, dims[d], periods[d]);
    keep(made, kept);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* The grid, or *code: the handler has heard that there is none. */
static bool begin(struct dialect_grid *g, MPI_Comm comm, const char *call, int *code)
{
    *code = MPI_SUCCESS;
    if (dialect_grid_init(g, comm)) return true;
    *code = dialect_error(world_here(), comm, call,
                          comm == MPI_COMM_NULL ? MPI_ERR_COMM : MPI_ERR_TOPOLOGY,
                          "the communicator is not one of MPI_Cart_create");
    return false;
}

static int end(struct dialect_grid *g, MPI_Comm comm, const char *call, int code, const char *what)
{
    dialect_grid_clear(g);
    return code == MPI_SUCCESS ? code : dialect_error(world_here(), comm, call, code, "%s", what);
}

int MPI_Cartdim_get(MPI_Comm comm, int *ndims)
{
    DIALECT_NO_NULL(ndims, MPI_ERR_ARG);
    DIALECT_AWAY;
    struct dialect_grid g;
    int code;
    if (!begin(&g, comm, __func__, &code)) return code;
    *ndims = g.dimensions;
    return end(&g, comm, __func__, code, NULL);
}

int MPI_Cart_get(MPI_Comm comm, int maxdims, int *dims, int *periods, int *coords)
{
    DIALECT_AWAY;
    struct dialect_grid g;
    int code;
    if (!begin(&g, comm, __func__, &code)) return code;
    for (int d = 0; d < MIN(maxdims, g.dimensions); d++) {
        dims[d] = g.dims[d];
        periods[d] = g.periods[d];
        coords[d] = g.place[d];
    }
    return end(&g, comm, __func__, code, NULL);
}

int MPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int *coords)
{
    DIALECT_AWAY;
    struct dialect_grid g;
    int code;
    if (!begin(&g, comm, __func__, &code)) return code;
    g_autofree int *place = g_new(int, g.dimensions + 1);
    if (rank < 0 || rank >= dialect_size_of(comm))
        code = MPI_ERR_RANK;
    else {
        dialect_grid_place(&g, rank, place);
        for (int d = 0; d < MIN(maxdims, g.dimensions); d++) coords[d] = place[d];
    }
    return end(&g, comm, __func__, code, "that is no rank of the grid");
}

int MPI_Cart_rank(MPI_Comm comm, const int *coords, int *rank)
{
    DIALECT_NO_NULL(rank, MPI_ERR_ARG);
    DIALECT_AWAY;
    struct dialect_grid g;
    int code;
    if (!begin(&g, comm, __func__, &code)) return code;
    *rank = rank_at(&g, coords);
    return end(&g, comm, __func__, *rank == MPI_PROC_NULL ? MPI_ERR_ARG : code,
               "a coordinate is beyond the end of its dimension");
}

int MPI_Cart_shift(MPI_Comm comm, int direction, int disp, int *source, int *dest)
{
    DIALECT_NO_NULL(source, MPI_ERR_ARG);
    DIALECT_NO_NULL(dest, MPI_ERR_ARG);
    DIALECT_AWAY;
    struct dialect_grid g;
    int code;
    if (!begin(&g, comm, __func__, &code)) return code;
    if (direction < 0 || direction >= g.dimensions)
        code = MPI_ERR_ARG;
    else {
        *source = dialect_grid_beside(&g, direction, -disp);
        *dest = dialect_grid_beside(&g, direction, disp);
    }
    return end(&g, comm, __func__, code, "the grid has no such dimension");
}

int MPI_Cart_sub(MPI_Comm comm, const int *remain_dims, MPI_Comm *comm_new)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    if (!r) return MPI_ERR_OTHER;
    struct dialect_grid g;
    int code, colour = 0;
    if (begin(&g, comm, __func__, &code)) {
        struct kept *kept = kept_new(g.dimensions);
        for (int d = 0; d < g.dimensions; d++) {
            if (remain_dims[d])
                kept_add(kept, g.dims[d], g.periods[d]);
            else
                colour = colour * g.dims[d] + g.place[d];
        }
        code = PMPI_Comm_split(comm, colour, dialect_rank_in(comm), comm_new);
        if (code == MPI_SUCCESS) {
            keep(*comm_new, kept);
            dialect_comm_made(r, *comm_new);
            dialect_inherits_handler(comm, *comm_new);
        } else {
            kept_unref(kept);
            code = dialect_refused(r, comm, __func__, code);
        }
        dialect_grid_clear(&g);
    }
    world_leave(r);
    return code;
}

/* No rank is moved. */
int MPI_Cart_map(MPI_Comm comm, int ndims, const int *dims, const int *periods, int *newrank)
{
    DIALECT_NO_NULL(newrank, MPI_ERR_ARG);
    DIALECT_AWAY;
    int64_t ranks = 1;
    (void)periods;
    for (int i = 0; i < ndims; i++) ranks *= MAX(dims[i], 0);
    if (comm == MPI_COMM_NULL || ndims < 0 || ranks < 1 || ranks > dialect_size_of(comm))
        return dialect_error(world_here(), comm, __func__,
                             comm == MPI_COMM_NULL ? MPI_ERR_COMM : MPI_ERR_DIMS,
                             "the grid does not fit the communicator");
    const int rank = dialect_rank_in(comm);
    *newrank = rank < ranks ? rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}
