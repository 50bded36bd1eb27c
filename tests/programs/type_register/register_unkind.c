/* Registration, unkindly: nested datatypes whose parts are gone, registered twice; one type map by
 * two constructors; an operation that does not commute, on structures; sparse groups in a star and
 * in a ring. Four ranks or more. */
#include "check.h"
#include "type_register.h"

#define WORLD MPI_COMM_WORLD
enum { CELLS = 512, PER_RANK = 3 };
static int cell[CELLS], source[CELLS], expected[CELLS], packed[CELLS];
static int me, n, right, left;

static int of(int rank, int i) { return 1000 * rank + i; }

static MPI_Win window_over(MPI_Comm comm)
{
    MPI_Win win;
    MPI_Win_create(cell, sizeof cell, sizeof *cell, MPI_INFO_NULL, comm, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    for (int i = 0; i < CELLS; i++) cell[i] = 0, source[i] = of(me, i);
    MPI_Win_fence(0, win);
    return win;
}

static MPI_Datatype nested(void)
{
    MPI_Datatype inner, middle, outer;
    int lengths[2] = {1, 2};
    MPI_Aint at[2] = {160, 0};
    MPI_Type_vector(3, 2, 4, MPI_INT, &inner);
    MPI_Type_create_resized(inner, 0, 80, &middle);
    MPI_Datatype parts[2] = {MPI_INT, middle};
    MPI_Type_create_struct(2, lengths, at, parts, &outer);
    MPI_Type_commit(&outer);
    MPI_Type_free(&inner);
    MPI_Type_free(&middle);
    return outer;
}

static void twice(void)
{
    MPI_Datatype type = nested(), copy;
    MPI_Comm same, third;
    MPI_Comm_dup(WORLD, &same);
    MPI_Comm_dup(WORLD, &third);
    MPI_Win win = window_over(same);
    int wrong = MPI_Type_register(type, WORLD) || MPI_Type_register(type, WORLD);
    MPI_Type_dup(type, &copy);
    wrong |= !MPI_Type_free(&type);
    wrong |= MPI_Put(source, 1, type, right, 10, 1, type, win);
    MPI_Win_fence(0, win);
    int at = 0, back = 0;
    for (int i = 0; i < CELLS; i++) source[i] = of(left, i);
    MPI_Pack(source, 1, type, packed, sizeof packed, &at, WORLD);
    MPI_Unpack(packed, at, &back, expected + 10, 1, type, WORLD);
    check(!wrong && memcmp(cell, expected, sizeof cell) == 0,
          "a nested datatype, registered twice, is a target's over a duplicate");
    wrong = MPI_Type_dereg(type, WORLD) || !MPI_Type_free(&type) || MPI_Type_dereg(type, WORLD) ||
            !MPI_Type_dereg(type, WORLD) || MPI_Type_free(&type);
    check(!wrong, "each registration is taken back once, then it is freed");
    MPI_Type_commit(&copy);
    wrong = MPI_Type_register(copy, third) || !MPI_Type_free(&copy);
    MPI_Comm_free(&third);
    wrong |= MPI_Type_free(&copy);
    check(!wrong, "its duplicate is another, which the communicator's end takes back");
    MPI_Win_free(&win);
    MPI_Comm_free(&same);
}

static void two_constructors(void)
{
    MPI_Datatype type;
    int at[4] = {0, 2, 4, 6}, wrong = 0;
    MPI_Win win = window_over(WORLD);
    if (me % 2)
        MPI_Type_vector(4, 1, 2, MPI_INT, &type);
    else
        MPI_Type_create_indexed_block(4, 1, at, MPI_INT, &type);
    MPI_Type_commit(&type);
    wrong |= MPI_Type_register(type, WORLD);
    for (int k = 0; k < n; k++)
        wrong |= MPI_Accumulate(source, 4, MPI_INT, k, 0, 1, type, MPI_SUM, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 8; i++)
        wrong |= cell[i] != (i % 2 ? 0 : 1000 * n * (n - 1) / 2 + n * (i / 2));
    check(!wrong, "one type map by two constructors is one datatype");
    MPI_Type_dereg(type, WORLD);
    MPI_Type_free(&type);
    MPI_Win_free(&win);
}

struct affine {
    long factor, term;
};

static struct affine after(struct affine f, struct affine g)
{
    return (struct affine){f.factor * g.factor % 1000003, (f.factor * g.term + f.term) % 1000003};
}

static void compose(void *in, void *inout, int *len, MPI_Datatype *type)
{
    struct affine *f = in, *g = inout;
    (void)type;
    for (int i = 0; i < *len; i++) g[i] = after(f[i], g[i]);
}

/* The ranks take the lock in turn. */
static void in_order(void)
{
    static struct affine all;
    struct affine known = {1, 0};
    MPI_Op op;
    MPI_Datatype type;
    MPI_Win win;
    int wrong;
    all = known;
    MPI_Op_create(compose, 0, &op);
    MPI_Type_contiguous(2, MPI_LONG, &type);
    MPI_Type_commit(&type);
    wrong = MPI_Op_register(op, WORLD) || MPI_Type_register(type, WORLD);
    MPI_Win_create(&all, sizeof all, 1, MPI_INFO_NULL, WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Barrier(WORLD);
    for (int k = 0; k < n; k++) {
        const struct affine mine = {k + 2, k + 5};
        for (int i = 0; i < PER_RANK; i++) known = after(mine, known);
        if (k == me) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
            for (int i = 0; i < PER_RANK; i++)
                wrong |= MPI_Accumulate(&mine, 1, type, 0, 0, 1, type, op, win);
            MPI_Win_unlock(0, win);
        }
        MPI_Barrier(WORLD);
    }
    if (me == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        wrong |= all.factor != known.factor || all.term != known.term;
        MPI_Win_unlock(0, win);
    }
    check(!wrong, "an operation on structures that does not commute, in the order of the locks");
    wrong = MPI_Op_dereg(op, WORLD) || MPI_Op_free(&op) || MPI_Type_dereg(type, WORLD);
    check(!wrong, "is freed before its window");
    MPI_Type_free(&type);
    MPI_Win_free(&win);
}

static void star_and_ring(void)
{
    const int zero = 0, around[3] = {right, me, left};
    MPI_Group all, group;
    MPI_Datatype pair, triple;
    int wrong = 0;
    MPI_Comm_group(WORLD, &all);
    MPI_Type_vector(2, 1, 3, MPI_INT, &pair);
    MPI_Type_vector(3, 1, 2, MPI_INT, &triple);
    MPI_Type_commit(&pair);
    MPI_Type_commit(&triple);
    if (me > 0)
        MPI_Group_incl(all, 1, &zero, &group);
    else
        MPI_Group_excl(all, 1, &zero, &group);
    wrong |= MPI_Type_register_sparse(pair, group, WORLD);
    MPI_Group_free(&group);
    MPI_Group_incl(all, 3, around, &group);
    wrong |= MPI_Type_register_sparse(triple, group, WORLD);
    MPI_Group_free(&group);
    MPI_Win win = window_over(WORLD);
    wrong |= MPI_Put(source, 3, MPI_INT, right, 0, 1, triple, win);
    if (me > 0) wrong |= MPI_Put(source + me, 2, MPI_INT, 0, 10 * me, 1, pair, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 3; i++) wrong |= cell[2 * i] != of(left, i);
    for (int k = 1; me == 0 && k < n; k++)
        wrong |= cell[10 * k] != of(k, k) || cell[10 * k + 3] != of(k, k + 1);
    check(!wrong, "sparse registrations in a star and in a ring, the caller in its own group");
    wrong = MPI_Type_dereg(pair, WORLD) || MPI_Type_dereg(triple, WORLD) || MPI_Type_free(&pair) ||
            MPI_Type_free(&triple);
    check(!wrong, "are taken back as others are");
    MPI_Group_free(&all);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 4);
    me = check_rank, n = check_ranks;
    right = (me + 1) % n, left = (me + n - 1) % n;
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    twice();
    two_constructors();
    in_order();
    star_and_ring();
    return check_end();
}
