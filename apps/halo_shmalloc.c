/* The halo exchange of halo.h with SHMALLOC get/put: new edges are put into the neighbours'
 * windows, and a barrier on the get/put communicator completes them. What a put brings lies
 * contiguous at the target: rows go straight into the halo, columns into a strip of their own
 * behind the grids, which the owner copies. */
#include "halo.h"
#include <shmalloc.h>

static MPI_Comm comm;

/* Strips for columns, behind both grids of a rank with that many cells: one for each half and each
 * of LEFT and RIGHT. */
static MPI_Aint strip(MPI_Aint grid_cells, int half, enum side side, int rows)
{
    return 2 * grid_cells + (2 * half + (side == RIGHT)) * (MPI_Aint)rows;
}

static void allocate(MPI_Aint bytes)
{
    SHM_Shmalloc(&cell, bytes + 4 * mine.rows * (MPI_Aint)sizeof *cell, MPI_COMM_WORLD, &comm);
}

static void begin(void) { MPI_Barrier(comm); }
static void release(void) { MPI_Comm_free(&comm); }

static void put_edge(const double *grid, int half, enum side s)
{
    MPI_Aint to = half * cells_there[s] + halo_at[s];
    if (s == LEFT || s == RIGHT)
        to = strip(cells_there[s], half, s == LEFT ? RIGHT : LEFT, mine.rows);
    SHM_Put(&grid[edge_at[s]], 1, edge_here[s], to * (MPI_Aint)sizeof *cell, neighbour[s], comm);
}

static void take_column(double *grid, int half, enum side s)
{
    const double *column = cell + strip(cells(mine), half, s, mine.rows);
    for (int i = 0; i < mine.rows; i++)
        grid[(i + 1) * stride(mine) + (s == LEFT ? 0 : mine.columns + 1)] = column[i];
}

static void iterate(const double *old, double *new, int half, int t)
{
    compute(old, new, t);
    for (int s = 0; s < SIDES; s++)
        if (neighbour[s] != MPI_PROC_NULL) put_edge(new, half, s);
    MPI_Barrier(comm);
    for (int s = LEFT; s <= RIGHT; s++)
        if (neighbour[s] != MPI_PROC_NULL) take_column(new, half, s);
}

int main(int argc, char **argv)
{
    static const struct halo_interface shmalloc = {
        "halo_shmalloc", allocate, begin, release, 1, {{"shmalloc", iterate}}};
    return halo(argc, argv, &shmalloc);
}
