/* Dynamic windows, sentence by sentence (MPI-3 11.2.4). 2 ranks or more. */
#include "check.h"

#include <stdint.h>

enum { CELLS = 32 };

static MPI_Win win;
static int me, other;

static int class_of(int code)
{
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS) MPI_Error_class(code, &class);
    return class;
}

/* Everybody's address of something of its own. */
static MPI_Aint address_at(int rank, void *mine)
{
    MPI_Aint address, all[64];
    MPI_Get_address(mine, &address);
    MPI_Allgather(&address, 1, MPI_AINT, all, 1, MPI_AINT, MPI_COMM_WORLD);
    return all[rank];
}

static void made(void)
{
    MPI_Win created;
    int flag, *flavor;
    MPI_Aint *size;
    void *base;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &created);
    MPI_Win_get_attr(created, MPI_WIN_CREATE_FLAVOR, &flavor, &flag);
    check(flag && *flavor == MPI_WIN_FLAVOR_DYNAMIC, "\"MPI_WIN_FLAVOR_DYNAMIC\" is its flavor");
    MPI_Win_get_attr(created, MPI_WIN_SIZE, &size, &flag);
    MPI_Win_get_attr(created, MPI_WIN_BASE, &base, &flag);
    check(*size == 0 && base == MPI_BOTTOM, "\"returns a window win without memory attached\"");
    check(MPI_Win_free(&created) == MPI_SUCCESS && created == MPI_WIN_NULL, "and is freed");
}

/* "The value of target_disp is the address at the target." */
static void addressed(void)
{
    static long cell[CELLS];
    long *more = calloc(CELLS, sizeof *more), value[2] = {100 + me, 200 + me}, back = -1;
    MPI_Win_attach(win, cell, sizeof cell);
    MPI_Win_attach(win, more, CELLS * sizeof *more);
    MPI_Aint there = address_at(other, cell), second = address_at(other, more);
    MPI_Win_fence(0, win);
    MPI_Put(&value[0], 1, MPI_LONG, other, there + 3 * (MPI_Aint)sizeof(long), 1, MPI_LONG, win);
    MPI_Put(&value[1], 1, MPI_LONG, other, second, 1, MPI_LONG, win);
    MPI_Accumulate(&value[0], 1, MPI_LONG, other, second + 8, 1, MPI_LONG, MPI_SUM, win);
    MPI_Win_fence(0, win);
    check(cell[3] == 100 + other, "a put goes to an address of the target");
    check(more[0] == 200 + other && more[1] == 100 + other, "in any region that is attached");
    MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win);
    MPI_Get(&back, 1, MPI_LONG, other, second, 1, MPI_LONG, win);
    MPI_Win_unlock(other, win);
    check(back == 200 + me, "a get comes from there");

    /* A datatype of absolute addresses: the displacement is MPI_BOTTOM. */
    MPI_Datatype both;
    MPI_Aint places[2] = {there + 8 * (MPI_Aint)sizeof(long), second + 16};
    MPI_Type_create_hindexed_block(2, 1, places, MPI_LONG, &both);
    MPI_Type_commit(&both);
    MPI_Win_fence(0, win);
    MPI_Put(value, 2, MPI_LONG, other, (MPI_Aint)MPI_BOTTOM, 1, both, win);
    MPI_Win_fence(0, win);
    check(cell[8] == 100 + other && more[2] == 200 + other,
          "one operation may go to several regions");
    MPI_Type_free(&both);

    check(MPI_Win_detach(win, more) == MPI_SUCCESS,
          "\"Detaches a previously attached memory region beginning at base\"");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win);
    int code = class_of(MPI_Put(value, 1, MPI_LONG, other, second, 1, MPI_LONG, win));
    int edge = class_of(MPI_Put(value, 2, MPI_LONG, other,
                                there + (CELLS - 1) * (MPI_Aint)sizeof(long), 2, MPI_LONG, win));
    MPI_Win_unlock(other, win);
    check(code == MPI_ERR_RMA_RANGE, "what is detached is out of reach: MPI_ERR_RMA_RANGE");
    check(edge == MPI_ERR_RMA_RANGE, "so is what begins inside and ends outside");
    check(more[0] == 200 + other && more[2] == 200 + other,
          "detached memory keeps what was put there");
    check(MPI_Win_attach(win, more, 8) == MPI_SUCCESS && MPI_Win_detach(win, more) == MPI_SUCCESS,
          "it may be attached again");
    MPI_Barrier(MPI_COMM_WORLD);
    free(more);
    check(class_of(MPI_Win_attach(win, &cell[1], 8)) == MPI_ERR_RMA_ATTACH,
          "\"attaching overlapping memory ... is erroneous\"");
    check(class_of(MPI_Win_detach(win, &cell[1])) == MPI_ERR_BASE, "nothing begins there");
    check(class_of(MPI_Win_attach(win, &cell[1], -1)) == MPI_ERR_SIZE, "a negative size");
    MPI_Win fixed;
    MPI_Win_create(cell, sizeof cell, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &fixed);
    MPI_Win_set_errhandler(fixed, MPI_ERRORS_RETURN);
    check(class_of(MPI_Win_attach(fixed, &back, 8)) == MPI_ERR_RMA_FLAVOR,
          "a window that is not dynamic");
    MPI_Win_free(&fixed);
}

/* The usual example: a list whose elements lie with several ranks; whoever appends swaps the tail's
 * word. */
struct node {
    long value;
    struct pointer {
        MPI_Aint disp;
        int rank;
    } next;
};

static void list(void)
{
    struct node *first = calloc(1, sizeof *first);
    struct pointer head = {0, 0};
    first->value = me;
    MPI_Win_attach(win, first, sizeof *first);
    MPI_Aint mine;
    MPI_Get_address(first, &mine);
    struct pointer all[64], own = {mine, me};
    MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, MPI_COMM_WORLD);
    head = all[0];
    MPI_Win_lock_all(0, win);
    if (me + 1 < check_ranks) { /* the one before this rank's writes where it is */
        MPI_Put(&all[me + 1], sizeof own, MPI_BYTE, me,
                mine + (MPI_Aint)offsetof(struct node, next), sizeof own, MPI_BYTE, win);
        MPI_Win_flush(me, win);
    }
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    long sum = 0;
    int length = 0;
    for (struct pointer at = head; at.disp && length < 100; length++) {
        struct node node;
        MPI_Get(&node, sizeof node, MPI_BYTE, at.rank, at.disp, sizeof node, MPI_BYTE, win);
        MPI_Win_flush(at.rank, win);
        sum += node.value;
        at = node.next;
    }
    MPI_Win_unlock_all(win);
    check(length == check_ranks && sum == (long)check_ranks * (check_ranks - 1) / 2,
          "a list is followed from rank to rank");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(win, first);
    free(first);
}

int main(int argc, char **argv)
{
    static long late;
    check_begin(&argc, &argv, 2);
    me = check_rank;
    other = (me + 1) % check_ranks;
    if (check_ranks > 2) other = me ^ 1;
    made();
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_set_name(win, "coming and going");
    addressed();
    list();
    MPI_Win_attach(win, &late, sizeof late);
    check(MPI_Win_free(&win) == MPI_SUCCESS,
          "\"Memory becomes detached when the associated dynamic memory window is freed\"");
    late = me;
    check(late == me, "and is ordinary memory again");
    return check_end();
}
