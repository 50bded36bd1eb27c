/* The halo exchange of halo.h with MPI windows and registered datatypes: what arrives as an edge is
 * registered with the neighbour it goes to, who has a handle of its own for it; no other rank knows
 * it. */
#include "type_register.h"

#include "halo.h"

static MPI_Win win;

/* Both sides of one border: what this rank puts there, and what the neighbour puts here, which has
 * the shape of this rank's own edge. The lower rank's comes first. */
static void register_with(enum side s)
{
    MPI_Group world, group;
    if (neighbour[s] == MPI_PROC_NULL) return;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &neighbour[s], &group);
    MPI_Datatype of_lower = rank < neighbour[s] ? halo_there[s] : edge_here[s];
    MPI_Datatype of_higher = rank < neighbour[s] ? edge_here[s] : halo_there[s];
    MPI_Type_register_sparse(of_lower, group, MPI_COMM_WORLD);
    MPI_Type_register_sparse(of_higher, group, MPI_COMM_WORLD);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
}

/* Every second rank of a row or column begins with the next one, the others with the one before:
 * no chain of waiting ranks forms. */
static void along(int at, enum side next, enum side before)
{
    register_with(at % 2 == 0 ? next : before);
    register_with(at % 2 == 0 ? before : next);
}

static void allocate(MPI_Aint bytes)
{
    along(place[1], RIGHT, LEFT);
    along(place[0], DOWN, UP);
    MPI_Win_allocate(bytes, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
}

static void begin(void) { MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, win); }

static void release(void)
{
    MPI_Win_free(&win);
    for (int s = 0; s < SIDES; s++) {
        if (neighbour[s] == MPI_PROC_NULL) continue;
        MPI_Type_dereg(edge_here[s], MPI_COMM_WORLD);
        MPI_Type_dereg(halo_there[s], MPI_COMM_WORLD);
    }
}

static void iterate_with_fence(const double *old, double *new, int half, int t)
{
    compute(old, new, t);
    /* local stores before, puts after: never both in one epoch */
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    for (int s = 0; s < SIDES; s++)
        if (neighbour[s] != MPI_PROC_NULL)
            MPI_Put(&new[edge_at[s]], 1, edge_here[s], neighbour[s],
                    half * cells_there[s] + halo_at[s], 1, halo_there[s], win);
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED, win);
}

int main(int argc, char **argv)
{
    static const struct halo_interface registered = {
        "halo_register", allocate, begin, release, 1, {{"fence", iterate_with_fence}}};
    return halo(argc, argv, &registered);
}
