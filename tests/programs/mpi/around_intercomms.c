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
    int codes[2] = {0};
    MPI_Win win;
    MPI_Comm spawned = MPI_COMM_WORLD, parent = MPI_COMM_WORLD;
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    check(class_of(MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, inter, &win)) == MPI_ERR_COMM,
          "\"comm: intra-communicator\": a window of an intercommunicator is MPI_ERR_COMM");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
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

/* ---- messages -------------------------------------------------------------------------------- */

enum { LONG = 30000 };

static int local_rank(MPI_Comm inter)
{
    int rank = -1;
    MPI_Comm_rank(inter, &rank);
    return rank;
}

static int remote_size(MPI_Comm inter)
{
    int size = -1;
    MPI_Comm_remote_size(inter, &size);
    return size;
}

/* Rank 0 of each group sends to all of the other. */
static void messages(MPI_Comm inter)
{
    int out = check_rank, in = -1, first = low() ? check_ranks / 2 : 0, flag = 0, wrong = 0;
    int *sent = calloc(LONG, sizeof(int)), *got = calloc(LONG, sizeof(int));
    MPI_Request *request = malloc((size_t)check_ranks * sizeof *request);
    MPI_Status status;
    MPI_Message message;
    const int n = local_rank(inter) == 0 ? remote_size(inter) : 0;
    for (int i = 0; i < n; i++) MPI_Isend(&out, 1, MPI_INT, i, 3, inter, &request[i]);
    MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, inter, &status);
    MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
    check(in == first && status.MPI_SOURCE == 0 && status.MPI_TAG == 3,
          "a message comes from a rank of the remote group");
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 4, inter, &request[check_ranks - 1]);
    for (int i = 0; i < n; i++) MPI_Ssend(&out, 1, MPI_INT, i, 4, inter);
    MPI_Wait(&request[check_ranks - 1], &status);
    check(in == first && status.MPI_SOURCE == 0, "so does one that is waited for");
    for (int i = 0; i < LONG; i++) sent[i] = check_rank + i;
    for (int i = 0; i < n; i++) MPI_Isend(sent, LONG, MPI_INT, i, 5, inter, &request[i]);
    MPI_Mprobe(0, 5, inter, &message, &status);
    MPI_Iprobe(0, 5, inter, &flag, MPI_STATUS_IGNORE);
    MPI_Mrecv(got, LONG, MPI_INT, &message, &status);
    for (int i = 0; i < LONG; i++) wrong += got[i] != first + i;
    MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
    check(!wrong && !flag && status.MPI_SOURCE == 0, "a long one, matched by a probe");
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    int code = MPI_Send(&out, 1, MPI_INT, remote_size(inter), 0, inter);
    MPI_Error_class(code, &code);
    check(code == MPI_ERR_RANK, "a rank that the remote group has not is an error");
    free(sent);
    free(got);
    free(request);
}

/* ---- collectives: what one group gives, the other takes -------------------------------------- */

static void with_a_root(MPI_Comm inter)
{
    const int last = check_ranks / 2 - 1; /* of the lower group: its rank there and in the world */
    const int root = !low() ? last : check_rank == last ? MPI_ROOT : MPI_PROC_NULL;
    int in = low() ? -1 : -2, sum = -1, *all = calloc((size_t)check_ranks + 1, sizeof(int));
    int value = root == MPI_ROOT ? 77 : -1, wrong = 0, expected = 0;
    MPI_Bcast(&value, 1, MPI_INT, root, inter);
    check(value == (low() && check_rank != last ? -1 : 77),
          "a broadcast goes from the root to the other group alone");
    MPI_Gather(&check_rank, 1, MPI_INT, all, 1, MPI_INT, root, inter);
    for (int i = 0; root == MPI_ROOT && i < remote_size(inter); i++)
        wrong += all[i] != check_ranks / 2 + i;
    check(!wrong, "the root gathers what the other group has");
    MPI_Scatter(all, 1, MPI_INT, &in, 1, MPI_INT, root, inter);
    check(in == (low() ? -1 : check_rank), "and scatters it there");
    MPI_Reduce(&check_rank, &sum, 1, MPI_INT, MPI_SUM, root, inter);
    for (int i = check_ranks / 2; i < check_ranks; i++) expected += i;
    check(sum == (root == MPI_ROOT ? expected : -1), "and has its sum");
    free(all);
}

static void of_all(MPI_Comm inter)
{
    const int there = low() ? check_ranks / 2 : 0, n = remote_size(inter);
    int *out = calloc((size_t)check_ranks, sizeof(int)), *in = calloc((size_t)n, sizeof(int));
    int wrong = 0, sum = -1, expected = 0;
    MPI_Request request;
    MPI_Allgather(&check_rank, 1, MPI_INT, in, 1, MPI_INT, inter);
    for (int i = 0; i < n; i++) wrong += in[i] != there + i, expected += there + i;
    check(!wrong, "each group gathers the other");
    for (int i = 0; i < n; i++) out[i] = 100 * check_rank + i;
    MPI_Ialltoall(out, 1, MPI_INT, in, 1, MPI_INT, inter, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < n; i++) wrong += in[i] != 100 * (there + i) + local_rank(inter);
    check(!wrong, "each rank has something for each of the other group");
    MPI_Allreduce(&check_rank, &sum, 1, MPI_INT, MPI_SUM, inter);
    check(sum == expected, "each group has the sum of the other");
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    MPI_Comm half, copy, inter = between(&half);
    what_it_is(inter);
    merged(inter, 0);
    merged(inter, 1);
    MPI_Barrier(inter);
    MPI_Comm_dup(inter, &copy);
    messages(copy);
    with_a_root(copy);
    of_all(copy);
    MPI_Comm_free(&copy);
    refused(inter);
    MPI_Comm_free(&inter);
    check(inter == MPI_COMM_NULL, "it is freed");
    MPI_Comm_free(&half);
    copied();
    return check_end();
}
