/* A user's operation may call MPI, as one that packs what it adds does: what it does then has its
 * dates and its costs as before, round by round. */
#include "check.h"

enum { ROUNDS = 40, MOST = 512 };

static void sum(void *in, void *inout, int *n, MPI_Datatype *type)
{
    static int a[MOST], b[MOST];
    int one, at = 0;
    MPI_Type_size(*type, &one);
    const int bytes = one * *n;
    MPI_Pack(in, *n, *type, a, sizeof a, &at, MPI_COMM_SELF);
    at = 0;
    MPI_Pack(inout, *n, *type, b, sizeof b, &at, MPI_COMM_SELF);
    for (int i = 0; i < bytes / (int)sizeof *a; i++) b[i] += a[i];
    at = 0;
    MPI_Unpack(b, sizeof b, &at, inout, *n, *type, MPI_COMM_SELF);
}

/* Only computes, the other way round: first it calls MPI. */
static void late(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int at = 0;
    char packed[16];
    volatile double x = 1;
    MPI_Pack(in, 1, *type, packed, sizeof packed, &at, MPI_COMM_SELF);
    for (int i = 0; i < 1000; i++) x = x * 1.0001;
    for (int i = 0; i < *n; i++) ((int *)inout)[i] += ((int *)in)[i];
}

static double seconds(MPI_Op op, int n, int *right)
{
    static int from[MOST], to[MOST];
    for (int i = 0; i < n; i++) from[i] = i + check_rank;
    const double start = MPI_Wtime();
    MPI_Allreduce(from, to, n, MPI_INT, op, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        *right &= to[i] == check_ranks * i + check_ranks * (check_ranks - 1) / 2;
    return MPI_Wtime() - start;
}

int main(int argc, char **argv)
{
    MPI_Op op[2];
    check_begin(&argc, &argv, 3);
    MPI_Op_create(sum, 1, &op[0]);
    MPI_Op_create(late, 1, &op[1]);
    for (int n = 1; n <= 400; n += 133) {
        double second = 0, last = 0;
        int right = 1;
        for (int round = 0; round < ROUNDS; round++) {
            last = seconds(op[0], n, &right);
            if (round == 1) second = last;
        }
        check(right, "what an operation has packed is summed");
        check(last < 3 * second, "the last round takes no longer than an early one");
    }
    int right = 1;
    double work = MPI_Wtime();
    volatile double x = 1;
    for (int i = 0; i < 1000; i++) x = x * 1.0001;
    work = MPI_Wtime() - work;
    for (int round = 0; round < 3; round++) seconds(op[1], 4, &right);
    check(seconds(op[1], 4, &right) > work && right,
          "what an operation computes behind a call of MPI takes its time");
    MPI_Op_free(&op[0]);
    MPI_Op_free(&op[1]);
    return check_end();
}
