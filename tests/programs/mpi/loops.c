/* Loops that make no call, beside other ranks: loops HOW. Rank 0 loops: "spin" until its window
 * changes, "register" ten million times over a register, "ever" without an end, "callee" without an
 * end over a function that touches nothing; "volatile" and "atomic" until a handler of signals has
 * stored in its own memory. Rank 1 puts and gets; then it sends the signal. Where rank 0 never ends
 * it ends the run. */
#define _GNU_SOURCE
#include "check.h"
#include "sidewinder.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static volatile sig_atomic_t handled;
static atomic_int seen;
static void handle(int signal)
{
    (void)signal;
    handled = 1;
    seen = 1;
}

static __attribute__((noinline)) unsigned step(unsigned x) { return x * 1664525u + 1013904223u; }

static void loop(const char *how, volatile int *window)
{
    unsigned x = 1;
    double begun = MPI_Wtime();
    if (strcmp(how, "ever") == 0)
        for (;;) continue;
    if (strcmp(how, "callee") == 0)
        for (;;) x = step(x);
    if (strcmp(how, "spin") == 0)
        while (!*window) continue;
    else if (strcmp(how, "volatile") == 0)
        while (!handled) continue;
    else if (strcmp(how, "atomic") == 0)
        while (!atomic_load_explicit(&seen, memory_order_relaxed)) continue;
    else
        for (int i = 0; i < 10000000; i++) x = x * 1664525u + 1013904223u;
    printf("looped=%.9f\n", MPI_Wtime() - begun + (x == 42));
}

int main(int argc, char **argv)
{
    int *window, five = 5, got = 0, pid = getpid();
    MPI_Win win;
    check_begin(&argc, &argv, 2);
    signal(SIGUSR1, handle);
    MPI_Bcast(&pid, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Win_allocate(sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    *window = 0;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (check_rank == 0) {
        loop(argv[1], window);
    } else {
        sw_compute_seconds(50e-6);
        double begun = MPI_Wtime();
        MPI_Put(&five, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        printf("operations=%.9f\ngot=%d\n", MPI_Wtime() - begun, got);
        fflush(stdout);
        if (argv[1][0] == 'e' || argv[1][0] == 'c') exit(3);
        if (argv[1][0] == 'v' || argv[1][0] == 'a') kill(pid, SIGUSR1);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    return check_end();
}
