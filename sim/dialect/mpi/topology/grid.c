/* Cartesian grids (MPI-3.1 7.5). SMPI keeps those of MPI_Cart_create. Of one that MPI_Cart_sub
 * makes it takes a rank's place from the rank in the old grid, and has none for some; so those are
 * kept here, and all places are computed here.
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
    if (comm == MPI_COMM_NULL) return false;
    if (key != MPI_KEYVAL_INVALID) PMPI_Comm_get_attr(comm, key, &kept, &found);
    if (!found && PMPI_Cartdim_get(comm, &g->dimensions) != MPI_SUCCESS) return false;
    if (found) g->dimensions = kept->dimensions;
    g->dims = g_new0(int, g->dimensions + 1);
    g->periods = g_new0(int, g->dimensions + 1);
    g->place = g_new0(int, g->dimensions + 1);
    if (found) {
        memcpy(g->dims, kept->dims, (size_t)g->dimensions * sizeof(int));
        memcpy(g->periods, kept->periods, (size_t)g->dimensions * sizeof(int));
    } else if (g->dimensions > 0)
        PMPI_Cart_get(comm, g->dimensions, g->dims, g->periods, g->place);
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
        struct kept *kept = g_new(struct kept, 1);
        *kept = (struct kept){1, 0, g_new0(int, g.dimensions + 1), g_new0(int, g.dimensions + 1)};
        for (int d = 0; d < g.dimensions; d++) {
            if (!remain_dims[d]) colour = colour * g.dims[d] + g.place[d];
            if (!remain_dims[d]) continue;
            kept->dims[kept->dimensions] = g.dims[d];
            kept->periods[kept->dimensions++] = g.periods[d];
        }
        if (key == MPI_KEYVAL_INVALID) PMPI_Comm_create_keyval(copied, deleted, &key, NULL);
        code = PMPI_Comm_split(comm, colour, dialect_rank_in(comm), comm_new);
        if (code == MPI_SUCCESS) {
            PMPI_Comm_set_attr(*comm_new, key, kept);
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
