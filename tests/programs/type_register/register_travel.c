/* What travels with an operation, by datatype: register_travel TYPE KIND HOW. Rank 0 issues one
 * operation to rank 1 `times` times; the JSON's description_bytes tell (register_test.sh). */
#include "check.h"
#include "type_register.h"

#include <sidewinder.h>

static void sum(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *len; i++) ((long *)inout)[i] += ((long *)in)[i];
}

static void slow_sum(void *in, void *inout, int *len, MPI_Datatype *type)
{
    sum(in, inout, len, type);
    sw_compute(100000);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    const char *shape = argc > 1 ? argv[1] : "", *kind = argc > 2 ? argv[2] : "",
               *how = argc > 3 ? argv[3] : "";
    int times = argc > 4 ? atoi(argv[4]) : 1;
    long *cell, sent[4] = {1, 2, 3, 4}, got[4];
    int lengths[3] = {1, 1, 1}, at[3] = {0, 2, 5};
    MPI_Aint places[3] = {0, 16, 24};
    MPI_Datatype inner, type, second, longs[3] = {MPI_LONG, MPI_LONG, MPI_LONG};
    MPI_Op op;
    MPI_Win win;
    MPI_Win_allocate(32 * sizeof *cell, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    memset(cell, 0, 32 * sizeof *cell);
    MPI_Type_vector(2, 1, 2, MPI_LONG, &inner);
    int count = 3;
    if (strcmp(shape, "vector") == 0)
        MPI_Type_vector(3, 1, 2, MPI_LONG, &type);
    else if (strcmp(shape, "contiguous") == 0)
        MPI_Type_contiguous(3, MPI_LONG, &type);
    else if (strcmp(shape, "indexed") == 0)
        MPI_Type_indexed(3, lengths, at, MPI_LONG, &type);
    else if (strcmp(shape, "hindexed") == 0)
        MPI_Type_create_hindexed(3, lengths, places, MPI_LONG, &type);
    else if (strcmp(shape, "struct") == 0)
        MPI_Type_create_struct(3, lengths, places, longs, &type);
    else if (strcmp(shape, "nested") == 0)
        MPI_Type_contiguous(2, inner, &type), count = 4;
    else
        MPI_Type_dup(MPI_LONG, &type), count = 1;
    MPI_Type_commit(&type);
    MPI_Type_dup(type, &second);
    MPI_Op_create(strcmp(how, "slow") == 0 ? slow_sum : sum, 1, &op);
    MPI_Op_register(op, MPI_COMM_WORLD);
    if (strcmp(how, "registered") == 0) MPI_Type_register(type, MPI_COMM_WORLD);
    int predefined = strcmp(shape, "predefined") == 0;
    if (predefined) count = 3;
    MPI_Win_fence(0, win);
    double begin = MPI_Wtime();
    for (int i = 0; check_rank == 0 && i < times; i++) {
        MPI_Datatype there = predefined                               ? MPI_LONG
                             : strcmp(how, "alternate") == 0 && i % 2 ? second
                                                                      : type;
        int theirs = predefined ? 3 : 1;
        if (strcmp(kind, "put") == 0) MPI_Put(sent, count, MPI_LONG, 1, 0, theirs, there, win);
        if (strcmp(kind, "get") == 0) MPI_Get(got, count, MPI_LONG, 1, 0, theirs, there, win);
        if (strcmp(kind, "sum") == 0)
            MPI_Accumulate(sent, count, MPI_LONG, 1, 0, theirs, there, MPI_SUM, win);
        if (strcmp(kind, "own") == 0)
            MPI_Accumulate(sent, count, MPI_LONG, 1, 0, theirs, there, op, win);
    }
    MPI_Win_fence(0, win);
    if (check_rank == 0) printf("us=%.3f\n", (MPI_Wtime() - begin) * 1e6);
    long mine = cell[0] + cell[1] + cell[2] + cell[3] + cell[4] + cell[5] + cell[6];
    long whole = count == 4 ? 10 : count == 3 ? 6 : 1;
    if (strcmp(kind, "get") == 0)
        whole = 0;
    else if (strcmp(kind, "put") != 0)
        whole *= times;
    check(check_rank != 1 || mine == whole, "the bytes are right");
    if (strcmp(how, "registered") == 0) MPI_Type_dereg(type, MPI_COMM_WORLD);
    MPI_Op_dereg(op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Type_free(&inner);
    MPI_Type_free(&second);
    MPI_Type_free(&type);
    MPI_Win_free(&win);
    return check_end();
}
