/* Sets of ranks (MPI-3.1 6.3.2). SMPI orders an intersection as the second group, and refuses to
 * leave nobody out. So which ranks are in a set, and in what order, is found here.
 */
#include "dialect/mpi/comm/comm.h"

static int size_of(MPI_Group group)
{
    int size = 0;
    if (group != MPI_GROUP_NULL) PMPI_Group_size(group, &size);
    return size;
}

/* Of each rank of one group its rank in the other; MPI_UNDEFINED: none. Free it. */
static int *in_other(MPI_Group group, MPI_Group other)
{
    const int size = size_of(group);
    g_autofree int *own = g_new(int, size + 1);
    int *found = g_new(int, size + 1);
    for (int i = 0; i < size; i++) own[i] = i, found[i] = MPI_UNDEFINED;
    if (size > 0 && size_of(other) > 0) PMPI_Group_translate_ranks(group, size, own, other, found);
    return found;
}

/* Those of the group that are in the other, or not, in the group's order. */
static int some(MPI_Group group, MPI_Group other, bool in, MPI_Group *made)
{
    g_autofree int *found = in_other(group, other);
    const int size = size_of(group);
    g_autofree int *taken = g_new(int, size + 1);
    int n = 0;
    for (int i = 0; i < size; i++)
        if ((found[i] != MPI_UNDEFINED) == in) taken[n++] = i;
    *made = MPI_GROUP_EMPTY;
    return n > 0 ? PMPI_Group_incl(group, n, taken, made) : MPI_SUCCESS;
}

static int refuse(const char *call, uintptr_t pc, int code)
{
    return code == MPI_SUCCESS ? code : dialect_refused_outside(pc, MPI_COMM_NULL, call, code);
}

static int wrong(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    if (group1 == MPI_GROUP_NULL || group2 == MPI_GROUP_NULL) return MPI_ERR_GROUP;
    return newgroup ? MPI_SUCCESS : MPI_ERR_ARG;
}

int MPI_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    DIALECT_AWAY;
    int code = wrong(group1, group2, newgroup);
    if (code == MPI_SUCCESS) code = some(group1, group2, true, newgroup);
    return refuse(__func__, DIALECT_PC, code);
}

int MPI_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    DIALECT_AWAY;
    int code = wrong(group1, group2, newgroup);
    if (code == MPI_SUCCESS) code = some(group1, group2, false, newgroup);
    return refuse(__func__, DIALECT_PC, code);
}

/* "All elements of the first group, followed by all elements of second group not in first" */
int MPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    DIALECT_AWAY;
    int code = wrong(group1, group2, newgroup);
    if (code == MPI_SUCCESS && size_of(group1) + size_of(group2) == 0)
        *newgroup = MPI_GROUP_EMPTY;
    else if (code == MPI_SUCCESS)
        code = PMPI_Group_union(group1, group2, newgroup);
    return refuse(__func__, DIALECT_PC, code);
}

int MPI_Group_excl(MPI_Group group, int n, const int *ranks, MPI_Group *newgroup)
{
    DIALECT_AWAY;
    int code = wrong(group, group, newgroup);
    if (code == MPI_SUCCESS && n == 0)
        code = some(group, group, true, newgroup);
    else if (code == MPI_SUCCESS)
        code = PMPI_Group_excl(group, n, ranks, newgroup);
    return refuse(__func__, DIALECT_PC, code);
}
