/* The six rules of MPI-2, section 11.7, which say by when an operation is complete and an update
 * visible, one by one. Every place is loaded by its owner beforehand, so that a cache that keeps
 * old values has them. */
#include "check.h"

enum { CELLS = 24, APART = 16 }; /* cells are 16 longs apart: 128 bytes, never in one line */

static long *window;
static MPI_Win win;
static MPI_Group origin_only, target_only;
static int rank;

enum { ORIGIN, TARGET, THIRD };

static volatile long *cell(int i) { return &window[i * APART]; }

static void put(int i, const long *value)
{
    MPI_Put(value, 1, MPI_LONG, TARGET, (MPI_Aint)i * APART, 1, MPI_LONG, win);
}

static void get(int i, long *value)
{
    MPI_Get(value, 1, MPI_LONG, TARGET, (MPI_Aint)i * APART, 1, MPI_LONG, win);
}

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }

/* All cells 0 in both copies, and loaded. */
static void begin(void)
{
    barrier();
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    for (int i = 0; i < CELLS; i++) *cell(i) = 0;
    MPI_Win_unlock(rank, win);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    for (int i = 0; i < CELLS; i++)
        if (*cell(i) != 0) abort();
    MPI_Win_unlock(rank, win);
    barrier();
}

/* the target's part of a post-start-complete-wait or fence epoch */
static void epochs_of_target(int which)
{
    if (which == 0) MPI_Win_fence(0, win);
    if (which == 1 && rank == TARGET) MPI_Win_post(origin_only, 0, win);
    if (which == 1 && rank == ORIGIN) MPI_Win_start(target_only, 0, win);
    if (which == 2 && rank == ORIGIN) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, TARGET, 0, win);
}

static void end_epochs(int which)
{
    if (which == 0) MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (which == 1 && rank == ORIGIN) MPI_Win_complete(win);
    if (which == 1 && rank == TARGET) MPI_Win_wait(win);
    if (which == 2 && rank == ORIGIN) MPI_Win_unlock(TARGET, win);
}

/* "1. An RMA operation is completed at the origin by the ensuing call to MPI_WIN_COMPLETE,
 * MPI_WIN_FENCE or MPI_WIN_UNLOCK that synchronizes this access at the origin." */
static void rule_1(void)
{
    static const char *const got[] = {"rule 1: what was gotten is there after the fence",
                                      "rule 1: what was gotten is there after complete",
                                      "rule 1: what was gotten is there after unlock"};
    static const char *const reused[] = {
        "rule 1: the buffer of a put can be reused after the fence",
        "rule 1: the buffer of a put can be reused after complete",
        "rule 1: the buffer of a put can be reused after unlock"};
    for (int which = 0; which < 3; which++) {
        begin();
        long value = -1, buffer = 5 + which;
        epochs_of_target(which);
        if (rank == ORIGIN) get(0, &value), put(1, &buffer);
        end_epochs(which);
        buffer = -7;
        check(rank != ORIGIN || value == 0, got[which]);
        MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
        long seen = *cell(1);
        MPI_Win_unlock(rank, win);
        check(rank != TARGET || seen == 5 + which, reused[which]);
    }
}

/* "2. If an RMA operation is completed at the origin by a call to MPI_WIN_FENCE then the operation
 * is completed at the target by the matching call to MPI_WIN_FENCE by the target process." "3.
 * [...] by a call to MPI_WIN_COMPLETE then the operation is completed at the target by the matching
 * call to MPI_WIN_WAIT by the target process." The target then loads it: rule 6. */
static void rules_2_and_3(void)
{
    static const char *const sentence[] = {
        "rule 2: a put is complete at the target after its matching fence",
        "rule 3: a put is complete at the target after its matching wait"};
    for (int which = 0; which < 2; which++) {
        begin();
        long value = 2;
        epochs_of_target(which);
        if (rank == ORIGIN) put(3, &value);
        end_epochs(which);
        check(rank != TARGET || *cell(3) == 2, sentence[which]);
    }
    begin();
    long value = 4, one = 1;
    if (rank == TARGET) MPI_Win_post(origin_only, 0, win);
    if (rank == ORIGIN) {
        MPI_Win_start(target_only, 0, win);
        put(4, &value);
        MPI_Accumulate(&one, 1, MPI_LONG, TARGET, 5 * APART, 1, MPI_LONG, MPI_SUM, win);
        MPI_Win_complete(win);
    }
    int done = rank != TARGET;
    while (!done) MPI_Win_test(win, &done);
    check(rank != TARGET || (*cell(4) == 4 && *cell(5) == 1),
          "rule 3: a test that returns true counts as the wait");
}

/* "4. If an RMA operation is completed at the origin by a call to MPI_WIN_UNLOCK then the operation
 * is completed at the target by that same call to MPI_WIN_UNLOCK." A third process sees it although
 * the target makes no call on the window. */
static void rule_4(void)
{
    begin();
    long value = 9, seen = -1;
    if (rank == ORIGIN) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, TARGET, 0, win);
        put(6, &value);
        MPI_Win_unlock(TARGET, win);
        MPI_Send(NULL, 0, MPI_BYTE, THIRD, 0, MPI_COMM_WORLD);
    }
    if (rank == THIRD) {
        MPI_Recv(NULL, 0, MPI_BYTE, ORIGIN, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_SHARED, TARGET, 0, win);
        get(6, &seen);
        MPI_Win_unlock(TARGET, win);
    }
    check(rank != THIRD || seen == 9,
          "rule 4: a third process gets what was put once the origin has unlocked");
}

/* "5. An update of a location in a private window copy in process memory becomes visible in the
 * public window copy at latest when an ensuing call to MPI_WIN_POST, MPI_WIN_FENCE, or
 * MPI_WIN_UNLOCK is executed on that window by the window owner." */
static void rule_5(void)
{
    static const char *const sentence[] = {
        "rule 5: a get after the owner's fence returns its store",
        "rule 5: a get after the owner's post returns its store",
        "rule 5: a get after the owner's unlock returns its store"};
    for (int which = 0; which < 3; which++) {
        begin();
        long first = -1, last = -1;
        if (which == 2) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
        if (rank == TARGET)
            for (int i = 0; i < CELLS; i++) *cell(i) = 30 + i;
        if (which == 2) MPI_Win_unlock(rank, win), barrier();
        epochs_of_target(which);
        if (rank == ORIGIN) get(0, &first), get(CELLS - 1, &last);
        end_epochs(which);
        check(rank != ORIGIN || (first == 30 && last == 30 + CELLS - 1), sentence[which]);
    }
}

/* "6. An update by a put or accumulate call to a public window copy becomes visible in the private
 * copy in process memory at latest when an ensuing call to MPI_WIN_WAIT, MPI_WIN_FENCE, or
 * MPI_WIN_LOCK is executed on that window by the window owner." */
static void rule_6(void)
{
    static const char *const sentence[] = {
        "rule 6: a load after the owner's fence returns the put and the accumulate",
        "rule 6: a load after the owner's wait returns the put and the accumulate",
        "rule 6: a load after the owner's lock returns the put and the accumulate"};
    for (int which = 0; which < 3; which++) {
        begin();
        long value = 60, more = 7;
        epochs_of_target(which);
        if (rank == ORIGIN) {
            put(8, &value);
            MPI_Accumulate(&more, 1, MPI_LONG, TARGET, 9 * APART, 1, MPI_LONG, MPI_SUM, win);
        }
        end_epochs(which);
        barrier();
        if (which == 2) MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
        long put_seen = *cell(8), sum_seen = *cell(9);
        if (which == 2) MPI_Win_unlock(rank, win);
        check(rank != TARGET || (put_seen == 60 && sum_seen == 7), sentence[which]);
    }
}

/* "Consider, for example, two overlapping windows, win1 and win2. A call to MPI_WIN_FENCE(0, win1)
 * by the window owner makes visible in the process memory previous updates to window win1 by remote
 * processes. A subsequent call to MPI_WIN_FENCE(0, win2) makes these updates visible in the public
 * copy of win2." */
static void overlapping_windows(void)
{
    MPI_Win second;
    begin();
    MPI_Win_create(window, CELLS * APART * sizeof(long), sizeof(long), MPI_INFO_NULL,
                   MPI_COMM_WORLD, &second);
    long value = 11, seen = -1;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    if (rank == ORIGIN) put(10, &value);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    check(rank != TARGET || *cell(10) == 11,
          "a fence on one of two overlapping windows makes its puts visible to loads");
    MPI_Win_fence(0, second);
    if (rank == THIRD) MPI_Get(&seen, 1, MPI_LONG, TARGET, 10 * APART, 1, MPI_LONG, second);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, second);
    check(rank != THIRD || seen == 11, "a fence on the second makes them visible to its gets");
    MPI_Win_free(&second);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 3);
    rank = check_rank;
    MPI_Win_allocate(CELLS * APART * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &window, &win);
    MPI_Group world;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, (int[]){ORIGIN}, &origin_only);
    MPI_Group_incl(world, 1, (int[]){TARGET}, &target_only);
    rule_1();
    rules_2_and_3();
    rule_4();
    rule_5();
    rule_6();
    overlapping_windows();
    MPI_Win_free(&win);
    return check_end();
}
