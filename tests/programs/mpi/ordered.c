/* Reductions by an operation that does not commute, products of 2 x 2 matrices: the standard has
 * them in the order of ranks, whichever call it is. Elements have a gap. */
#include "check.h"

enum { COUNT = 3, CELLS = 4, MODULUS = 1000003 };
struct matrix {
    long cell[CELLS], gap;
};

static void product(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const struct matrix *x = in;
    struct matrix *y = inout;
    (void)type;
    for (int i = 0; i < *count; i++) {
        const long *a = x[i].cell;
        long *b = y[i].cell;
        long r[CELLS] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
                         a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
        for (int c = 0; c < CELLS; c++) b[c] = r[c] % MODULUS;
    }
}

/* The i-th matrix of a rank */
static struct matrix of(int rank, int i)
{
    return (struct matrix){{rank + 1 + i, 2, 3 + i, rank * rank % 7}, 0};
}

/* matrix i of ranks 0 to last is there, and the gap is untouched */
static int is_product(const struct matrix *m, int last, int i)
{
    struct matrix all = of(0, i);
    for (int rank = 1; rank <= last; rank++) {
        struct matrix next = of(rank, i);
        int one = 1;
        product(&all, &next, &one, NULL);
        all = next;
    }
    return memcmp(all.cell, m->cell, sizeof all.cell) == 0 && m->gap == -1;
}

static MPI_Datatype type;
static MPI_Op op;
static struct matrix *mine, *result; /* result: in a window */
static MPI_Win win;

static void begin(int in_place)
{
    for (int i = 0; i < COUNT * check_ranks; i++) {
        mine[i] = of(check_rank, i);
        result[i] = in_place ? mine[i] : (struct matrix){{0}, 0};
        result[i].gap = -1;
    }
}

static int products(int last, int first)
{
    int right = 1;
    for (int i = 0; i < COUNT; i++) right &= last < 0 || is_product(&result[i], last, first + i);
    return right;
}

static void scans(int in_place)
{
    const void *from = in_place ? MPI_IN_PLACE : mine;
    const char *how = in_place ? ", in place" : "";
    const int me = check_rank;
    char sentence[64];
    MPI_Request request;
#define HOLDS(name, last, first)                                                                   \
    (snprintf(sentence, sizeof sentence, "%s%s", name, how), check(products(last, first), sentence))
#define NOW(call, last)                                                                            \
    (begin(in_place), call(from, result, COUNT, type, op, MPI_COMM_WORLD), HOLDS(#call, last, 0))
#define LATER(call, last)                                                                          \
    (begin(in_place), call(from, result, COUNT, type, op, MPI_COMM_WORLD, &request),               \
     MPI_Wait(&request, MPI_STATUS_IGNORE), HOLDS(#call, last, 0))
    NOW(MPI_Scan, me);
    NOW(MPI_Exscan, me - 1);
    NOW(MPI_Allreduce, check_ranks - 1);
    LATER(MPI_Iscan, me);
    LATER(MPI_Iexscan, me - 1);
    LATER(MPI_Iallreduce, check_ranks - 1);
}

static void to_one_rank(int root)
{
    char sentence[64];
    MPI_Request request;
    const char *how = root ? " to the last" : "";
    const int last = check_rank == root ? check_ranks - 1 : -1;
    begin(0);
    MPI_Reduce(mine, result, COUNT, type, op, root, MPI_COMM_WORLD);
    HOLDS("MPI_Reduce", last, 0);
    begin(0);
    MPI_Ireduce(mine, result, COUNT, type, op, root, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    HOLDS("MPI_Ireduce", last, 0);
}

static void scatters(void)
{
    MPI_Request request;
    const int last = check_ranks - 1, first = COUNT * check_rank;
    int counts[64];
    for (int i = 0; i < check_ranks; i++) counts[i] = COUNT;
    begin(0);
    MPI_Reduce_scatter(mine, result, counts, type, op, MPI_COMM_WORLD);
    check(products(last, first), "MPI_Reduce_scatter");
    begin(0);
    MPI_Ireduce_scatter(mine, result, counts, type, op, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(products(last, first), "MPI_Ireduce_scatter");
    begin(0);
    MPI_Ireduce_scatter_block(mine, result, COUNT, type, op, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(products(last, first), "MPI_Ireduce_scatter_block");
}

static void freed(void)
{
    MPI_Request request;
    begin(0);
    MPI_Iscan(mine, result, COUNT, type, op, MPI_COMM_WORLD, &request);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(products(check_rank, 0), "an operation and a type that are freed meanwhile");
    MPI_Win_fence(0, win);
    struct matrix got[COUNT];
    const int other = (check_rank + 1) % check_ranks;
    MPI_Get(got, sizeof got, MPI_BYTE, other, 0, sizeof got, MPI_BYTE, win);
    MPI_Win_fence(0, win);
    memcpy(result, got, sizeof got);
    check(products(other, 0), "others get what it stored into a window");
}

static void add(void *in, void *inout, int *count, MPI_Datatype *of_type)
{
    const struct matrix *x = in;
    struct matrix *y = inout;
    (void)of_type;
    for (int i = 0; i < *count; i++)
        for (int c = 0; c < CELLS; c++) y[i].cell[c] += x[i].cell[c];
}

/* SimGrid took too little memory for elements with gaps. */
static void commutes(void)
{
    MPI_Op sum;
    MPI_Request request;
    const int n = check_ranks;
    int right = 1;
    MPI_Op_create(add, 1, &sum);
    for (int way = 0; way < 2; way++) {
        begin(0);
        if (way == 0)
            MPI_Iallreduce(mine, result, COUNT, type, sum, MPI_COMM_WORLD, &request);
        else
            MPI_Ireduce(mine, result, COUNT, type, sum, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < COUNT && (way == 0 || check_rank == 0); i++)
            right &= result[i].cell[0] == n * (n + 1) / 2 + n * i && result[i].cell[1] == 2 * n &&
                     result[i].gap == -1;
    }
    MPI_Op_free(&sum);
    check(right, "an operation that commutes is applied to elements with gaps, too");
}

/* "the value in recvbuf of the process with rank i is ... the reduction of the values in the send
 * buffers of processes with ranks 0, ..., i-1" (MPI-3.1 5.11.2), whatever the operation makes of 0:
 * SimGrid's MPI_Iexscan began with zeros. */
static void of_mpi(void)
{
    const struct {
        MPI_Op op;
        int value; /* of all but the first: ranks give 6, 7, 14, 15, 6, ... */
    } each[] = {{MPI_MIN, 6}, {MPI_BAND, 6}, {MPI_MAX, -6}};
    MPI_Request request;
    for (int way = 0; way < 3; way++)
        for (unsigned i = 0; i < sizeof each / sizeof *each; i++) {
            int given = (6 | check_rank % 2 | (check_rank / 2 % 2 ? 8 : 0)) *
                        (each[i].op == MPI_MAX ? -1 : 1),
                found = way == 1 ? given : -1;
            if (way < 2)
                MPI_Iexscan(way == 1 ? MPI_IN_PLACE : &given, &found, 1, MPI_INT, each[i].op,
                            MPI_COMM_WORLD, &request);
            else
                MPI_Exscan_init(&given, &found, 1, MPI_INT, each[i].op, MPI_COMM_WORLD,
                                MPI_INFO_NULL, &request),
                    MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            if (way == 2) MPI_Request_free(&request);
            check(check_rank == 0 || found == each[i].value,
                  "MPI_Iexscan by an operation of MPI, of which 0 is not neutral");
        }
}

/* "User-defined operators may operate on general, derived datatypes" (MPI-3.1 5.9.1), of which one
 * lies right behind the other here. The handles are freed before the reduction is over: "any
 * operation pending ... will complete normally" (2.5.1). */
static void add_pairs(void *in, void *inout, int *n, MPI_Datatype *datatype)
{
    (void)datatype;
    for (int i = 0; i < 2 * *n; i++) ((long *)inout)[i] += ((long *)in)[i];
}
static int is_sum(const long *found, int first, int last)
{
    const long sum = (long)(last + first) * (last - first + 1) / 2;
    return found[0] == sum && found[1] == 2 * sum;
}

static void of_made_types(void)
{
    const int n = check_ranks, me = check_rank;
    int *each = malloc((size_t)n * sizeof *each), right[6] = {0}, persistent = 1;
    long *mine = malloc(2 * (size_t)n * sizeof *mine), found[2];
    for (int i = 0; i < n; i++) each[i] = 1, mine[2 * i] = me, mine[2 * i + 1] = 2 * me;
    for (int way = 0; way < 7; way++) {
        MPI_Datatype pair;
        MPI_Op add;
        MPI_Comm comm;
        MPI_Request request;
        MPI_Type_contiguous(2, MPI_LONG, &pair);
        MPI_Type_commit(&pair);
        MPI_Op_create(add_pairs, 1, &add);
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        found[0] = found[1] = -1;
        if (way == 0) MPI_Ireduce(mine, found, 1, pair, add, 0, comm, &request);
        if (way == 1) MPI_Iallreduce(mine, found, 1, pair, add, comm, &request);
        if (way == 2) MPI_Iscan(mine, found, 1, pair, add, comm, &request);
        if (way == 3) MPI_Iexscan(mine, found, 1, pair, add, comm, &request);
        if (way == 4) MPI_Ireduce_scatter(mine, found, each, pair, add, comm, &request);
        if (way == 5) MPI_Ireduce_scatter_block(mine, found, 1, pair, add, comm, &request);
        if (way == 6) MPI_Allreduce_init(mine, found, 1, pair, add, comm, MPI_INFO_NULL, &request);
        MPI_Type_free(&pair);
        MPI_Op_free(&add);
        MPI_Comm_free(&comm);
        for (int round = 0; way == 6 && round < 2; round++) {
            found[0] = found[1] = -1;
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            persistent &= is_sum(found, 0, n - 1);
        }
        if (way == 6)
            MPI_Request_free(&request);
        else
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (way < 6)
            right[way] = (way == 0 && me > 0) || (way == 3 && me == 0) ||
                         is_sum(found, 0,
                                way == 2   ? me
                                : way == 3 ? me - 1
                                           : n - 1);
    }
    check(right[0] && right[1],
          "MPI_Ireduce and MPI_Iallreduce of a datatype that the program made");
    check(right[2] && right[3], "MPI_Iscan and MPI_Iexscan");
    check(right[4] && right[5], "MPI_Ireduce_scatter and MPI_Ireduce_scatter_block");
    check(persistent, "a persistent reduction, whose handles are freed before it starts");
    free(mine);
    free(each);
}

/* An operation of C's numbers, freed before SimGrid's reduction is over. */
static void add_longs(void *in, void *inout, int *n, MPI_Datatype *datatype)
{
    (void)datatype;
    for (int i = 0; i < *n; i++) ((long *)inout)[i] += ((long *)in)[i];
}
static void freed_early(void)
{
    const long mine = check_rank, all = (long)check_ranks * (check_ranks - 1) / 2;
    long found[3] = {-1, -1, -1};
    MPI_Op add;
    MPI_Request request[3];
    MPI_Op_create(add_longs, 1, &add);
    MPI_Iallreduce(&mine, &found[0], 1, MPI_LONG, add, MPI_COMM_WORLD, &request[0]);
    MPI_Iscan(&mine, &found[1], 1, MPI_LONG, add, MPI_COMM_WORLD, &request[1]);
    MPI_Iallreduce(&mine, &found[2], 1, MPI_LONG, add, MPI_COMM_WORLD, &request[2]);
    MPI_Op_free(&add);
    check(add == MPI_OP_NULL, "an operation is freed while reductions need it");
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    check(found[0] == all && found[1] == (long)check_rank * (check_rank + 1) / 2 && found[2] == all,
          "and they complete as they should");
}

/* "Each process sends to and receives from the same locations" in place (MPI-3.1 5.8): of elements
 * that have gaps, or lie in each other's. */
static void with_gaps(void)
{
    enum { ROOM = 1000 };
    const int n = check_ranks, me = check_rank;
    int counts[64], displs[64], words[2][ROOM], columns[ROOM], column[2], right[3] = {1, 1, 1};
    MPI_Datatype pair, types[64], interleaved;
    if (n > 64) return;
    MPI_Type_vector(2, 1, 3, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_create_resized(pair, 0, 4, &interleaved);
    MPI_Type_commit(&interleaved);
    for (int way = 0; way < 2; way++) {
        MPI_Request request;
        for (int i = 0; i < ROOM; i++) words[way][i] = -1;
        for (int i = 0; i < n; i++) {
            counts[i] = 1 + (i + me) % 2;
            displs[i] = 3 * i * (way ? 16 : 1);
            types[i] = pair;
            for (int j = 0; j < counts[i]; j++)
                for (int k = 0; k < 2; k++)
                    words[way][12 * i + 4 * j + 3 * k] = 1000 * me + 10 * i + 2 * j + k;
        }
        if (way == 0)
            MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, words[way], counts, displs,
                          pair, MPI_COMM_WORLD);
        if (way == 1) {
            MPI_Ialltoallw(MPI_IN_PLACE, NULL, NULL, NULL, words[way], counts, displs, types,
                           MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < counts[i]; j++)
                for (int k = 0; k < 2; k++)
                    right[way] &=
                        words[way][12 * i + 4 * j + 3 * k] == 1000 * i + 10 * me + 2 * j + k;
    }
    for (int i = 0; i < ROOM; i++) columns[i] = i;
    for (int root = 0; root < n; root++) {
        MPI_Scatter(columns, 1, interleaved, column, 2, MPI_INT, root, MPI_COMM_WORLD);
        right[2] &= column[0] == me && column[1] == me + 3;
    }
    MPI_Type_free(&pair);
    MPI_Type_free(&interleaved);
    check(right[0] && right[1], "MPI_Alltoallv and MPI_Ialltoallw in place, of elements with gaps");
    check(right[2], "MPI_Scatter of elements that lie in each other's");
}

int main(int argc, char **argv)
{
    MPI_Datatype cells;
    check_begin(&argc, &argv, 1);
    MPI_Type_contiguous(CELLS, MPI_LONG, &cells);
    MPI_Type_create_resized(cells, 0, sizeof(struct matrix), &type);
    MPI_Type_commit(&type);
    MPI_Op_create(product, 0, &op);
    const MPI_Aint bytes = COUNT * check_ranks * (MPI_Aint)sizeof *mine;
    mine = malloc((size_t)bytes);
    MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &result, &win);
    MPI_Win_fence(0, win);
    scans(0);
    scans(1);
    to_one_rank(0);
    to_one_rank(check_ranks - 1);
    scatters();
    commutes();
    of_mpi();
    freed();
    of_made_types();
    freed_early();
    with_gaps();
    MPI_Win_free(&win);
    free(mine);
    return check_end();
}
