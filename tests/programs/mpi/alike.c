/* Each collective has three forms, and "the semantics of the nonblocking collectives" are those of
 * the blocking ones (MPI-3.1 5.12), as are those of the persistent ones (MPI-4.0 6.13): of
 * datatypes with gaps, with elements that interleave, in place or not, with an operation of the
 * program's.
 *
 *   alike ROUNDS SEED
 */
#include "check.h"

enum { ROOM = 8000, AT = 1000, TYPES = 7, CALLS = 14, REDUCTIONS = 8 };

static int given[2][ROOM], got[2][ROOM];
static unsigned state;
static int random_below(int n)
{
    state = state * 1103515245 + 12345;
    return (int)(state >> 16) % n;
}

static MPI_Datatype make_type(int kind)
{
    const int one_two[] = {1, 2}, three_none[] = {3, 0}, ones[] = {1, 1};
    const MPI_Aint backwards[] = {8, 0};
    const MPI_Datatype ints[] = {MPI_INT, MPI_INT};
    MPI_Datatype type, inner;
    if (kind == 1) MPI_Type_contiguous(2, MPI_INT, &type);
    if (kind == 2) MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    if (kind == 3) MPI_Type_create_resized(MPI_INT, -4, 12, &type);
    if (kind == 4) MPI_Type_indexed(2, one_two, three_none, MPI_INT, &type);
    if (kind == 5) MPI_Type_create_struct(2, ones, backwards, ints, &type);
    if (kind == 6) { /* each lies in the next: only to be sent */
        MPI_Type_vector(2, 1, 3, MPI_INT, &inner);
        MPI_Type_create_resized(inner, 0, 8, &type);
        MPI_Type_free(&inner);
    }
    MPI_Type_commit(&type);
    return type;
}

/* Of all numbers in the elements. */
static void sum(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int one, at = 0;
    MPI_Type_size(*type, &one);
    const int bytes = one * *n;
    int *a = malloc((size_t)bytes + 1), *b = malloc((size_t)bytes + 1);
    MPI_Pack(in, *n, *type, a, bytes, &at, MPI_COMM_SELF);
    at = 0;
    MPI_Pack(inout, *n, *type, b, bytes, &at, MPI_COMM_SELF);
    for (int i = 0; i < bytes / (int)sizeof *a; i++) b[i] += a[i];
    at = 0;
    MPI_Unpack(b, bytes, &at, inout, *n, *type, MPI_COMM_SELF);
    free(a);
    free(b);
}

struct round {
    int call, kind, count, root, in_place, form; /* 0: nonblocking, 1: tested, 2: persistent */
    int counts[64], displs[64], each[64];        /* each: what two ranks exchange */
    MPI_Datatype type;
    MPI_Op op;
};

#define FORMS(Name, name, ...)                                                                     \
    if (!request)                                                                                  \
        MPI_##Name(__VA_ARGS__, MPI_COMM_WORLD);                                                   \
    else if (x->form < 2)                                                                          \
        MPI_I##name(__VA_ARGS__, MPI_COMM_WORLD, request);                                         \
    else                                                                                           \
        MPI_##Name##_init(__VA_ARGS__, MPI_COMM_WORLD, MPI_INFO_NULL, request);                    \
    break

static void perform(const struct round *x, int *from, int *to, MPI_Request *request)
{
    const int rooted = x->in_place && check_rank == x->root;
    const void *all = x->in_place ? MPI_IN_PLACE : from, *one = rooted ? MPI_IN_PLACE : from;
    void *back = rooted ? MPI_IN_PLACE : to;
    const int n = x->count, root = x->root, mine = x->counts[check_rank];
    const int *counts = x->counts, *displs = x->displs, *each = x->each;
    const MPI_Datatype t = x->type;
    const MPI_Op op = x->op;
    switch (x->call) {
    case 0: FORMS(Bcast, bcast, from, n, t, root);
    case 1: FORMS(Scatter, scatter, from, n, t, back, n, t, root);
    case 2: FORMS(Gather, gather, one, n, t, to, n, t, root);
    case 3: FORMS(Gatherv, gatherv, one, mine, t, to, counts, displs, t, root);
    case 4: FORMS(Allgather, allgather, all, n, t, to, n, t);
    case 5: FORMS(Allgatherv, allgatherv, all, mine, t, to, counts, displs, t);
    case 6: FORMS(Alltoall, alltoall, all, n, t, to, n, t);
    case 7: FORMS(Alltoallv, alltoallv, all, each, displs, t, to, each, displs, t);
    case REDUCTIONS: FORMS(Reduce, reduce, one, to, n, t, op, root);
    case 9: FORMS(Allreduce, allreduce, all, to, n, t, op);
    case 10: FORMS(Scan, scan, all, to, n, t, op);
    case 11: FORMS(Exscan, exscan, all, to, n, t, op);
    case 12: FORMS(Reduce_scatter, reduce_scatter, from, to, counts, t, op);
    case 13: FORMS(Reduce_scatter_block, reduce_scatter_block, from, to, n, t, op);
    }
}

static void complete(const struct round *x, MPI_Request *request)
{
    int done = 0;
    if (x->form == 2) MPI_Start(request);
    while (x->form == 1 && !done) MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (x->form != 1) MPI_Wait(request, MPI_STATUS_IGNORE);
    if (x->form == 2) MPI_Request_free(request);
}

static int alike(int number)
{
    struct round x = {.call = random_below(CALLS),
                      .kind = random_below(TYPES),
                      .count = 1 + random_below(4),
                      .root = random_below(check_ranks),
                      .in_place = random_below(3) == 0,
                      .form = random_below(3),
                      .op = MPI_SUM};
    const int commutes = random_below(2), own = x.call >= REDUCTIONS && (x.kind || commutes);
    MPI_Request request;
    if (x.kind == 6 && x.call > 1) x.kind = 2;
    x.type = x.kind ? make_type(x.kind) : MPI_INT;
    if (own) MPI_Op_create(sum, commutes, &x.op);
    for (int i = 0; i < check_ranks; i++) {
        x.counts[i] = 1 + (i + number) % 3;
        x.displs[i] = 4 * i;
        x.each[i] = 1 + (i + check_rank) % 3;
    }
    for (int i = 0; i < ROOM; i++) {
        given[0][i] = given[1][i] = check_rank * 100000 + i;
        got[0][i] = got[1][i] = x.in_place ? check_rank * 1000 + i : -1;
    }
    perform(&x, given[0] + AT, got[0] + AT, NULL);
    perform(&x, given[1] + AT, got[1] + AT, &request);
    complete(&x, &request);
    if (own) MPI_Op_free(&x.op);
    if (x.kind) MPI_Type_free(&x.type);
    const int same =
        !memcmp(got[0], got[1], sizeof got[0]) && !memcmp(given[0], given[1], sizeof given[0]);
    if (!same)
        fprintf(stderr, "rank %d, round %d: call %d of type %d, %d, root %d, form %d%s\n",
                check_rank, number, x.call, x.kind, x.count, x.root, x.form,
                x.in_place ? ", in place" : "");
    return same;
}

int main(int argc, char **argv)
{
    int all_alike = 1;
    check_begin(&argc, &argv, 1);
    const int rounds = argc > 1 ? atoi(argv[1]) : 100;
    state = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    for (int i = 0; i < rounds && check_ranks <= 64; i++) all_alike &= alike(i);
    check(all_alike, "every form of a collective gives what the blocking one does");
    return check_end();
}
