/* Integers only: what an access costs is computed in the same thread, and must leave the flags of
 * floating point, the rounding and the traps as the program has them. */
#define _GNU_SOURCE
#include <mpi.h>
#include <fenv.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { MANY = 100000, SOME = 1000 };
static volatile int own[MANY];
static int rank;

static void check(const char *what, int good)
{
    if (rank == 0) printf("%s: %s\n", good ? "ok" : "not ok", what);
}

/* What the acts raise, one after the other. */
enum act { STORE, LOAD, ADD };
static int raised_by(enum act act, volatile int *at, int n)
{
    int raised = 0;
    for (int i = 0; i < n; i++) {
        if (act == STORE) at[i] = i;
        if (act == LOAD) (void)at[i];
        if (act == ADD) __sync_fetch_and_add(at + i, 1);
        raised |= fetestexcept(FE_ALL_EXCEPT);
        feclearexcept(FE_ALL_EXCEPT);
    }
    return raised;
}

int main(int argc, char **argv)
{
    int *window;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(SOME * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    feclearexcept(FE_ALL_EXCEPT);
    check("private stores raise nothing", raised_by(STORE, own, MANY) == 0);
    check("private loads raise nothing", raised_by(LOAD, own, MANY) == 0);
    check("atomic operations raise nothing", raised_by(ADD, own, SOME) == 0);
    check("stores to a window raise nothing", raised_by(STORE, window, SOME) == 0);
    check("loads of a window raise nothing", raised_by(LOAD, window, SOME) == 0);
    feenableexcept(FE_ALL_EXCEPT);
    for (int i = 0; i < MANY; i++) own[i] = i;
    for (int i = 0; i < SOME; i++) window[i] = i;
    int sum_of = 0;
    MPI_Accumulate((int *)own, SOME, MPI_INT, 0, 0, SOME, MPI_INT, MPI_SUM, win);
    MPI_Win_flush_all(win);
    MPI_Allreduce(&rank, &sum_of, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    struct timespec instant = {.tv_nsec = 1234};
    nanosleep(&instant, NULL);
    usleep(1);
    clock_gettime(CLOCK_MONOTONIC, &instant);
    double now_s = MPI_Wtime();
    if (now_s < 0 || MPI_Wtime() < now_s) check("clocks go on", 0);
    clock();
    check("traps are the program's own", fegetexcept() == FE_ALL_EXCEPT);
    check("calls raise nothing", !fetestexcept(FE_ALL_EXCEPT));
    fedisableexcept(FE_ALL_EXCEPT);
    fesetround(FE_UPWARD);
    for (int i = 0; i < MANY; i++) own[i] = i;
    check("so is the rounding", fegetround() == FE_UPWARD);
    fesetround(FE_TONEAREST);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
