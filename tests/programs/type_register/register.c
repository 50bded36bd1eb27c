/* Registering: what agrees, between whom it holds, how it ends: the sentences of "A very modest
 * proposal (Datatypes/Ops in RMA)" (J. L. Traeff, 2008). What operations then do:
 * register_operations.c. */
#include "register_scene.h"

/* ---- datatypes ------------------------------------------------------------------------------- */

static void put_strided(MPI_Datatype type)
{
    long sent[4] = {1, 2, 3, 4};
    MPI_Win_fence(0, win);
    MPI_Put(sent, 4, MPI_LONG, (me + 1) % ranks, 3, 1, type, win);
    MPI_Win_fence(0, win);
}

static int strided_arrived(void)
{
    for (int i = 0; i < 12; i++)
        if (cell[i] != (i >= 3 && i % 2 == 1 && i < 11 ? (i - 1) / 2 : 0)) return 0;
    return 1;
}

static void datatypes(void)
{
    MPI_Datatype vector = strided(4), same, copy;
    check(MPI_Type_register(vector, WORLD) == MPI_SUCCESS,
          "MPI_Type_register is collective and succeeds");
    fill();
    put_strided(vector);
    check(strided_arrived(), "a registered datatype is a target's datatype in MPI_Put");
    copy = vector;
    check(class_of(MPI_Type_free(&copy)) == MPI_ERR_TYPE && copy == vector,
          "a registered datatype must be deregistered before it is freed");
    check(MPI_Type_dereg(vector, WORLD) == MPI_SUCCESS, "MPI_Type_dereg deregisters it");
    check(class_of(MPI_Type_dereg(vector, WORLD)) == MPI_ERR_TYPE,
          "deregistering it twice is an error");
    check(MPI_Type_free(&vector) == MPI_SUCCESS, "then it is freed");

    int lengths[4] = {1, 1, 1, 1};
    int at[4] = {0, 2, 4, 6};
    if (me % 2 == 0)
        same = strided(4);
    else {
        MPI_Type_indexed(4, lengths, at, MPI_LONG, &same);
        MPI_Type_commit(&same);
    }
    check(MPI_Type_register(same, WORLD) == MPI_SUCCESS,
          "type maps must agree, not constructors: a vector here, an indexed there");
    fill();
    put_strided(same);
    check(strided_arrived(), "and each uses its own handle");
    MPI_Type_dereg(same, WORLD);
    MPI_Type_free(&same);

    if (me == 0)
        MPI_Type_contiguous(3, MPI_INT, &same);
    else
        MPI_Type_vector(3, 1, 1, MPI_INT, &same);
    MPI_Type_commit(&same);
    check(MPI_Type_register(same, WORLD) == MPI_SUCCESS &&
              MPI_Type_dereg(same, WORLD) == MPI_SUCCESS,
          "nor is a contiguous of three another thing than a vector of 3 x 1");
    MPI_Type_free(&same);

    check(MPI_Type_register(MPI_INT, WORLD) == MPI_SUCCESS &&
              MPI_Type_dereg(MPI_INT, WORLD) == MPI_SUCCESS &&
              MPI_Op_register(MPI_SUM, WORLD) == MPI_SUCCESS &&
              MPI_Op_dereg(MPI_SUM, WORLD) == MPI_SUCCESS,
          "predefined datatypes and operations may be registered, which changes nothing");
}

static void twice(void)
{
    MPI_Datatype type = strided(3);
    MPI_Comm copy;
    MPI_Comm_dup(WORLD, &copy);
    check(MPI_Type_register(type, WORLD) == MPI_SUCCESS &&
              MPI_Type_register(type, copy) == MPI_SUCCESS,
          "one datatype is registered over two communicators");
    MPI_Type_dereg(type, WORLD);
    MPI_Datatype kept = type;
    check(class_of(MPI_Type_free(&kept)) == MPI_ERR_TYPE,
          "deregistered over one of them, it is still registered over the other");
    MPI_Comm_free(&copy);
    check(MPI_Type_free(&type) == MPI_SUCCESS,
          "MPI_Comm_free takes back what was registered over the communicator");
}

/* ---- who may use it -------------------------------------------------------------------------- */

static void sub_communicators(void)
{
    MPI_Op op;
    MPI_Comm half;
    MPI_Win inner;
    long *memory, value = 1;
    int there, size;
    MPI_Comm_split(WORLD, me % 2, me, &half);
    MPI_Comm_rank(half, &there);
    MPI_Comm_size(half, &size);
    MPI_Win_allocate(CELLS * sizeof *memory, sizeof *memory, MPI_INFO_NULL, half, &memory, &inner);
    MPI_Win_set_errhandler(inner, MPI_ERRORS_RETURN);
    MPI_Op_create(weighted, 1, &op);
    MPI_Op_register(op, WORLD);
    MPI_Win_fence(0, inner);
    check(MPI_Accumulate(&value, 1, MPI_LONG, (there + 1) % size, 0, 1, MPI_LONG, op, inner) ==
              MPI_SUCCESS,
          "windows over sub-communicators inherit what is registered over the whole");
    MPI_Win_fence(0, inner);
    check(memory[0] == weight, "and it works there");
    MPI_Op_dereg(op, WORLD);
    MPI_Op_register(op, half);
    MPI_Win_fence(0, inner);
    check(MPI_Accumulate(&value, 1, MPI_LONG, (there + 1) % size, 1, 1, MPI_LONG, op, inner) ==
              MPI_SUCCESS,
          "what is registered over a sub-communicator serves windows over it");
    MPI_Win_fence(0, inner);
    MPI_Win_fence(0, win);
    check(class_of(MPI_Accumulate(&value, 1, MPI_LONG, me, 0, 1, MPI_LONG, op, win)) == MPI_ERR_OP,
          "but not windows over more processes than those");
    MPI_Win_fence(0, win);
    MPI_Op_dereg(op, half);
    MPI_Op_free(&op);
    MPI_Win_free(&inner);
    MPI_Comm_free(&half);
}

/* Rank 0 registers with 1 and 2; ranks 1 and 2 with 0 only; others do not call. */
static void sparse(void)
{
    MPI_Op op;
    MPI_Datatype vector = strided(4);
    MPI_Group group = MPI_GROUP_EMPTY;
    int one_two[2] = {1, 2}, zero = 0, code = MPI_SUCCESS, of_type = MPI_SUCCESS;
    long value = 1;
    MPI_Op_create(weighted, 1, &op);
    if (me == 0) MPI_Group_incl(everybody, 2, one_two, &group);
    if (me == 1 || me == 2) MPI_Group_incl(everybody, 1, &zero, &group);
    if (me < 3) code = MPI_Op_register_sparse(op, group, WORLD);
    if (me < 3) of_type = MPI_Type_register_sparse(vector, group, WORLD);
    check(code == MPI_SUCCESS, "a sparse registration works when only some processes call; the "
                               "caller need not be in its group");
    check(of_type == MPI_SUCCESS, "of datatypes, too");
    fill();
    int to_zero = MPI_SUCCESS, to_other = MPI_ERR_OP;
    MPI_Win_fence(0, win);
    if (me == 1 || me == 2)
        to_zero = MPI_Accumulate(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, op, win);
    if (me == 0) to_zero = MPI_Accumulate(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, op, win);
    if (me == 1)
        to_other = class_of(MPI_Accumulate(&value, 1, MPI_LONG, 2, 0, 1, MPI_LONG, op, win));
    if (me == 0 && ranks > 3)
        to_other = class_of(MPI_Accumulate(&value, 1, MPI_LONG, 3, 0, 1, MPI_LONG, op, win));
    MPI_Win_fence(0, win);
    check(to_zero == MPI_SUCCESS && (me != 0 || cell[0] == 2 * weight) &&
              (me != 1 || cell[0] == weight),
          "then it can be used between those that named each other");
    check(to_other == MPI_ERR_OP, "and nowhere else");
    if (me < 3) code = MPI_Op_dereg(op, WORLD);
    if (me < 3) of_type = MPI_Type_dereg(vector, WORLD);
    check(code == MPI_SUCCESS && of_type == MPI_SUCCESS, "and is deregistered as others are");
    if (group != MPI_GROUP_EMPTY) MPI_Group_free(&group);

    if (me < 3) {
        int three[3] = {0, 1, 2};
        MPI_Group_incl(everybody, 3, three, &group);
        code = MPI_Op_register_sparse(op, group, WORLD);
        MPI_Group_free(&group);
    }
    check(code == MPI_SUCCESS, "the caller may be in its group");
    MPI_Win_fence(0, win);
    int all = MPI_SUCCESS;
    for (int t = 0; me < 3 && t < 3; t++)
        all |= MPI_Accumulate(&value, 1, MPI_LONG, t, 2, 1, MPI_LONG, op, win);
    MPI_Win_fence(0, win);
    check(all == MPI_SUCCESS && (me > 2 || cell[2] == 3 * weight), "and then uses it with itself");
    if (me < 3) MPI_Op_dereg(op, WORLD);
    check(MPI_Op_free(&op) == MPI_SUCCESS && MPI_Type_free(&vector) == MPI_SUCCESS,
          "after which all is freed");
}

/* Deregistering is local: the first to return may be done with the datatype before the last one has
 * looked at it. */
static void at_once(void)
{
    int together = MPI_SUCCESS, sparse = MPI_SUCCESS;
    for (int blocks = 2; blocks < 12; blocks++) {
        MPI_Datatype type = strided(blocks);
        together |= MPI_Type_register(type, WORLD);
        MPI_Type_dereg(type, WORLD);
        MPI_Type_free(&type);
        type = strided(blocks + 20); /* where the other was */
        sparse |= MPI_Type_register_sparse(type, everybody, WORLD);
        MPI_Type_dereg(type, WORLD);
        MPI_Type_free(&type);
    }
    check(together == MPI_SUCCESS,
          "a rank may take it back and free it before others have returned from registering");
    check(sparse == MPI_SUCCESS, "from the sparse form, too");
}

int main(int argc, char **argv)
{
    scene_begin(&argc, &argv);
    datatypes();
    twice();
    sub_communicators();
    sparse();
    at_once();
    return scene_end();
}
