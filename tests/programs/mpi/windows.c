/* Windows as objects (MPI-2 11.2): sizes, units, overlap, groups, attributes, names, info,
 * allocation; and operations to oneself, to nobody, and with every assertion. */
#include "check.h"

static int rank, ranks;

static void zero_size(void)
{
    /* "A process may elect to expose no memory by specifying size = 0." */
    int cell = 7, value = 40, seen = 0, size = rank == 0 ? (int)sizeof cell : 0;
    MPI_Win win;
    MPI_Win_create(rank == 0 ? &cell : NULL, size, sizeof cell, MPI_INFO_NULL, MPI_COMM_WORLD,
                   &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    if (rank == 1) MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    /* nothing, to a window of size zero */
    if (rank == 1) MPI_Put(&value, 0, MPI_INT, 1, 0, 0, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (rank == ranks - 1) MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    check(rank != 0 || cell == 40, "ranks whose window has size zero put into others");
    check(rank != ranks - 1 || seen == 40, "ranks whose window has size zero get from others");
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Win_unlock(1, win);
    check(1, "a window of size zero is locked and unlocked");
    MPI_Win_free(&win);
    check(win == MPI_WIN_NULL, "a freed window's handle is MPI_WIN_NULL");
}

static void displacement_units(void)
{
    /* "target address = window_base + target_disp x disp_unit [...] as specified by the target
     * process" (11.3.1) */
    static short cell[64];
    int unit = 2 * (rank + 1);
    MPI_Win win;
    memset(cell, 0, sizeof cell);
    MPI_Win_create(cell, sizeof cell, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    short value = (short)(100 + rank);
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    MPI_Put(&value, 1, MPI_SHORT, to, 5, 1, MPI_SHORT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    int good = 1;
    for (int i = 0; i < 64; i++) good &= cell[i] == (i == 5 * (rank + 1) ? 100 + from : 0);
    check(good, "displacements count in the target's own unit");
    MPI_Win_free(&win);
}

static void overlap(void)
{
    /* "A process may use the same memory in several windows." Two windows, the second begins inside
     * the first. */
    static long cell[32];
    long value[2] = {11, 22};
    MPI_Win all, tail;
    memset(cell, 0, sizeof cell);
    MPI_Win_create(cell, sizeof cell, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &all);
    MPI_Win_create(cell + 16, sizeof cell / 2, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &tail);
    MPI_Win_fence(0, all);
    if (rank == 0) MPI_Put(&value[0], 1, MPI_LONG, 1, 20, 1, MPI_LONG, all);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, all);
    MPI_Win_fence(0, tail);
    if (rank == 0) MPI_Put(&value[1], 1, MPI_LONG, 1, 5, 1, MPI_LONG, tail);
    MPI_Win_fence(0, tail);
    long seen = 0;
    if (rank == 0) MPI_Get(&seen, 1, MPI_LONG, 1, 4, 1, MPI_LONG, tail);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, tail);
    check(rank != 1 || (cell[20] == 11 && cell[21] == 22),
          "two overlapping windows update one memory");
    check(rank != 0 || seen == 11, "a get through the one returns a put through the other");
    MPI_Win_free(&all);
    MPI_Win_free(&tail);
}

static void oneself_and_nobody(void)
{
    long *cell, value = 5, seen = -1, more = 2, untouched = -9;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof *cell, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    cell[0] = cell[1] = cell[2] = cell[3] = 0;
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_LONG, rank, 1, 1, MPI_LONG, win);
    MPI_Accumulate(&more, 1, MPI_LONG, rank, 2, 1, MPI_LONG, MPI_SUM, win);
    MPI_Win_fence(0, win);
    check(cell[1] == 5 && cell[2] == 2, "a put and an accumulate to oneself arrive by the fence");
    MPI_Get(&seen, 1, MPI_LONG, rank, 1, 1, MPI_LONG, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    check(seen == 5, "a get from oneself returns it");
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    MPI_Put(&more, 1, MPI_LONG, rank, 3, 1, MPI_LONG, win);
    MPI_Win_unlock(rank, win);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    seen = cell[3];
    MPI_Win_unlock(rank, win);
    check(seen == 2, "a put to oneself under a lock arrives");

    /* "MPI_PROC_NULL is a valid target rank in the MPI RMA calls [...] The effect is the same as
     * for MPI_PROC_NULL in MPI point-to-point communication." */
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_LONG, MPI_PROC_NULL, 0, 1, MPI_LONG, win);
    /* nowhere is never out of range */
    MPI_Put(&value, 1, MPI_LONG, MPI_PROC_NULL, 1 << 20, 1, MPI_LONG, win);
    MPI_Get(&untouched, 1, MPI_LONG, MPI_PROC_NULL, 0, 1, MPI_LONG, win);
    MPI_Accumulate(&value, 1, MPI_LONG, MPI_PROC_NULL, 0, 1, MPI_LONG, MPI_SUM, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    check(untouched == -9 && cell[0] == 0, "operations to MPI_PROC_NULL do nothing");
    MPI_Win_free(&win);
}

static void groups_and_attributes(void)
{
    char *cell, name[MPI_MAX_OBJECT_NAME] = "?";
    int length = -1, found, result;
    void *base;
    MPI_Aint *size;
    int *unit;
    MPI_Win win;
    MPI_Group group, world;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "false");
    MPI_Win_allocate(16 * (rank + 1), 4, info, MPI_COMM_WORLD, &cell, &win);
    MPI_Info_free(&info);
    memset(cell, 1, 16 * (size_t)(rank + 1));
    check(cell != NULL && (size_t)cell % sizeof(double) == 0,
          "MPI_Win_allocate takes an info and gives aligned memory");

    MPI_Win_get_group(win, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_compare(group, world, &result);
    check(result == MPI_IDENT, "MPI_Win_get_group gives the communicator's group");
    MPI_Group_free(&group);
    MPI_Group_free(&world);

    MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &found);
    check(found && base == cell, "MPI_WIN_BASE is the window's address");
    MPI_Win_get_attr(win, MPI_WIN_SIZE, &size, &found);
    check(found && *size == 16 * (rank + 1), "MPI_WIN_SIZE is its size, different at every rank");
    MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &found);
    check(found && *unit == 4, "MPI_WIN_DISP_UNIT is its unit");

    MPI_Win_get_name(win, name, &length);
    check(length == 0 && name[0] == '\0', "a window's name is empty at first");
    MPI_Win_set_name(win, "the temperatures");
    MPI_Win_get_name(win, name, &length);
    check(length == 16 && strcmp(name, "the temperatures") == 0,
          "a window keeps the name it is given");
    MPI_Win_free(&win);
}

static int deleted, delete_extra;
static void *delete_value;

static int on_delete(MPI_Win win, int keyval, void *value, void *extra)
{
    (void)win, (void)keyval;
    deleted++, delete_value = value, delete_extra = *(int *)extra;
    return MPI_SUCCESS;
}

static int on_copy(MPI_Win win, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)win, (void)keyval, (void)extra;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static void user_attributes(void)
{
    int key, other, found = 1, extra = 77, a = 1, b = 2;
    void *value = NULL;
    MPI_Win win;
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create_keyval(on_copy, on_delete, &key, &extra);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &other, NULL);
    MPI_Win_get_attr(win, key, &value, &found);
    check(!found, "an attribute that was not set is not found");
    MPI_Win_set_attr(win, key, &a);
    MPI_Win_get_attr(win, key, &value, &found);
    check(found && value == &a, "an attribute that was set is found");
    MPI_Win_get_attr(win, other, &value, &found);
    check(!found, "another key's is not");
    MPI_Win_set_attr(win, key, &b);
    check(deleted == 1 && delete_value == &a && delete_extra == 77,
          "setting it again deletes the old value by the callback");
    MPI_Win_delete_attr(win, key);
    MPI_Win_get_attr(win, key, &value, &found);
    check(!found && deleted == 2 && delete_value == &b, "deleting it calls the callback");
    MPI_Win_set_attr(win, key, &a);
    MPI_Win_free(&win);
    check(deleted == 3 && delete_value == &a,
          "freeing the window deletes its attributes by the callback");
    MPI_Win_free_keyval(&key);
    MPI_Win_free_keyval(&other);
    check(key == MPI_KEYVAL_INVALID, "a freed key is MPI_KEYVAL_INVALID");
}

/* 11.4.4: assertions are hints that are true here; the answer is the same with each. */
static void assertions(void)
{
    static const int before[] = {0, MPI_MODE_NOPRECEDE, MPI_MODE_NOSTORE,
                                 MPI_MODE_NOPRECEDE | MPI_MODE_NOSTORE};
    static const int after[] = {0, MPI_MODE_NOSTORE, MPI_MODE_NOSUCCEED,
                                MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED};
    long *cell, value, bad = 0;
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    MPI_Win win;
    MPI_Group world, left, right;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &from, &left);
    MPI_Group_incl(world, 1, &to, &right);
    MPI_Win_allocate(sizeof *cell, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    *cell = 0;
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, win);
    for (int b = 0; b < 4; b++)
        for (int a = 0; a < 4; a++) {
            value = 10 * b + a + rank;
            MPI_Win_fence(before[b], win);
            MPI_Put(&value, 1, MPI_LONG, to, 0, 1, MPI_LONG, win);
            MPI_Win_fence(after[a], win);
            bad += *cell != 10 * b + a + from;
            if (!(after[a] & MPI_MODE_NOSUCCEED))
                MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOSUCCEED, win);
        }
    check(bad == 0, "fences with assertions that are true complete the same puts");

    static const int post[] = {0, MPI_MODE_NOCHECK, MPI_MODE_NOSTORE,
                               MPI_MODE_NOCHECK | MPI_MODE_NOSTORE};
    for (int p = 0; p < 4; p++) {
        value = 500 + p + rank;
        MPI_Win_post(left, post[p], win);
        /* every post has come before the starts, as NOCHECK asserts */
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_start(right, post[p] & MPI_MODE_NOCHECK, win);
        MPI_Put(&value, 1, MPI_LONG, to, 0, 1, MPI_LONG, win);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
        bad += *cell != 500 + p + from;
    }
    MPI_Win_post(left, MPI_MODE_NOPUT, win);
    MPI_Win_start(right, 0, win);
    MPI_Get(&value, 1, MPI_LONG, to, 0, 1, MPI_LONG, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    bad += value != 503 + rank;
    check(bad == 0, "posts and starts with assertions that are true complete the same operations");

    value = 900 + rank;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, to, MPI_MODE_NOCHECK, win); /* nobody else locks it */
    MPI_Put(&value, 1, MPI_LONG, to, 0, 1, MPI_LONG, win);
    MPI_Win_unlock(to, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    bad += *cell != 900 + from;
    MPI_Win_unlock(rank, win);
    check(bad == 0, "a lock with MPI_MODE_NOCHECK completes the same put");
    MPI_Group_free(&world);
    MPI_Group_free(&left);
    MPI_Group_free(&right);
    MPI_Win_free(&win);
}

/* Post, start, complete, wait and test by several origins and targets at once; wait is for all of
 * them. */
static void test_for_completion(void)
{
    long cell = 0, value = 3;
    int flag = 1;
    MPI_Win win;
    MPI_Group world, first, others;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, (int[]){0}, &first);
    MPI_Group_excl(world, 1, (int[]){0}, &others);
    MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_post(others, 0, win);
        MPI_Win_test(win, &flag); /* nobody has started: they wait for the message below */
        for (int r = 1; r < ranks; r++) MPI_Send(NULL, 0, MPI_BYTE, r, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_start(first, 0, win);
        MPI_Accumulate(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win);
        MPI_Win_complete(win);
    }
    check(rank != 0 || flag == 0, "MPI_Win_test is false while no origin has completed");
    while (rank == 0 && !flag) MPI_Win_test(win, &flag);
    check(rank != 0 || cell == 3L * (ranks - 1),
          "MPI_Win_test becomes true when all have, and all operations are there");
    MPI_Group_free(&world);
    MPI_Group_free(&first);
    MPI_Group_free(&others);
    MPI_Win_free(&win);
}

/* A window over a communicator in which ranks count backwards, and over half of the processes. */
static void other_communicators(void)
{
    MPI_Comm backwards, half;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    long cell[2] = {-1, -1}, mine = rank;
    int me, n;
    MPI_Win win;
    MPI_Win_create(cell, sizeof cell, sizeof *cell, MPI_INFO_NULL, backwards, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(&mine, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
    MPI_Win_fence(0, win);
    MPI_Comm_rank(backwards, &me);
    MPI_Put(&mine, 1, MPI_LONG, ranks - 1 - me, 1, 1, MPI_LONG, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    check(rank != ranks - 1 || cell[0] == 0, "a window's rank 0 is its communicator's");
    check(cell[1] == ranks - 1 - rank, "targets are ranks of the window's communicator");
    MPI_Win_free(&win);

    MPI_Comm_rank(half, &me);
    MPI_Comm_size(half, &n);
    MPI_Win_create(cell, sizeof cell, sizeof *cell, MPI_INFO_NULL, half, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&mine, 1, MPI_LONG, (me + 1) % n, 0, 1, MPI_LONG, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    check(cell[0] == 2L * ((me + n - 1) % n) + rank % 2,
          "two windows over two halves of the processes do not meet");
    MPI_Win_free(&win);
    MPI_Comm_free(&backwards);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    rank = check_rank, ranks = check_ranks;
    zero_size();
    displacement_units();
    overlap();
    oneself_and_nobody();
    groups_and_attributes();
    user_attributes();
    assertions();
    test_for_completion();
    other_communicators();
    return check_end();
}
