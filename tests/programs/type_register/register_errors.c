/* Mistakes in registering: errors of the right class at the communicator's or window's handler, at
 * every process, and nobody waits for ever. The default handler's texts: register_test.sh runs
 * `register_errors fatal CASE`. */
#include "check.h"
#include "type_register.h"

#define WORLD MPI_COMM_WORLD
static int me;
static long *cell;
static MPI_Win win;

static int class_of(int code)
{
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS) MPI_Error_class(code, &class);
    return class;
}

static void sum(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *len; i++) ((long *)inout)[i] += ((long *)in)[i];
}

static void calls_mpi(void *in, void *inout, int *len, MPI_Datatype *type)
{
    int rank;
    (void)in, (void)inout, (void)len, (void)type;
    MPI_Comm_rank(WORLD, &rank);
}

static void communicates(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)len, (void)type;
    MPI_Barrier(WORLD);
}

static void aborts(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)len, (void)type;
    MPI_Abort(WORLD, 42);
}

static volatile int *nowhere;

static void crashes(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)len, (void)type;
    *nowhere = 1; /* CRASH */
}

static MPI_Datatype vector(int blocks)
{
    MPI_Datatype type;
    MPI_Type_vector(blocks, 1, 2, MPI_LONG, &type);
    MPI_Type_commit(&type);
    return type;
}

/* MPI_INT MPI_INT MPI_DOUBLE, or MPI_FLOAT in the middle at rank 2. */
static MPI_Datatype mismatched(void)
{
    int lengths[3] = {1, 1, 1};
    MPI_Aint at[3] = {0, 4, 8};
    MPI_Datatype types[3] = {MPI_INT, me == 2 ? MPI_FLOAT : MPI_INT, MPI_DOUBLE}, type;
    MPI_Type_create_struct(3, lengths, at, types, &type);
    MPI_Type_commit(&type);
    return type;
}

static void arguments(void)
{
    MPI_Datatype good = vector(3), raw, freed = vector(2), copy = freed;
    MPI_Op op, gone, gone_copy;
    MPI_Comm dup, old;
    MPI_Type_contiguous(2, MPI_LONG, &raw);
    MPI_Type_free(&freed);
    MPI_Op_create(sum, 1, &op);
    MPI_Op_create(sum, 1, &gone);
    gone_copy = gone;
    MPI_Op_free(&gone);
    MPI_Comm_dup(WORLD, &dup);
    MPI_Comm_set_errhandler(dup, MPI_ERRORS_RETURN);
    old = dup;
    check(class_of(MPI_Type_register(MPI_DATATYPE_NULL, WORLD)) == MPI_ERR_TYPE, "a null datatype");
    check(class_of(MPI_Type_register(copy, WORLD)) == MPI_ERR_TYPE, "a freed datatype");
    check(class_of(MPI_Type_register(raw, WORLD)) == MPI_ERR_TYPE,
          "a datatype that is not committed");
    check(class_of(MPI_Op_register(MPI_OP_NULL, WORLD)) == MPI_ERR_OP, "a null operation");
    check(class_of(MPI_Op_register(gone_copy, WORLD)) == MPI_ERR_OP, "a freed operation");
    check(class_of(MPI_Type_register(good, MPI_COMM_NULL)) == MPI_ERR_COMM, "a null communicator");
    int wrong = me == 1 ? class_of(MPI_Type_register(MPI_DATATYPE_NULL, WORLD))
                        : class_of(MPI_Type_register(good, WORLD));
    check(wrong == (me == 1 ? MPI_ERR_TYPE : MPI_ERR_OTHER),
          "a mistake of one process is known to all");
    check(class_of(MPI_Type_dereg(good, WORLD)) == MPI_ERR_TYPE, "and nothing is registered");
    MPI_Comm_free(&dup);
    check(class_of(MPI_Type_register(good, old)) == MPI_ERR_COMM &&
              class_of(MPI_Type_dereg(good, old)) == MPI_ERR_COMM &&
              class_of(MPI_Op_register(op, old)) == MPI_ERR_COMM,
          "a freed communicator");
    check(class_of(MPI_Type_dereg(MPI_DATATYPE_NULL, WORLD)) == MPI_ERR_TYPE &&
              class_of(MPI_Op_dereg(MPI_OP_NULL, WORLD)) == MPI_ERR_OP,
          "deregistering nothing");
    wrong =
        me == 0 ? class_of(MPI_Type_register(good, WORLD)) : class_of(MPI_Op_register(op, WORLD));
    check(wrong == MPI_ERR_TYPE || wrong == MPI_ERR_OP,
          "one registers a datatype, the others an operation");
    wrong = class_of(me == 0 ? MPI_Op_register(MPI_SUM, WORLD) : MPI_Op_register(op, WORLD));
    check(wrong == MPI_ERR_OP, "one registers a predefined operation, the others their own");
    MPI_Datatype same = me == 0 ? good : vector(4);
    check(class_of(MPI_Type_register(same, WORLD)) == MPI_ERR_TYPE,
          "type maps of different lengths");
    if (me != 0) MPI_Type_free(&same);
    same = mismatched();
    check(class_of(MPI_Type_register(same, WORLD)) == MPI_ERR_TYPE,
          "type maps that differ in one entry");
    MPI_Type_free(&same);
    MPI_Type_create_resized(MPI_LONG, 0, me == 1 ? 16 : 8, &same);
    MPI_Type_commit(&same);
    check(class_of(MPI_Type_register(same, WORLD)) == MPI_ERR_TYPE,
          "type maps that differ in their bounds");
    MPI_Type_free(&same);
    MPI_Op_free(&op);
    MPI_Type_free(&good);
    MPI_Type_free(&raw);
}

static void groups(void)
{
    MPI_Datatype type = vector(3), other = vector(4);
    MPI_Comm pair;
    MPI_Group all, two, others = MPI_GROUP_EMPTY;
    int member[2] = {0, 1}, mate = 1 - me;
    MPI_Comm_group(WORLD, &all);
    MPI_Group_incl(all, 2, member, &two);
    if (me < 2) MPI_Group_incl(all, 1, &mate, &others);
    MPI_Comm_split(WORLD, me == 0, me, &pair);
    MPI_Comm_set_errhandler(pair, MPI_ERRORS_RETURN);
    check(class_of(MPI_Type_register_sparse(type, MPI_GROUP_NULL, WORLD)) == MPI_ERR_GROUP,
          "a null group");
    check(class_of(MPI_Type_register_sparse(type, two, pair)) == MPI_ERR_GROUP,
          "a group whose processes are not all in the communicator");
    check(MPI_Type_register_sparse(type, MPI_GROUP_EMPTY, WORLD) == MPI_SUCCESS &&
              MPI_Type_dereg(type, WORLD) == MPI_SUCCESS,
          "an empty group is none to agree with");
    int code = MPI_ERR_TYPE;
    if (me < 2) code = class_of(MPI_Type_register_sparse(me == 0 ? type : other, others, WORLD));
    check(code == MPI_ERR_TYPE, "sparse: type maps that differ");
    code = me == 0 ? MPI_ERR_TYPE : MPI_ERR_OTHER;
    if (me < 2)
        code =
            class_of(MPI_Type_register_sparse(me == 0 ? MPI_DATATYPE_NULL : type, others, WORLD));
    check(code == (me == 0 ? MPI_ERR_TYPE : MPI_ERR_OTHER),
          "sparse: a mistake of one is known to the other");
    if (me < 2) code = class_of(MPI_Type_dereg(type, WORLD));
    check(me > 1 || code == MPI_ERR_TYPE, "and nothing is registered");
    if (others != MPI_GROUP_EMPTY) MPI_Group_free(&others);
    MPI_Comm across;
    MPI_Intercomm_create(pair, 0, WORLD, me == 0, 0, &across);
    check(class_of(MPI_Type_register(type, across)) == MPI_ERR_COMM &&
              class_of(MPI_Type_register_sparse(type, two, across)) == MPI_ERR_COMM,
          "an intercommunicator");
    MPI_Comm_free(&across);
    MPI_Group_free(&two);
    MPI_Group_free(&all);
    MPI_Comm_free(&pair);
    MPI_Type_free(&type);
    MPI_Type_free(&other);
}

/* One has taken back what the others still use. */
static void one_sided(void)
{
    MPI_Op op;
    long value = 1;
    int code = MPI_ERR_OP;
    MPI_Op_create(sum, 1, &op);
    MPI_Op_register(op, WORLD);
    MPI_Barrier(WORLD);
    if (me == 1) MPI_Op_dereg(op, WORLD);
    MPI_Win_fence(0, win);
    if (me == 0) code = class_of(MPI_Accumulate(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, op, win));
    int still = MPI_Accumulate(&value, 1, MPI_LONG, 0, 1, 1, MPI_LONG, me == 1 ? MPI_SUM : op, win);
    MPI_Win_fence(0, win);
    check(code == MPI_ERR_OP && still == MPI_SUCCESS,
          "a target that has deregistered the operation is none any more, others still are");
    if (me != 1) MPI_Op_dereg(op, WORLD);
    MPI_Op_free(&op);
}

/* The default handlers: what the texts say. */
static void fatal(const char *which)
{
    MPI_Op op;
    long value = 1;
    MPI_Datatype type = vector(2);
    MPI_Op_create(strcmp(which, "calls") == 0          ? calls_mpi
                  : strcmp(which, "communicates") == 0 ? communicates
                  : strcmp(which, "aborts") == 0       ? aborts
                  : strcmp(which, "crashes") == 0      ? crashes
                                                       : sum,
                  1, &op);
    if (strcmp(which, "map") == 0) MPI_Type_register(mismatched(), WORLD);
    if (strcmp(which, "short") == 0) MPI_Type_register(me == 0 ? type : vector(3), WORLD);
    if (strcmp(which, "free") == 0) {
        MPI_Type_register(type, WORLD);
        MPI_Type_free(&type);
    }
    if (strcmp(which, "twice") == 0) {
        MPI_Op_register(op, WORLD);
        MPI_Op_dereg(op, WORLD);
        MPI_Op_dereg(op, WORLD);
    }
    if (strcmp(which, "unregistered") != 0 && strcmp(which, "required") != 0)
        MPI_Op_register(op, WORLD);
    MPI_Win_fence(0, win);
    if (me == 0) {
        if (strcmp(which, "required") == 0)
            MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, type, win);
        else
            MPI_Accumulate(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, op, win);
    }
    MPI_Win_fence(0, win);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 3);
    me = check_rank;
    MPI_Win_allocate(8 * sizeof *cell, sizeof *cell, MPI_INFO_NULL, WORLD, &cell, &win);
    if (argc > 2) {
        fatal(argv[2]);
    } else {
        MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
        MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
        arguments();
        groups();
        one_sided();
    }
    MPI_Win_free(&win);
    return check_end();
}
