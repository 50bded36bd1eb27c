/* Registered operations of the program's own: the target's function runs, once an operation, on the
 * elements that MPI would give it, and nothing comes between ("A very modest proposal
 * (Datatypes/Ops in RMA)", J. L. Traeff, 2008). */
#include "register_scene.h"

#include <sidewinder.h>

typedef struct {
    double re, im;
} complex_pair;
typedef struct {
    int key;
    double value;
    char tag;
} record;

static void other(void *in, void *inout, int *len, MPI_Datatype *type)
{
    long *a = in, *b = inout;
    (void)type;
    for (int i = 0; i < *len; i++) b[i] -= a[i];
}

/* MPI-2 5.9.5, the example's product of complex numbers. */
static void product(void *in, void *inout, int *len, MPI_Datatype *type)
{
    complex_pair *a = in, *b = inout;
    seen = *type;
    for (int i = 0; i < *len; i++) {
        complex_pair c = {a[i].re * b[i].re - a[i].im * b[i].im,
                          a[i].re * b[i].im + a[i].im * b[i].re};
        b[i] = c;
    }
}

static void newest(void *in, void *inout, int *len, MPI_Datatype *type)
{
    record *a = in, *b = inout;
    (void)type;
    for (int i = 0; i < *len; i++)
        if (a[i].key > b[i].key) b[i] = a[i];
}

/* Does not commute: appends decimal digits. */
static void append(void *in, void *inout, int *len, MPI_Datatype *type)
{
    long *a = in, *b = inout;
    (void)type;
    for (int i = 0; i < *len; i++) b[i] = 10 * b[i] + a[i];
}

static void with_heap(void *in, void *inout, int *len, MPI_Datatype *type)
{
    int size;
    MPI_Type_size(*type, &size);
    long *copy = malloc((size_t)*len * (size_t)size);
    memcpy(copy, in, (size_t)*len * (size_t)size);
    for (int i = 0; i < *len; i++) ((long *)inout)[i] += copy[i];
    free(copy);
    sw_compute(1000);
}

/* ---- operations ------------------------------------------------------------------------------ */

static void operations(void)
{
    MPI_Op op, kept;
    long value = me + 1, got = -1;
    int target = (me + 1) % ranks, from = (me + ranks - 1) % ranks;
    MPI_Op_create(weighted, 1, &op);
    calls = elements = 0;
    fill();
    MPI_Win_fence(0, win);
    check(class_of(MPI_Accumulate(&value, 1, MPI_LONG, target, 0, 1, MPI_LONG, op, win)) ==
              MPI_ERR_OP,
          "only registered operations of the program's own can be used in MPI_Accumulate");
    MPI_Win_fence(0, win);
    check(MPI_Op_register(op, WORLD) == MPI_SUCCESS, "MPI_Op_register is collective and succeeds");
    long three[3] = {1, 10, 100};
    MPI_Win_fence(0, win);
    MPI_Accumulate(three, 3, MPI_LONG, target, 0, 3, MPI_LONG, op, win);
    MPI_Win_fence(0, win);
    int right =
        cell[0] == weight && cell[1] == 10 * weight && cell[2] == 100 * weight && cell[3] == 0;
    check(right, "then MPI_Accumulate applies the target's function");
    check(calls == 1 && elements == 3 && seen == MPI_LONG,
          "it is called once, with all elements and their datatype, on the target's own variables");

    MPI_Win_fence(0, win);
    MPI_Get_accumulate(&value, 1, MPI_LONG, &got, 1, MPI_LONG, target, 0, 1, MPI_LONG, op, win);
    MPI_Win_fence(0, win);
    check(got == 100 + target && cell[0] == weight + (from + 1) * weight,
          "MPI_Get_accumulate applies it and gives the old value");
    MPI_Win_fence(0, win);
    MPI_Fetch_and_op(&value, &got, MPI_LONG, target, 4, op, win);
    MPI_Win_fence(0, win);
    check(got == 0 && cell[4] == (from + 1) * weight, "so does MPI_Fetch_and_op");
    MPI_Request request[2];
    MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
    MPI_Raccumulate(&value, 1, MPI_LONG, target, 5, 1, MPI_LONG, op, win, &request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Rget_accumulate(&value, 1, MPI_LONG, &got, 1, MPI_LONG, target, 5, 1, MPI_LONG, op, win,
                        &request[1]);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    MPI_Win_unlock(target, win);
    check(got == (me + 1) * (100 + target), "and their request-based forms");
    MPI_Barrier(WORLD);

    fill();
    MPI_Win_fence(0, win);
    for (int i = 0; i < 5; i++) MPI_Accumulate(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, op, win);
    MPI_Win_fence(0, win);
    check(me != 0 || cell[0] == 5L * ranks * (ranks + 1) / 2 * weight,
          "everybody's accumulates to one place are atomic");

    kept = op;
    check(class_of(MPI_Op_free(&kept)) == MPI_ERR_OP && kept == op,
          "a registered operation must be deregistered before it is freed");
    check(MPI_Op_dereg(op, WORLD) == MPI_SUCCESS && class_of(MPI_Op_dereg(op, WORLD)) == MPI_ERR_OP,
          "deregistering an operation twice is an error");
    MPI_Win_fence(0, win);
    check(class_of(MPI_Accumulate(&value, 1, MPI_LONG, target, 0, 1, MPI_LONG, op, win)) ==
              MPI_ERR_OP,
          "once deregistered it is refused");
    MPI_Win_fence(0, win);
    check(MPI_Op_free(&op) == MPI_SUCCESS, "and can be freed");

    if (me % 2)
        MPI_Op_create(other, 1, &op);
    else
        MPI_Op_create(weighted, 1, &op);
    MPI_Op_register(op, WORLD);
    fill();
    MPI_Win_fence(0, win);
    MPI_Accumulate(&value, 1, MPI_LONG, target, 0, 1, MPI_LONG, op, win);
    MPI_Win_fence(0, win);
    check(cell[0] == (me % 2 ? -(from + 1L) : (from + 1) * weight),
          "where ranks register different functions, the target's is the one that runs");
    MPI_Op_dereg(op, WORLD);
    MPI_Op_free(&op);
}

static void order(void)
{
    MPI_Op op;
    MPI_Op_create(append, 0, &op);
    MPI_Op_register(op, WORLD);
    fill();
    MPI_Win_fence(0, win);
    for (long digit = 1; me == 1 && digit < 6; digit++)
        MPI_Accumulate(&digit, 1, MPI_LONG, 0, 0, 1, MPI_LONG, op, win);
    MPI_Win_fence(0, win);
    check(me != 0 || cell[0] == 12345, "an operation that does not commute is applied in the order "
                                       "of servicing: one origin's, in its order");
    MPI_Op_dereg(op, WORLD);
    MPI_Op_free(&op);

    MPI_Op_create(with_heap, 1, &op);
    MPI_Op_register(op, WORLD);
    fill();
    long value = 7;
    MPI_Win_fence(0, win);
    MPI_Accumulate(&value, 1, MPI_LONG, (me + 1) % ranks, 0, 1, MPI_LONG, op, win);
    MPI_Win_fence(0, win);
    check(cell[0] == 7, "a function may allocate, call the library and query datatypes");
    MPI_Op_dereg(op, WORLD);
    MPI_Op_free(&op);
}

/* ---- derived datatypes and operations -------------------------------------------------------- */

static void elements_of_datatypes(void)
{
    MPI_Op op;
    MPI_Datatype vector = strided(4), pair, pairs, rec;
    int target = (me + 1) % ranks;
    MPI_Op_create(weighted, 1, &op);
    MPI_Op_register(op, WORLD);
    MPI_Type_register(vector, WORLD);
    fill();
    long four[4] = {1, 2, 3, 4};
    calls = elements = 0;
    MPI_Win_fence(0, win);
    MPI_Accumulate(four, 4, MPI_LONG, target, 3, 1, vector, op, win);
    MPI_Win_fence(0, win);
    int right = calls == 1 && elements == 4 && seen == MPI_LONG;
    for (int i = 0; i < 12; i++)
        right &= cell[i] == (i >= 3 && i % 2 == 1 && i < 11 ? (i - 1) / 2 * weight : 0);
    check(right, "a vector says where elements lie: the function gets the predefined ones, one "
                 "behind the other");
    MPI_Type_dereg(vector, WORLD);
    calls = 0;
    MPI_Win_fence(0, win);
    MPI_Accumulate(four, 4, MPI_LONG, target, 3, 1, vector, op, win);
    MPI_Win_fence(0, win);
    check(calls == 1 && cell[3] == 2 * weight && cell[4] == 0,
          "whether the datatype is registered or described");
    MPI_Op_dereg(op, WORLD);
    MPI_Op_free(&op);
    MPI_Type_free(&vector);

    MPI_Op_create(product, 1, &op);
    MPI_Op_register(op, WORLD);
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_register(pair, WORLD);
    MPI_Type_vector(3, 1, 2, pair, &pairs);
    MPI_Type_commit(&pairs);
    fill();
    complex_pair *mine = (complex_pair *)(void *)cell, factor[3] = {{0, 1}, {2, 0}, {1, 1}};
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, win);
    for (int i = 0; i < 8; i++) mine[i] = (complex_pair){i, 1};
    MPI_Win_unlock(me, win);
    MPI_Win_fence(0, win);
    MPI_Accumulate(factor, 3, pair, target, 0, 3, pair, op, win);
    MPI_Win_fence(0, win);
    right = mine[0].re == -1 && mine[0].im == 0 && mine[1].re == 2 && mine[1].im == 2 &&
            mine[2].re == 1 && mine[2].im == 3;
    check(
        right && mine[3].re == 3 && seen == pair,
        "a contiguous makes elements: the function gets complex numbers, and the target's handle");
    MPI_Win_fence(0, win);
    /* displacements are in longs: pairs 3, 5 and 7 */
    MPI_Accumulate(factor, 3, pair, target, 6, 1, pairs, op, win);
    MPI_Win_fence(0, win);
    right = mine[3].re == -1 && mine[3].im == 3 && mine[4].re == 4 && mine[5].re == 10 &&
            mine[5].im == 2 && mine[7].re == 6 && mine[7].im == 8;
    check(right, "a vector of them, too");
    MPI_Type_dereg(pair, WORLD);
    MPI_Type_free(&pairs);
    MPI_Type_free(&pair);
    MPI_Op_dereg(op, WORLD);
    MPI_Op_free(&op);

    MPI_Op_create(newest, 0, &op);
    MPI_Op_register(op, WORLD);
    record r = {0, 0, 0};
    int lengths[3] = {1, 1, 1};
    MPI_Aint base, at[3];
    MPI_Datatype types[3] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
    MPI_Get_address(&r, &base);
    MPI_Get_address(&r.key, &at[0]);
    MPI_Get_address(&r.value, &at[1]);
    MPI_Get_address(&r.tag, &at[2]);
    for (int i = 0; i < 3; i++) at[i] -= base;
    MPI_Type_create_struct(3, lengths, at, types, &rec);
    MPI_Type_commit(&rec);
    MPI_Type_register(rec, WORLD);
    fill();
    record mine_now[2] = {{10 + me, 0.5 * me, (char)('a' + me)}, {-1, 3, 'z'}};
    MPI_Win_fence(0, win);
    for (int t = 0; t < ranks; t++) MPI_Accumulate(mine_now, 2, rec, t, 0, 2, rec, op, win);
    MPI_Win_fence(0, win);
    const record *here = (const record *)(const void *)cell;
    check(here[0].key == 10 + ranks - 1 && here[0].value == 0.5 * (ranks - 1) &&
              here[0].tag == 'a' + ranks - 1 && here[1].key == 0,
          "a struct of several predefined datatypes is an element, too");
    MPI_Win_fence(0, win);
    check(class_of(MPI_Accumulate(four, 3, MPI_LONG, target, 0, 1, rec, op, win)) == MPI_ERR_TYPE,
          "origin and target must hold the same predefined datatypes");
    MPI_Win_fence(0, win);
    MPI_Type_dereg(rec, WORLD);
    MPI_Type_free(&rec);
    MPI_Op_dereg(op, WORLD);
    MPI_Op_free(&op);
}

int main(int argc, char **argv)
{
    scene_begin(&argc, &argv);
    operations();
    order();
    elements_of_datatypes();
    return scene_end();
}
