/* What functions compute that MPI calls back takes their rank's time: handlers of errors (MPI-3.1
 * 8.3) and what deletes attributes (6.7). A handler may leave by longjmp. */
#include "check.h"

#include <setjmp.h>

static volatile double sum;
static jmp_buf before_call;
static int jumps;

static void compute(void)
{
    for (int i = 0; i < 100000; i++) sum += i;
}
static void of_comm(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    compute();
    if (jumps) longjmp(before_call, 1);
}
static void of_window(MPI_Win *win, int *code, ...)
{
    (void)win, (void)code;
    compute();
    if (jumps) longjmp(before_call, 1);
}
static int deleted(MPI_Win win, int key, void *value, void *extra)
{
    (void)win, (void)key, (void)value, (void)extra;
    compute();
    return MPI_SUCCESS;
}

static double least_s; /* what it takes when nobody calls it back */
static int took(double since_s) { return MPI_Wtime() - since_s >= least_s; }

static void of_errors(MPI_Win win)
{
    double since_s = MPI_Wtime();
    MPI_Send(NULL, 0, MPI_INT, 9999, 0, MPI_COMM_WORLD);
    check(took(since_s), "a handler of a communicator's errors takes time");
    since_s = MPI_Wtime();
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    check(took(since_s), "so it does when the program calls it");
    since_s = MPI_Wtime();
    MPI_Put(NULL, 0, MPI_INT, 9999, 0, 0, MPI_INT, win);
    check(took(since_s), "so does one of a window's errors");
    since_s = MPI_Wtime();
    MPI_Win_call_errhandler(win, MPI_ERR_OTHER);
    check(took(since_s), "so does that when the program calls it");
}

static void by_jumps(MPI_Win win, int *memory)
{
    double since_s = MPI_Wtime();
    int all_took = 1, right = 1;
    jumps = 1;
    for (volatile int i = 0; i < 3; i++) {
        if (!setjmp(before_call)) MPI_Send(NULL, 0, MPI_INT, 9999, 0, MPI_COMM_WORLD);
        all_took &= took(since_s);
        since_s = MPI_Wtime();
        if (!setjmp(before_call)) MPI_Put(NULL, 0, MPI_INT, 9999, 0, 0, MPI_INT, win);
        all_took &= took(since_s);
        const int mine = check_rank + 10 * i;
        MPI_Put(&mine, 1, MPI_INT, (check_rank + 1) % check_ranks, 0, 1, MPI_INT, win);
        MPI_Win_fence(0, win);
        right &= *memory == (check_rank + check_ranks - 1) % check_ranks + 10 * i;
        MPI_Win_fence(0, win);
        since_s = MPI_Wtime();
    }
    jumps = 0;
    check(all_took, "a handler that leaves by longjmp takes time, each time");
    check(right, "and MPI goes on as before");
}

int main(int argc, char **argv)
{
    int memory = 0, key;
    MPI_Win win;
    MPI_Errhandler handler, window_handler;
    check_begin(&argc, &argv, 2);
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_create_errhandler(of_comm, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Win_create_errhandler(of_window, &window_handler);
    MPI_Win_set_errhandler(win, window_handler);
    MPI_Win_fence(0, win);
    double since_s = MPI_Wtime();
    compute();
    least_s = .9 * (MPI_Wtime() - since_s);
    check(least_s > 1e-6, "what they do takes time");
    of_errors(win);
    by_jumps(win, &memory);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, deleted, &key, NULL);
    MPI_Win_set_attr(win, key, &memory);
    since_s = MPI_Wtime();
    MPI_Win_delete_attr(win, key);
    check(took(since_s), "so does what deletes an attribute of a window");
    MPI_Win_set_attr(win, key, &memory);
    since_s = MPI_Wtime();
    MPI_Win_free(&win);
    check(took(since_s), "and when the window is freed");
    MPI_Errhandler_free(&handler);
    MPI_Errhandler_free(&window_handler);
    return check_end();
}
