/* The halo exchange of halo.h with PUT/ACCEPT: new edges are put, and an ACCEPT on the new grid
 * takes the neighbours'. It knows how many will come; its collective form finds out. A neighbour
 * may be one iteration ahead, so odd and even ones have a tag each.
 *
 * The ACCEPT comes after the puts, whose edges lie in its range: a conforming program leaves the
 * range alone meanwhile. It completes when the neighbours' edges have come and this rank's own are
 * there, so the next iteration may use both. */
#include "halo.h"
#include "put_accept.h"

static int neighbours;

static void allocate(MPI_Aint bytes)
{
    for (int s = 0; s < SIDES; s++) neighbours += neighbour[s] != MPI_PROC_NULL;
    PA_Rma_malloc(&cell, bytes);
}

static void begin(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void release(void) { PA_Rma_free(cell); }

static MPI_Aint bytes_of(struct block b) { return cells(b) * (MPI_Aint)sizeof *cell; }

static void iterate(const double *old, double *new, int half, int t)
{
    compute(old, new, t);
    for (int s = 0; s < SIDES; s++)
        if (neighbour[s] != MPI_PROC_NULL)
            PA_Put(&new[edge_at[s]], 1, edge_here[s], neighbour[s], halo_at[s], 1, halo_there[s],
                   half, MPI_COMM_WORLD);
    PA_Accept(new, bytes_of(mine), sizeof *new, half, MPI_COMM_WORLD, neighbours);
}

static void iterate_together(const double *old, double *new, int half, int t)
{
    compute(old, new, t);
    for (int s = 0; s < SIDES; s++)
        if (neighbour[s] != MPI_PROC_NULL)
            PA_Putc(&new[edge_at[s]], 1, edge_here[s], neighbour[s], halo_at[s], 1, halo_there[s],
                    half, MPI_COMM_WORLD);
    PA_Acceptc(new, bytes_of(mine), sizeof *new, half, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static const struct halo_interface put_accept = {
        "halo_put_accept", allocate, begin,
        release,           2,        {{"put_accept", iterate}, {"put_acceptc", iterate_together}}};
    return halo(argc, argv, &put_accept);
}
