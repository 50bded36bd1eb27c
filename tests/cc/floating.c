/* Integers only: what an access costs is computed in the same thread, and must leave the flags of
 * floating point, the rounding and the traps as the program has them. */
#define _GNU_SOURCE
#include "check.h"
#include <fenv.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MANY = 100000, SOME = 1000 };
static volatile int own[MANY];

static int before(const void *a, const void *b)
{
    return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

/* MPI's, sleeps, clocks and a sort. */
static void calls(MPI_Win win)
{
    int sum_of = 0;
    struct timespec instant = {.tv_nsec = 1234};
    MPI_Accumulate((int *)own, SOME, MPI_INT, 0, 0, SOME, MPI_INT, MPI_SUM, win);
    MPI_Win_flush_all(win);
    MPI_Allreduce(&check_rank, &sum_of, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    nanosleep(&instant, NULL);
    usleep(1);
    clock_gettime(CLOCK_MONOTONIC, &instant);
    MPI_Wtime();
    clock();
    int numbers[] = {3, 1, 2, 5, 4, 9, 8, 7};
    qsort(numbers, 8, sizeof *numbers, before);
}

/* At many places, each of which is an object of the profile. */
#define FOUR(act) act act act act
static void allocations(void)
{
    void *volatile block;
    FOUR(FOUR(FOUR(block = malloc(64); free(block);)))
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
    check_begin(&argc, &argv, 2);
    MPI_Win_allocate(SOME * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    feclearexcept(FE_ALL_EXCEPT);
    check(raised_by(STORE, own, MANY) == 0, "private stores raise nothing");
    check(raised_by(LOAD, own, MANY) == 0, "private loads raise nothing");
    check(raised_by(ADD, own, SOME) == 0, "atomic operations raise nothing");
    check(raised_by(STORE, window, SOME) == 0, "stores to a window raise nothing");
    check(raised_by(LOAD, window, SOME) == 0, "loads of a window raise nothing");
    feenableexcept(FE_ALL_EXCEPT);
    for (int i = 0; i < MANY; i++) own[i] = i;
    for (int i = 0; i < SOME; i++) window[i] = i;
    calls(win);
    allocations();
    int traps = fegetexcept(), raised = fetestexcept(FE_ALL_EXCEPT);
    fedisableexcept(FE_ALL_EXCEPT);
    check(traps == FE_ALL_EXCEPT, "traps are the program's own");
    check(raised == 0, "calls and allocations raise nothing");
    fesetround(FE_UPWARD);
    for (int i = 0; i < MANY; i++) own[i] = i;
    int after_stores = fegetround();
    calls(win);
    int after_calls = fegetround();
    fesetround(FE_TONEAREST);
    check(after_stores == FE_UPWARD, "the rounding is the program's own");
    check(after_calls == FE_UPWARD, "calls that are made with it leave it");
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    return check_end();
}
