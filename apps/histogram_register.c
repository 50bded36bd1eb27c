/* The histogram of histogram.h with MPI windows and a registered operation of the program's own: a
 * bin is a count and the last rank that incremented it, which no predefined operation keeps
 * together. */
#include "histogram.h"
#include "type_register.h"

struct counted {
    long count, last;
};

static struct counted *table;
static long *bin;
static MPI_Win win;
static MPI_Op op;
static MPI_Datatype pair;

static void count(void *in, void *inout, int *len, MPI_Datatype *type)
{
    const struct counted *from = in;
    struct counted *to = inout;
    (void)type;
    for (int i = 0; i < *len; i++) to[i].count += from[i].count, to[i].last = from[i].last;
}

static long *allocate(void)
{
    MPI_Type_contiguous(2, MPI_LONG, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(count, 0, &op);
    MPI_Type_register(pair, MPI_COMM_WORLD);
    MPI_Op_register(op, MPI_COMM_WORLD);
    MPI_Win_allocate(bins * (MPI_Aint)sizeof *table, sizeof *table, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &table, &win);
    for (int i = 0; i < bins; i++) table[i] = (struct counted){0, -1};
    return bin = calloc((size_t)bins, sizeof *bin);
}

static struct counted one; /* read by accumulates until the fence */

static void begin(void)
{
    one = (struct counted){1, rank};
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
}

static void increment(int owner, long where)
{
    MPI_Accumulate(&one, 1, pair, owner, where, 1, pair, op, win);
}

static void finish(void)
{
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    for (int i = 0; i < bins; i++) bin[i] = table[i].count;
}

static void release(void)
{
    MPI_Op_dereg(op, MPI_COMM_WORLD);
    MPI_Type_dereg(pair, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
    MPI_Win_free(&win);
    free(bin);
}

int main(int argc, char **argv)
{
    static const struct histogram_interface registered = {
        "histogram_register", allocate, begin, increment, finish, release};
    return histogram(argc, argv, &registered);
}
