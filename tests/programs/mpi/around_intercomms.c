/* Intercommunicators, and processes that a program would start. */
#include "check.h"

static int low(void) { return check_rank < check_ranks / 2; }

/* The world's lower and upper half. */
static MPI_Comm between(MPI_Comm *half)
{
    MPI_Comm inter;
    MPI_Comm_split(MPI_COMM_WORLD, low(), check_rank, half);
    MPI_Intercomm_create(*half, 0, MPI_COMM_WORLD, low() ? check_ranks / 2 : 0, 7, &inter);
    return inter;
}

static void what_it_is(MPI_Comm inter)
{
    int is_inter = 0, rank = -1, size = 0, remote = 0, first = -1, in_world = -1, lower, zero = 0;
    MPI_Group world, theirs;
    MPI_Comm_test_inter(inter, &is_inter);
    MPI_Comm_rank(inter, &rank);
    MPI_Comm_size(inter, &size);
    MPI_Comm_remote_size(inter, &remote);
    lower = check_ranks / 2;
    check(is_inter && size == (low() ? lower : check_ranks - lower) &&
              rank == check_rank - (low() ? 0 : lower) && size + remote == check_ranks,
          "rank and size are those in the local group, and it knows the remote size");
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_remote_group(inter, &theirs);
    MPI_Group_size(theirs, &first);
    MPI_Group_translate_ranks(theirs, 1, &zero, world, &in_world);
    check(first == remote && in_world == (low() ? lower : 0), "the remote group is the other half");
    MPI_Group_free(&world);
    MPI_Group_free(&theirs);
    MPI_Comm_test_inter(MPI_COMM_WORLD, &is_inter);
    check(!is_inter, "MPI_COMM_WORLD is none");
    MPI_Comm_test_inter(MPI_COMM_SELF, &is_inter);
    check(!is_inter, "nor is MPI_COMM_SELF");
}

static void merged(MPI_Comm inter, int upper_first)
{
    MPI_Comm all;
    MPI_Win win;
    int rank = -1, memory = -1, upper = check_ranks - check_ranks / 2;
    MPI_Intercomm_merge(inter, upper_first ? low() : !low(), &all);
    MPI_Comm_rank(all, &rank);
    int expected = !upper_first ? check_rank
                   : low()      ? check_rank + upper
                                : check_rank - check_ranks / 2;
    check(rank == expected, "merged, the group that said high comes second");
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, all, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % check_ranks, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    check(memory == (rank + check_ranks - 1) % check_ranks, "and a window of both groups works");
    MPI_Win_free(&win);
    MPI_Comm_free(&all);
}

static int class_of(int code)
{
    int class = -1;
    MPI_Error_class(code, &class);
    return class;
}

static void refused(MPI_Comm inter)
{
    int value = 0, codes[2] = {0};
    MPI_Win win;
    MPI_Comm spawned = MPI_COMM_WORLD, parent = MPI_COMM_WORLD;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    check(class_of(MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, inter, &win)) == MPI_ERR_COMM,
          "\"comm: intra-communicator\": a window of an intercommunicator is MPI_ERR_COMM");
    check(class_of(MPI_Bcast(&value, 1, MPI_INT, 0, inter)) == MPI_ERR_COMM,
          "a collective call on one is not simulated, and says so");
    check(class_of(MPI_Comm_spawn("./other", MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                                  &spawned, codes)) == MPI_ERR_SPAWN &&
              spawned == MPI_COMM_NULL && codes[1] == MPI_ERR_SPAWN,
          "MPI_Comm_spawn is MPI_ERR_SPAWN");
    MPI_Comm_get_parent(&parent);
    check(parent == MPI_COMM_NULL, "no rank has a parent");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void copied(void)
{
    MPI_Comm copy;
    MPI_Request request;
    int same = 0;
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_compare(MPI_COMM_WORLD, copy, &same);
    check(same == MPI_CONGRUENT, "MPI_Comm_idup copies a communicator");
    MPI_Comm_free(&copy);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    MPI_Comm half, inter = between(&half);
    what_it_is(inter);
    merged(inter, 0);
    merged(inter, 1);
    MPI_Barrier(inter);
    refused(inter);
    MPI_Comm_free(&inter);
    check(inter == MPI_COMM_NULL, "it is freed");
    MPI_Comm_free(&half);
    copied();
    return check_end();
}
