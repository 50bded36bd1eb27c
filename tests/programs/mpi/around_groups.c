/* Sets of ranks (MPI-3.1 6.3.2). */
#include "check.h"

static int first_of(MPI_Group group, MPI_Group world)
{
    int zero = 0, first = -1;
    MPI_Group_translate_ranks(group, 1, &zero, world, &first);
    return first;
}

static int size_of(MPI_Group group)
{
    int size = -1;
    MPI_Group_size(group, &size);
    return size;
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    MPI_Group world, down, made;
    int last = check_ranks - 1, same = -1;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, (int[][3]){{last, 1, -1}}, &down); /* last, ..., 1 */
    MPI_Group_intersection(world, down, &made);
    check(size_of(made) == last && first_of(made, world) == 1,
          "an intersection is in the order of the first group");
    MPI_Group_free(&made);
    MPI_Group_intersection(down, world, &made);
    check(first_of(made, world) == last, "whichever that is");
    MPI_Group_free(&made);
    MPI_Group_difference(world, down, &made);
    check(size_of(made) == 1 && first_of(made, world) == 0, "a difference is what is left");
    MPI_Group_free(&made);
    MPI_Group_union(down, world, &made);
    check(size_of(made) == check_ranks && first_of(made, world) == last,
          "a union begins with the first group");
    MPI_Group_free(&made);
    MPI_Group_difference(down, world, &made);
    check(made == MPI_GROUP_EMPTY && size_of(made) == 0, "what has nobody is MPI_GROUP_EMPTY");
    MPI_Group_excl(world, 0, NULL, &made);
    MPI_Group_compare(world, made, &same);
    check(same == MPI_IDENT, "nobody need be left out");
    MPI_Group_free(&made);
    MPI_Group_free(&down);
    MPI_Group_free(&world);
    return check_end();
}
