/* Examples 11.11 to 11.15 of MPI-2, section 11.7, as programs: rank 0 is process A, rank 1 process
 * B. Each prints what its loads and gets returned; whether they may be obsolete is for
 * examples_test.sh to say. X and Y are 0 at first and their owner has loaded them, so that a cache
 * that keeps old values has these. Every update writes 1. */
#include "check.h"

enum { A, B, Y_AT = 64 }; /* X and Y are 64 longs apart: never in one cache line */

static long *window;
static MPI_Win win;
static MPI_Group a_only, b_only, both;
static const long one = 1;
static int rank;

#define X window[0]
#define Y window[Y_AT]

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void lock(int type, int target) { MPI_Win_lock(type, target, 0, win); }
static void unlock(int target) { MPI_Win_unlock(target, win); }
static void put_x(int target) { MPI_Put(&one, 1, MPI_LONG, target, 0, 1, MPI_LONG, win); }
static void say(const char *what, long value) { printf("%s=%ld\n", what, value), fflush(stdout); }

/* Rule 5: "An update of a location in a private window copy in process memory becomes visible in
 * the public window copy at latest when an ensuing call to MPI_WIN_POST, MPI_WIN_FENCE, or
 * MPI_WIN_UNLOCK is executed on that window by the window owner." */
static void example_11_11(void)
{
    long got = -1;
    if (rank == B) {
        lock(MPI_LOCK_EXCLUSIVE, B);
        X = 1;     /* local update to private copy of B */
        unlock(B); /* now visible in public window copy */
    }
    barrier();
    if (rank == A) {
        lock(MPI_LOCK_EXCLUSIVE, B);
        MPI_Get(&got, 1, MPI_LONG, B, 0, 1, MPI_LONG, win); /* ok, read from public window */
        unlock(B);
        say("get_x", got);
    }
}

/* Rule 6: "An update by a put or accumulate call to a public window copy becomes visible in the
 * private copy in process memory at latest when an ensuing call to MPI_WIN_WAIT, MPI_WIN_FENCE, or
 * MPI_WIN_LOCK is executed on that window by the window owner." "Note that the private copy of X
 * has not necessarily been updated after the barrier, so omitting the lock-unlock at process B may
 * lead to the load returning an obsolete value." */
static void example_11_12(void)
{
    if (rank == A) {
        lock(MPI_LOCK_EXCLUSIVE, B);
        put_x(B); /* update to public window */
        unlock(B);
    }
    barrier();
    if (rank == B) {
        say("load_x_without_lock", X);
        lock(MPI_LOCK_EXCLUSIVE, B); /* now visible in private copy of B */
        long loaded = X;
        unlock(B);
        say("load_x", loaded);
    }
}

/* "The rules do not guarantee that process A in the following sequence will see the value of X as
 * updated by the local store by B before the lock." The second part, not in the standard's text,
 * stores to eight other lines of B's before the lock: a write buffer of four lines then has no room
 * for X. */
static void example_11_13(int push_out)
{
    static long elsewhere[8 * 64];
    long got = -1;
    if (rank == B) {
        X = 1; /* update to private copy of B */
        if (push_out)
            for (int i = 0; i < 8; i++) ((volatile long *)elsewhere)[i * 64] = 1;
        lock(MPI_LOCK_SHARED, B);
    }
    barrier();
    if (rank == A) {
        lock(MPI_LOCK_SHARED, B);
        /* X may not be in public window copy */
        MPI_Get(&got, 1, MPI_LONG, B, 0, 1, MPI_LONG, win);
        unlock(B);
        say("get_x", got);
    }
    barrier();
    if (rank == B) unlock(B); /* update on X now visible in public window */
    barrier();
    if (rank == A) {
        lock(MPI_LOCK_SHARED, B);
        MPI_Get(&got, 1, MPI_LONG, B, 0, 1, MPI_LONG, win);
        unlock(B);
        say("get_x_after_unlock", got);
    }
}

/* "it is not guaranteed that process B reads the value of X as per the local update by process A,
 * because neither MPI_WIN_WAIT nor MPI_WIN_COMPLETE calls by process A ensure visibility in the
 * public window copy.
 * [...] The update on Y made before the MPI_WIN_POST call is visible in the public window after the
 * MPI_WIN_POST call and therefore correctly gotten by process B." */
static void example_11_14(void)
{
    long x = -1, y = -1;
    if (rank == A) {
        Y = 1;
        MPI_Win_post(both, 0, win); /* Y visible in public window */
    }
    MPI_Win_start(a_only, 0, win);
    if (rank == A) X = 1; /* update to private window */
    MPI_Win_complete(win);
    if (rank == A) MPI_Win_wait(win); /* update on X may not yet be visible in public window */
    barrier();
    if (rank == B) {
        lock(MPI_LOCK_EXCLUSIVE, A);
        MPI_Get(&x, 1, MPI_LONG, A, 0, 1, MPI_LONG, win); /* may return an obsolete value */
        MPI_Get(&y, 1, MPI_LONG, A, Y_AT, 1, MPI_LONG, win);
        unlock(A);
        say("get_x", x);
        say("get_y", y);
    }
}

/* "The MPI_GET(Y) call could be moved to the epoch started by the MPI_WIN_START operation, and
 * process B would still get the value stored by A." And: "To allow B to read the value of X stored
 * by A the local store must be replaced by a local MPI_PUT that updates the public window copy.
 * Note that by this replacement X may become visible in the private copy in process memory of A
 * only after the MPI_WIN_WAIT call in process A." */
static void example_11_14_with_put(void)
{
    long x = -1, y = -1;
    if (rank == A) {
        Y = 1;
        MPI_Win_post(both, 0, win);
    }
    MPI_Win_start(a_only, 0, win);
    if (rank == A) put_x(A);
    if (rank == B) MPI_Get(&y, 1, MPI_LONG, A, Y_AT, 1, MPI_LONG, win);
    MPI_Win_complete(win);
    if (rank == A) {
        MPI_Win_wait(win);
        say("load_x_after_wait", X);
    }
    barrier();
    if (rank == B) {
        lock(MPI_LOCK_EXCLUSIVE, A);
        MPI_Get(&x, 1, MPI_LONG, A, 0, 1, MPI_LONG, win);
        unlock(A);
        say("get_x", x);
        say("get_y", y);
    }
}

/* 11.15: B's load after its post "may return an obsolete value"; after its wait it may not (rule
 * 6). */
static void example_11_15(void)
{
    if (rank == A) {
        lock(MPI_LOCK_EXCLUSIVE, B);
        put_x(B); /* update to public window */
        unlock(B);
    }
    barrier();
    if (rank == B) MPI_Win_post(a_only, 0, win);
    if (rank == A) MPI_Win_start(b_only, 0, win);
    if (rank == B) say("load_x", X); /* access to private window */
    if (rank == A) MPI_Win_complete(win);
    if (rank == B) {
        MPI_Win_wait(win);
        say("load_x_after_wait", X);
    }
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "";
    check_begin(&argc, &argv, 2);
    rank = check_rank;
    MPI_Win_allocate((Y_AT + 1) * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &window, &win);
    MPI_Group world;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, (int[]){A}, &a_only);
    MPI_Group_incl(world, 1, (int[]){B}, &b_only);
    MPI_Group_incl(world, 2, (int[]){A, B}, &both);

    X = Y = 0;
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, win); /* both copies are 0 */
    if (*(volatile long *)&X != 0 || *(volatile long *)&Y != 0) abort();
    barrier();
    int known = 1;
    if (strcmp(which, "11.11") == 0)
        example_11_11();
    else if (strcmp(which, "11.12") == 0)
        example_11_12();
    else if (strcmp(which, "11.13") == 0)
        example_11_13(0);
    else if (strcmp(which, "11.13-pushed-out") == 0)
        example_11_13(1);
    else if (strcmp(which, "11.14") == 0)
        example_11_14();
    else if (strcmp(which, "11.14-with-put") == 0)
        example_11_14_with_put();
    else if (strcmp(which, "11.15") == 0)
        example_11_15();
    else
        known = 0;
    barrier();
    MPI_Win_free(&win);
    MPI_Finalize();
    return known ? 0 : 2;
}
