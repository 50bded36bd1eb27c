/* Errors of one-sided calls as data: "The default error handler associated with win is
 * MPI_ERRORS_ARE_FATAL. Users may change this default by explicitly associating a new error handler
 * with win" (MPI-2 11.6.1), and the eight classes of table 11.1. */
#include "check.h"

static int rank, ranks;

static int class_of(int code)
{
    int class = -1;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    else
        class = MPI_SUCCESS;
    return class;
}

/* Is `code` of the class? */
static void expect(int code, int class, const char *sentence)
{
    check(class_of(code) == class, sentence);
}

static int handled, handled_class;
static MPI_Win handled_win;

static void handler(MPI_Win *win, int *code, ...)
{
    handled++, handled_class = class_of(*code), handled_win = *win;
}

static void classes_have_names(void)
{
    static const int class[] = {MPI_ERR_WIN,          MPI_ERR_BASE,     MPI_ERR_SIZE,
                                MPI_ERR_DISP,         MPI_ERR_LOCKTYPE, MPI_ERR_ASSERT,
                                MPI_ERR_RMA_CONFLICT, MPI_ERR_RMA_SYNC};
    int good = 1;
    for (int i = 0; i < 8; i++) {
        char text[MPI_MAX_ERROR_STRING] = "";
        int length = 0;
        good &= class_of(class[i]) == class[i] && class[i] <= MPI_ERR_LASTCODE;
        good &= MPI_Error_string(class[i], text, &length) == MPI_SUCCESS && length > 0;
        for (int k = 0; k < i; k++) good &= class[i] != class[k];
    }
    check(good, "the eight classes of table 11.1 differ, and each has a text");
}

static void bad_arguments(MPI_Win win)
{
    long value = 1;
    int type_error = class_of(MPI_Win_lock(99, 0, 0, win));
    check(type_error == MPI_ERR_LOCKTYPE, "a lock of an unknown type is MPI_ERR_LOCKTYPE");
    expect(MPI_Win_fence(1 << 29, win), MPI_ERR_ASSERT,
           "a fence with an unknown assertion is MPI_ERR_ASSERT");
    int lock_rank = class_of(MPI_Win_lock(MPI_LOCK_SHARED, ranks, 0, win));
    check(lock_rank == MPI_ERR_RANK, "a lock of a rank outside the window's group is MPI_ERR_RANK");

    MPI_Win_fence(0, win);
    expect(MPI_Put(&value, 1, MPI_LONG, 0, 4, 1, MPI_LONG, win), MPI_ERR_RMA_RANGE,
           "\"target memory is not part of the window\": a put just beyond it");
    expect(MPI_Put(&value, 1, MPI_LONG, 0, -1, 1, MPI_LONG, win), MPI_ERR_DISP,
           "a negative displacement is refused");
    expect(MPI_Get(&value, 1, MPI_LONG, 0, (MPI_Aint)1 << 40, 1, MPI_LONG, win), MPI_ERR_RMA_RANGE,
           "a get from far away is refused");
    long two[2] = {1, 2};
    expect(MPI_Accumulate(two, 2, MPI_LONG, 0, 3, 2, MPI_LONG, MPI_SUM, win), MPI_ERR_RMA_RANGE,
           "an accumulate half beyond the window is refused");
    expect(MPI_Put(&value, 1, MPI_LONG, ranks, 0, 1, MPI_LONG, win), MPI_ERR_RANK,
           "a put to a rank that is not there is refused");
    expect(MPI_Put(&value, 1, MPI_LONG, -77, 0, 1, MPI_LONG, win), MPI_ERR_RANK,
           "a put to rank -77 is refused");
    expect(MPI_Put(&value, -1, MPI_LONG, 0, 0, 1, MPI_LONG, win), MPI_ERR_COUNT,
           "a put of -1 elements is refused");
    MPI_Datatype large;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    expect(MPI_Type_vector(1 << 30, 1, 2, MPI_INT, &large), MPI_ERR_OTHER,
           "a datatype of more pieces than are laid out is refused");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    expect(MPI_Put(&value, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_LONG, win), MPI_ERR_TYPE,
           "a put of no type is refused");
    expect(MPI_Accumulate(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_OP_NULL, win), MPI_ERR_OP,
           "an accumulate without an operation is refused");
    expect(MPI_Put(&value, 1, MPI_LONG, 0, 3, 1, MPI_LONG, win), MPI_SUCCESS,
           "and one in the last place is not");
    expect(MPI_Win_fence(MPI_MODE_NOSUCCEED, win), MPI_SUCCESS,
           "the epoch ends well after refused calls");
}

static void outside_epochs(MPI_Win win)
{
    long value = 1;
    int flag;
    expect(MPI_Put(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win), MPI_ERR_RMA_SYNC,
           "a put outside an epoch is MPI_ERR_RMA_SYNC");
    expect(MPI_Get(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win), MPI_ERR_RMA_SYNC,
           "a get outside an epoch likewise");
    expect(MPI_Accumulate(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win), MPI_ERR_RMA_SYNC,
           "an accumulate outside an epoch likewise");
    expect(MPI_Win_complete(win), MPI_ERR_RMA_SYNC, "complete without start is MPI_ERR_RMA_SYNC");
    expect(MPI_Win_wait(win), MPI_ERR_RMA_SYNC, "wait without post is MPI_ERR_RMA_SYNC");
    expect(MPI_Win_test(win, &flag), MPI_ERR_RMA_SYNC, "test without post is MPI_ERR_RMA_SYNC");
    expect(MPI_Win_unlock(0, win), MPI_ERR_RMA_SYNC, "unlock without lock is MPI_ERR_RMA_SYNC");
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    int twice = class_of(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    check(twice == MPI_ERR_RMA_SYNC || twice == MPI_ERR_RMA_CONFLICT,
          "locking a target twice is refused");
    int other = class_of(MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win));
    check(other == MPI_ERR_RMA_SYNC,
          "a put to a target that is not the one locked is MPI_ERR_RMA_SYNC");
    MPI_Win same = win;
    check(class_of(MPI_Win_free(&same)) == MPI_ERR_RMA_SYNC && same == win,
          "freeing a window that one holds locked is MPI_ERR_RMA_SYNC");
    expect(MPI_Win_unlock(0, win), MPI_SUCCESS, "and it can still be unlocked");

    MPI_Group world, zero;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, (int[]){0}, &zero);
    if (rank == 0) MPI_Win_post(world, 0, win);
    MPI_Win_start(zero, 0, win);
    int outsider = class_of(MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win));
    MPI_Win_complete(win);
    if (rank == 0) MPI_Win_wait(win);
    check(outsider == MPI_ERR_RMA_SYNC,
          "a put to a target that is not in the started group is MPI_ERR_RMA_SYNC");
    MPI_Group_free(&world);
    MPI_Group_free(&zero);
}

/* MPI-3's calls: flushes and request-based operations are for passive targets, MPI_Win_unlock goes
 * with MPI_Win_lock and MPI_Win_unlock_all with MPI_Win_lock_all (11.5.3, 11.5.4, 11.3.5). What is
 * refused changes nothing. */
static void passive_targets(MPI_Win win)
{
    long value = 1, seen;
    MPI_Request request = MPI_REQUEST_NULL;
    expect(MPI_Win_flush_all(win), MPI_ERR_RMA_SYNC,
           "a flush of all without any lock is MPI_ERR_RMA_SYNC");
    expect(MPI_Win_flush_local_all(win), MPI_ERR_RMA_SYNC,
           "a local flush of all without any lock likewise");
    expect(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC,
           "MPI_Win_unlock_all without MPI_Win_lock_all likewise");
    MPI_Win_fence(0, win);
    expect(MPI_Rput(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win, &request), MPI_ERR_RMA_SYNC,
           "a request-based put between fences is MPI_ERR_RMA_SYNC");
    expect(MPI_Win_flush_all(win), MPI_ERR_RMA_SYNC, "a flush of all between fences likewise");
    check(request == MPI_REQUEST_NULL, "and there is no request");
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);

    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    expect(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC,
           "MPI_Win_lock_all by one that holds a lock is MPI_ERR_RMA_SYNC");
    expect(MPI_Put(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win), MPI_ERR_RMA_SYNC,
           "and locks nobody");
    expect(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC,
           "MPI_Win_unlock_all does not end what MPI_Win_lock began");
    expect(MPI_Win_unlock(1, win), MPI_SUCCESS, "and MPI_Win_unlock does");
    MPI_Win_lock_all(0, win);
    expect(MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win), MPI_ERR_RMA_SYNC,
           "MPI_Win_lock under MPI_Win_lock_all is MPI_ERR_RMA_SYNC");
    expect(MPI_Win_unlock(1, win), MPI_ERR_RMA_SYNC,
           "MPI_Win_unlock does not end what MPI_Win_lock_all began");
    expect(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC,
           "a fence under MPI_Win_lock_all is MPI_ERR_RMA_SYNC");
    expect(MPI_Win_flush(1, win), MPI_SUCCESS, "a target that nothing was sent to can be flushed");
    expect(MPI_Rget(&seen, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win, &request), MPI_SUCCESS,
           "a request-based get is fine there");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Datatype one;
    MPI_Type_contiguous(1, MPI_LONG, &one);
    MPI_Type_commit(&one);
    expect(MPI_Fetch_and_op(&value, &seen, one, 1, 0, MPI_SUM, win), MPI_ERR_TYPE,
           "MPI_Fetch_and_op of a datatype that is not predefined is MPI_ERR_TYPE");
    MPI_Type_free(&one);
    expect(MPI_Win_unlock_all(win), MPI_SUCCESS, "MPI_Win_unlock_all ends it");
    expect(MPI_Win_set_name(win, NULL), MPI_ERR_ARG, "no name is MPI_ERR_ARG");
}

static void no_window(void)
{
    /* no window, no handler of it: MPI_COMM_WORLD's is called (MPI-2 8.3) */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    long value = 1;
    MPI_Win none = MPI_WIN_NULL;
    expect(MPI_Win_fence(0, none), MPI_ERR_WIN, "a fence on MPI_WIN_NULL is MPI_ERR_WIN");
    expect(MPI_Put(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, none), MPI_ERR_WIN,
           "a put on MPI_WIN_NULL is MPI_ERR_WIN");
    expect(MPI_Win_free(&none), MPI_ERR_WIN, "freeing MPI_WIN_NULL is MPI_ERR_WIN");
    expect(MPI_Win_create(&value, -8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &none), MPI_ERR_SIZE,
           "a window of size -8 is MPI_ERR_SIZE");
    expect(MPI_Win_create(&value, 8, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &none), MPI_ERR_DISP,
           "a displacement unit of 0 is MPI_ERR_DISP");
    expect(MPI_Win_create(NULL, 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &none), MPI_ERR_BASE,
           "eight bytes at NULL are MPI_ERR_BASE");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void handlers(MPI_Win win)
{
    long value = 1;
    MPI_Errhandler mine, found;
    MPI_Win_create_errhandler(handler, &mine);
    MPI_Win_set_errhandler(win, mine);
    MPI_Win_get_errhandler(win, &found);
    check(found == mine, "MPI_Win_get_errhandler gives what was set");
    MPI_Win_fence(0, win);
    int before = handled;
    MPI_Put(&value, 1, MPI_LONG, 0, 99, 1, MPI_LONG, win);
    check(handled == before + 1 && handled_class == MPI_ERR_RMA_RANGE && handled_win == win,
          "a user's handler is called with the window and the code");
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    before = handled;
    MPI_Win_unlock(0, win);
    check(handled == before + 1 && handled_class == MPI_ERR_RMA_SYNC,
          "and again for the next error");
    before = handled;
    MPI_Win_call_errhandler(win, MPI_ERR_ASSERT);
    check(handled == before + 1 && handled_class == MPI_ERR_ASSERT,
          "MPI_Win_call_errhandler calls it too");
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&mine);
    before = handled;
    check(class_of(MPI_Win_complete(win)) == MPI_ERR_RMA_SYNC && handled == before,
          "MPI_ERRORS_RETURN puts it out of service");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    rank = check_rank, ranks = check_ranks;
    long *cell;
    MPI_Win win;
    MPI_Errhandler found;
    MPI_Win_allocate(4 * sizeof *cell, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    MPI_Win_get_errhandler(win, &found);
    check(found == MPI_ERRORS_ARE_FATAL,
          "a window's error handler is MPI_ERRORS_ARE_FATAL at first");
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    classes_have_names();
    bad_arguments(win);
    outside_epochs(win);
    passive_targets(win);
    no_window();
    handlers(win);
    expect(MPI_Win_free(&win), MPI_SUCCESS, "after all that the window is freed");
    return check_end();
}
