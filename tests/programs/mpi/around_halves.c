/* Reductions and more between the groups of an intercommunicator, and parts of one. */
#include "check.h"

static int lower(void) { return check_ranks / 2; }
static int low(void) { return check_rank < lower(); }
static int members(void) { return low() ? lower() : check_ranks - lower(); }
static int me(void) { return low() ? check_rank : check_rank - lower(); }

/* What rank i of the world gives as element k. */
static int given(int i, int k) { return 100 * i + k; }
static int theirs(int k)
{
    int sum = 0;
    for (int i = 0; i < check_ranks; i++)
        if ((i < lower()) != low()) sum += given(i, k);
    return sum;
}

/* Each group has as many elements as there are places in both. */
static void scattered(MPI_Comm inter)
{
    const int total = lower() * (check_ranks - lower()), mine = total / members();
    int *out = calloc((size_t)total, sizeof(int)), *in = calloc((size_t)total, sizeof(int));
    int *counts = calloc((size_t)members(), sizeof(int)), wrong = 0;
    MPI_Request request;
    for (int k = 0; k < total; k++) out[k] = given(check_rank, k);
    MPI_Reduce_scatter_block(out, in, mine, MPI_INT, MPI_SUM, inter);
    for (int k = 0; k < mine; k++) wrong += in[k] != theirs(me() * mine + k);
    check(!wrong, "each rank has its block of the other group's sum");
    counts[0] = total; /* all to the first */
    MPI_Ireduce_scatter(out, in, counts, MPI_INT, MPI_SUM, inter, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int k = 0; me() == 0 && k < total; k++) wrong += in[k] != theirs(k);
    check(!wrong, "blocks may have any length, and come later");
    free(out);
    free(in);
    free(counts);
}

static void later(MPI_Comm inter)
{
    int sum = -1, at_root = -1, one = check_rank,
        root = low()  ? 0
               : me() ? MPI_PROC_NULL
                      : MPI_ROOT;
    struct {
        double value;
        int rank;
    } mine = {check_rank % 2, check_rank}, most = {-1, -1};
    MPI_Request request[4];
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter, &request[0]);
    MPI_Ireduce(&one, &at_root, 1, MPI_INT, MPI_SUM, root, inter, &request[1]);
    MPI_Iallreduce(&mine, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, inter, &request[2]);
    MPI_Ibarrier(inter, &request[3]);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    int expected = 0, first = -1;
    for (int i = 0; i < check_ranks; i++) {
        if ((i < lower()) == low()) continue;
        expected += i;
        if (first < 0 || i % 2 > first % 2) first = i;
    }
    check(sum == expected && at_root == (root == MPI_ROOT ? expected : -1),
          "reductions and barriers may have a request");
    check(most.rank == first, "so may pairs");
}

static void of_many_types(MPI_Comm inter)
{
    const int n = check_ranks - members();
    int *out = calloc((size_t)n, sizeof(int)), *in = calloc((size_t)n, sizeof(int)), wrong = 0;
    int *counts = calloc((size_t)n, sizeof(int)), *at = calloc((size_t)n, sizeof(int));
    MPI_Datatype *types = calloc((size_t)n, sizeof(MPI_Datatype));
    for (int i = 0; i < n; i++) {
        out[i] = given(check_rank, i);
        counts[i] = 1;
        at[i] = (n - 1 - i) * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    MPI_Alltoallw(out, counts, at, types, in, counts, at, types, inter);
    for (int i = 0; i < n; i++) {
        int from = i + (low() ? lower() : 0);
        wrong += in[n - 1 - i] != given(from, members() - 1 - me());
    }
    check(!wrong, "each block of MPI_Alltoallw has its place in bytes");
    free(out);
    free(in);
    free(counts);
    free(at);
    free(types);
}

/* Of each half the last comes first; the first rank of the lower half goes alone. */
static void parts(MPI_Comm inter)
{
    MPI_Comm part, made;
    MPI_Group group, some;
    int remote = -1, rank = -1, in = -1, last = members() - 1;
    const int alone = check_rank == 0 && lower() > 1;
    MPI_Comm_split(inter, alone, -check_rank, &part);
    if (part != MPI_COMM_NULL) {
        MPI_Comm_remote_size(part, &remote);
        MPI_Comm_rank(part, &rank);
        if (rank == 0)
            MPI_Sendrecv(&check_rank, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, part,
                         MPI_STATUS_IGNORE);
    }
    check(alone ? part == MPI_COMM_NULL : rank == last - me(), "keys order both groups");
    check(rank != 0 || in == (low() ? check_ranks - 1 : lower() - 1),
          "messages go to the other group's new ranks");
    if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
    MPI_Comm_group(inter, &group);
    MPI_Group_incl(group, 1, &last, &some);
    MPI_Comm_create(inter, some, &made);
    if (made != MPI_COMM_NULL) MPI_Allreduce(&check_rank, &in, 1, MPI_INT, MPI_SUM, made);
    check(me() == last ? in == (low() ? check_ranks : lower()) - 1 : made == MPI_COMM_NULL,
          "one is made of some of each group");
    if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
    MPI_Group_free(&group);
    MPI_Group_free(&some);
}

int main(int argc, char **argv)
{
    MPI_Comm half, inter;
    check_begin(&argc, &argv, 2);
    MPI_Comm_split(MPI_COMM_WORLD, low(), check_rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low() ? lower() : 0, 7, &inter);
    scattered(inter);
    later(inter);
    of_many_types(inter);
    parts(inter);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    return check_end();
}
