/* The halo exchange of halo.h with MPI windows: one window covers both grids, and new edges are put
 * into the neighbours' halos, synchronised in one of three ways. */
#include "halo.h"

static MPI_Group neighbours;
static MPI_Win win;

static void allocate(MPI_Aint bytes)
{
    int member[SIDES], members = 0;
    for (int s = 0; s < SIDES; s++)
        if (neighbour[s] != MPI_PROC_NULL) member[members++] = neighbour[s];
    MPI_Group world;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, members, member, &neighbours);
    MPI_Group_free(&world);
    MPI_Win_allocate(bytes, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
}

static void begin(void) { MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, win); }

static void release(void)
{
    MPI_Group_free(&neighbours);
    MPI_Win_free(&win);
}

static void put_edge(const double *grid, int half, enum side s)
{
    MPI_Put(&grid[edge_at[s]], 1, edge_here[s], neighbour[s], half * cells_there[s] + halo_at[s], 1,
            halo_there[s], win);
}

static void iterate_with_fence(const double *old, double *new, int half, int t)
{
    compute(old, new, t);
    /* local stores before, puts after: never both in one epoch */
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    for (int s = 0; s < SIDES; s++)
        if (neighbour[s] != MPI_PROC_NULL) put_edge(new, half, s);
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED, win);
}

static void iterate_with_post(const double *old, double *new, int half, int t)
{
    compute(old, new, t);
    MPI_Win_post(neighbours, 0, win);
    MPI_Win_start(neighbours, 0, win);
    for (int s = 0; s < SIDES; s++)
        if (neighbour[s] != MPI_PROC_NULL) put_edge(new, half, s);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
}

static void iterate_with_lock(const double *old, double *new, int half, int t)
{
    /* the neighbours' puts become visible to loads */
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    compute(old, new, t);
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int s = 0; s < SIDES; s++)
        if (neighbour[s] != MPI_PROC_NULL) {
            /* the edges of the neighbours do not overlap */
            MPI_Win_lock(MPI_LOCK_SHARED, neighbour[s], 0, win);
            put_edge(new, half, s);
            MPI_Win_unlock(neighbour[s], win);
        }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static const struct halo_interface windows = {
        "halo",
        allocate,
        begin,
        release,
        3,
        {{"fence", iterate_with_fence}, {"pscw", iterate_with_post}, {"lock", iterate_with_lock}}};
    return halo(argc, argv, &windows);
}
