/* Loops in loops: nests WAY ROUNDS. Sums so many rows of ROUNDS numbers that they are ELEMENTS in
 * all: each row anew ("up", "down", "pointer", "narrow", "third": ways to count; "sentinel": to a
 * number that is negative), two rows a call ("apart", "joined"), or all of them in one chain
 * ("through"). The numbers are a window's ("window") or not. Prints the time of all. */
#include "check.h"

enum { ELEMENTS = 96000, MOST = 2000 };
extern double result[MOST];
double result[MOST];
static double number[MOST];

static __attribute__((noinline)) void up(const double *a, int rows, int n)
{
    for (int i = 0; i < rows; i++) {
        double s = 0;
        for (int k = 0; k < n; k++) s += a[k];
        result[i % MOST] = s;
    }
}
static __attribute__((noinline)) void down(const double *a, int rows, int n)
{
    for (int i = 0; i < rows; i++) {
        double s = 0;
        for (int k = n; k > 0; k--) s += a[k - 1];
        result[i % MOST] = s;
    }
}
static __attribute__((noinline)) void pointer(const double *a, int rows, int n)
{
    for (int i = 0; i < rows; i++) {
        double s = 0;
        for (const double *p = a; p < a + n; p++) s += *p;
        result[i % MOST] = s;
    }
}
static __attribute__((noinline)) void narrow(const double *a, int rows, unsigned n)
{
    for (int i = 0; i < rows; i++) {
        double s = 0;
        for (unsigned k = 7; k != n + 7; k++) s += a[k - 7];
        result[i % MOST] = s;
    }
}
static __attribute__((noinline)) void third(const double *a, int rows, long n)
{
    for (int i = 0; i < rows; i++) {
        double s = 0;
        for (long k = 5; k < 3 * n + 5; k += 3) s += a[k - 5];
        result[i % MOST] = s;
    }
}
/* To a negative number, which nobody counts to. */
static __attribute__((noinline)) void sentinel(const double *a, int rows)
{
    for (int i = 0; i < rows; i++) {
        const double *p = a;
        double s = 0;
        do s += *p;
        while (*p++ >= 0);
        result[i % MOST] = s;
    }
}
/* Two loops one behind the other: the second goes on from what the first gives, or does not. */
static __attribute__((noinline)) void joined(const double *a, int n)
{
    double s = 0, t;
    for (int k = 0; k < n; k++) s += a[k];
    t = s;
    for (int k = 0; k < n; k++) t += a[k];
    result[0] = s;
    result[1] = t;
}
static __attribute__((noinline)) void apart(const double *a, int n)
{
    double s = 0, t = 0;
    for (int k = 0; k < n; k++) s += a[k];
    for (int k = 0; k < n; k++) t += a[k];
    result[0] = s;
    result[1] = t;
}
static __attribute__((noinline)) void through(const double *a, int rows, int n)
{
    double s = 0;
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < n; k++) s += a[k];
        result[i % MOST] = s;
    }
}

int main(int argc, char **argv)
{
    double *a = number;
    MPI_Win win = MPI_WIN_NULL;
    check_begin(&argc, &argv, 0);
    const char *way = argv[1];
    int n = atoi(argv[2]), rows = ELEMENTS / n;
    if (strcmp(way, "window") == 0) {
        MPI_Win_allocate(sizeof number, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &a, &win);
        for (int i = 0; i < MOST; i++) a[i] = 1;
    }
    a[n - 1] = strcmp(way, "sentinel") == 0 ? -1 : a[n - 1];
    for (int pass = 0; pass < 2; pass++) {
        double begun = MPI_Wtime();
        for (int i = 0; i < rows / 2 && strcmp(way, "apart") == 0; i++) apart(a, n);
        for (int i = 0; i < rows / 2 && strcmp(way, "joined") == 0; i++) joined(a, n);
        if (strcmp(way, "apart") == 0 || strcmp(way, "joined") == 0)
            ;
        else if (strcmp(way, "sentinel") == 0)
            sentinel(a, rows);
        else if (strcmp(way, "down") == 0)
            down(a, rows, n);
        else if (strcmp(way, "pointer") == 0)
            pointer(a, rows, n);
        else if (strcmp(way, "narrow") == 0)
            narrow(a, rows, (unsigned)n);
        else if (strcmp(way, "third") == 0)
            third(a, rows, n);
        else if (strcmp(way, "through") == 0)
            through(a, rows, n);
        else
            up(a, rows, n);
        if (pass == 1 && check_rank == 0) printf("time=%.9f\n", MPI_Wtime() - begun);
    }
    if (win != MPI_WIN_NULL) MPI_Win_free(&win);
    return check_end();
}
