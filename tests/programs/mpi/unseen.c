/* Stores by the C library while it calls the program back, around longjmp, in a signal handler and
 * into a large window; bytes of both kinds beside each other. */
#include "check.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>

enum { N = 512, LARGE = 8 << 20 };
static MPI_Win win;
static int *window, *others;
static jmp_buf out;

static int by_value(const void *a, const void *b, void *calls)
{
    int x = *(const int *)a, y = *(const int *)b, zero = 0;
    if (++*(int *)calls % 50 == 0) MPI_Reduce_local(&zero, calls, 1, MPI_INT, MPI_SUM);
    return (x > y) - (x < y);
}
static int leave(const void *a, const void *b, void *calls)
{
    (void)a, (void)b;
    if (++*(int *)calls == 40) longjmp(out, 1);
    return 1;
}
static void on_signal(int number) { sscanf("4711", "%d", &window[number]); }
void qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);

static void load(MPI_Win w, int from, int n, int *to)
{
    MPI_Win_fence(0, w);
    if (check_rank == 1) MPI_Get(to, n, MPI_INT, 0, from, n, MPI_INT, w);
    MPI_Win_fence(0, w);
}

int main(int argc, char **argv)
{
    int wrong = 0, calls = 0, *large;
    check_begin(&argc, &argv, 2);
    others = calloc(N, sizeof *others);
    MPI_Win_allocate(N * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    memset(window, 0, N * sizeof(int));
    MPI_Win_fence(0, win);
    if (check_rank == 0) {
        for (int i = 0; i < N; i++) window[i] = (i * 7919) % N;
        qsort_r(window, N, sizeof(int), by_value, &calls);
        for (int i = 0; i < N; i++) wrong += window[i] != i;
    }
    check(!wrong, "qsort_r with a comparison that calls MPI sorts a window");
    load(win, 0, N, others);
    for (int i = 0; check_rank == 1 && i < N; i++) wrong += others[i] != i;
    check(!wrong, "another rank gets the sorted window");

    if (check_rank == 0) {
        calls = 0;
        if (setjmp(out) == 0) qsort_r(window, N, sizeof(int), leave, &calls);
        memcpy(others, window, N * sizeof(int));
        MPI_Send(others, N, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (check_rank == 1) {
        MPI_Recv(others, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    static int got[N];
    load(win, 0, N, got);
    check(check_rank != 1 || memcmp(got, others, sizeof got) == 0,
          "another rank gets what a sort that longjmp left had stored");

    signal(SIGUSR1, on_signal);
    if (check_rank == 0) raise(SIGUSR1);
    load(win, SIGUSR1, 1, got);
    check(check_rank != 1 || got[0] == 4711, "another rank gets what a signal handler scanned");

    if (check_rank == 0) {
        window[0] = 1, window[1] = 2;
        sscanf("77", "%2d", &window[1]); /* over a store that memory does not have yet */
        window[2] = 3;
    }
    load(win, 0, 3, got);
    check(check_rank != 1 || (got[0] == 1 && got[1] == 77 && got[2] == 3),
          "a scanned number between two stores, over a third, is what another rank gets");

    MPI_Win_free(&win);
    MPI_Win_allocate(check_rank ? 0 : LARGE * sizeof(int), sizeof(int), MPI_INFO_NULL,
                     MPI_COMM_WORLD, &large, &win);
    MPI_Win_fence(0, win);
    if (check_rank == 0) {
        int ends[2];
        static const int sent[2] = {12, 13};
        struct iovec v[2] = {{&large[LARGE / 2], sizeof(int)}, {&large[5], sizeof(int)}};
        if (pipe(ends) || write(ends[1], sent, sizeof sent) != sizeof sent) return 2;
        if (readv(ends[0], v, 2) != sizeof sent) return 2;
    }
    load(win, LARGE / 2, 1, got);
    load(win, 5, 1, got + 1);
    check(check_rank != 1 || (got[0] == 12 && got[1] == 13), "so it is with vectors into 32 MiB");
    MPI_Win_free(&win);
    free(others);
    return check_end();
}
