/* Collective calls of short, middle and long blocks: for each size SimGrid takes another algorithm,
 * and some know only some numbers of ranks. */
#include "check.h"

static int ranks, me;

static int filled(const char *block, size_t bytes, int value)
{
    for (size_t i = 0; i < bytes; i++)
        if (block[i] != (char)value) return 0;
    return 1;
}

static int alltoall(char *from, char *to, int bytes, int in_place)
{
    int right = 1;
    for (int i = 0; i < ranks; i++)
        memset((in_place ? to : from) + (size_t)i * (size_t)bytes, 16 * me + i, (size_t)bytes);
    MPI_Alltoall(in_place ? MPI_IN_PLACE : from, bytes, MPI_BYTE, to, bytes, MPI_BYTE,
                 MPI_COMM_WORLD);
    for (int i = 0; i < ranks; i++)
        right &= filled(to + (size_t)i * (size_t)bytes, (size_t)bytes, 16 * i + me);
    return right;
}

static int gathers(char *from, char *to, int bytes)
{
    int right = 1;
    memset(from, me + 1, (size_t)bytes);
    MPI_Allgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; i++)
        right &= filled(to + (size_t)i * (size_t)bytes, (size_t)bytes, i + 1);
    MPI_Bcast(from, bytes, MPI_BYTE, ranks - 1, MPI_COMM_WORLD);
    right &= filled(from, (size_t)bytes, ranks);
    MPI_Gather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Scatter(to, bytes, MPI_BYTE, from, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    return right & filled(from, (size_t)bytes, ranks);
}

/* Rows of each rank become columns of a matrix: the receive's elements lie in each other's. SimGrid
 * stored behind the matrix. */
static int columns(int *row, int *matrix, int n)
{
    MPI_Datatype column, next;
    int right = 1, counts[16], displs[16];
    MPI_Type_vector(n, 1, ranks, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &next);
    MPI_Type_commit(&next);
    MPI_Type_free(&column);
    for (int i = 0; i < ranks; i++) counts[i] = 1, displs[i] = i;
    for (int way = 0; way < 6; way++) {
        const int all = way < 4, in_place = way == 2 || way == 3;
        for (int i = 0; i < n * ranks; i++) matrix[i] = -1;
        for (int i = 0; i < n; i++) row[i] = me * n + i;
        for (int i = 0; i < n && in_place; i++) matrix[i * ranks + me] = row[i];
        const void *from = in_place ? MPI_IN_PLACE : row;
        if (all && way % 2 == 0)
            MPI_Allgather(from, n, MPI_INT, matrix, 1, next, MPI_COMM_WORLD);
        else if (all)
            MPI_Allgatherv(from, n, MPI_INT, matrix, counts, displs, next, MPI_COMM_WORLD);
        else if (way == 4)
            MPI_Gather(from, n, MPI_INT, matrix, 1, next, ranks - 1, MPI_COMM_WORLD);
        else
            MPI_Gatherv(from, n, MPI_INT, matrix, counts, displs, next, ranks - 1, MPI_COMM_WORLD);
        for (int i = 0; i < n * ranks && (all || me == ranks - 1); i++)
            right &= matrix[i] == i % ranks * n + i / ranks;
    }
    /* and back, each column into one of this rank's own, and in place */
    for (int i = 0; i < n * ranks; i++) matrix[i] = i % ranks * n + i / ranks;
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, matrix, 1, next, MPI_COMM_WORLD);
    for (int i = 0; i < n * ranks; i++) right &= matrix[i] == me * n + i / ranks;
    for (int i = 0; i < n * ranks; i++) row[i] = me * n * ranks + i;
    MPI_Alltoall(row, n, MPI_INT, matrix, 1, next, MPI_COMM_WORLD);
    for (int i = 0; i < n * ranks; i++)
        right &= matrix[i] == i % ranks * n * ranks + me * n + i / ranks;
    for (int i = 0; i < n * ranks; i++) row[i] = i % ranks * n + i / ranks, matrix[i] = -1;
    MPI_Scatter(row, 1, next, matrix, 1, next, 0, MPI_COMM_WORLD);
    for (int i = 0; i < n * ranks; i++) right &= matrix[i] == (i % ranks ? -1 : me * n + i / ranks);
    MPI_Type_free(&next);
    return right;
}

static int reductions(int *from, int *to, int count)
{
    int right = 1, sum = ranks * (ranks + 1) / 2;
    for (int i = 0; i < count * ranks; i++) from[i] = me + 1;
    MPI_Allreduce(from, to, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++) right &= to[i] == sum;
    MPI_Reduce(from, to, count, MPI_INT, MPI_MAX, ranks / 2, MPI_COMM_WORLD);
    for (int i = 0; i < count && me == ranks / 2; i++) right &= to[i] == ranks;
    MPI_Reduce_scatter_block(from, to, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++) right &= to[i] == sum;
    MPI_Scan(from, to, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++) right &= to[i] == (me + 1) * (me + 2) / 2;
    return right;
}

int main(int argc, char **argv)
{
    static const int sizes[] = {4, 1000, 40000, 300000};
    char sentence[80];
    check_begin(&argc, &argv, 1);
    ranks = check_ranks;
    me = check_rank;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const int bytes = sizes[s];
        char *from = malloc((size_t)ranks * (size_t)bytes),
             *to = malloc((size_t)ranks * (size_t)bytes);
#define HOLDS(truth, name)                                                                         \
    (snprintf(sentence, sizeof sentence, "%s of %d bytes", name, bytes), check(truth, sentence))
        HOLDS(alltoall(from, to, bytes, 0), "MPI_Alltoall");
        HOLDS(alltoall(from, to, bytes, 1), "MPI_Alltoall in place");
        HOLDS(gathers(from, to, bytes), "gathers, a broadcast and a scatter");
        if (bytes < 10000)
            HOLDS(columns((int *)from, (int *)to, bytes / 4), "columns gathered of rows");
        HOLDS(reductions((int *)from, (int *)to, bytes / 4), "reductions");
        free(from);
        free(to);
    }
    return check_end();
}
