/* Functions that are entered for the first time, wherever that is: what they were handed is there,
 * and they cost what they cost later. */
#define _GNU_SOURCE
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define APART __attribute__((noipa))

static int rank;

static void check(const char *what, int yes)
{
    if (rank == 0) printf("%s %s\n", yes ? "ok:" : "FAILED:", what);
}

APART static long of_numbers(long a, int b, short c, long d, long e, char f, long g, long h)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}

APART static double of_reals(double a, float b, double c, double d, double e, double f, double g,
                             double h, long double i)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * (double)i;
}

struct large {
    long value[5];
};
APART static struct large made(long from)
{
    struct large l;
    for (int i = 0; i < 5; i++) l.value[i] = from + i;
    return l;
}

APART static double any_number(int n, ...)
{
    va_list list;
    double sum = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++) sum += va_arg(list, double);
    va_end(list);
    return sum;
}

APART static int goes(jmp_buf to) { longjmp(to, 7); }

APART static double third(double x) { return x / 3; }

APART static int error(void) { return errno; }

static volatile double got;
APART static double in_handler(double x) { return x * 2 + 1; }
static void handle(int number) { got = in_handler(number); }

static char small[16384];
static int on_small_stack(void)
{
    stack_t other = {.ss_sp = small, .ss_size = sizeof small}, before;
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    sigaltstack(&other, &before);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    sigaltstack(&before, NULL);
    return got == SIGUSR1 * 2 + 1;
}

APART static double steps(double x)
{
    for (int i = 0; i < 1000; i++) x = x * 0.5 + 1 / x;
    return x;
}
APART static double took(double x)
{
    double begun = MPI_Wtime();
    got = steps(x);
    return MPI_Wtime() - begun;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long bias = argc;
    long within(long x) { return x + bias; }
    jmp_buf here;
    check("whole numbers", of_numbers(1, 2, 3, 4, 5, 6, 7, 8) == 204);
    check("real ones", of_reals(1, 2, 3, 4, 5, 6, 7, 8, 9) == 285);
    check("where a structure is to be", made(3).value[4] == 7);
    check("any number of them", any_number(4, 1.0, 2.0, 3.0, 4.0) == 10);
    check("what a function within a function refers to", within(argc) == 2 * argc);
    int code = setjmp(here);
    if (code == 0) goes(here);
    check("it may never return", code == 7);
    errno = 42;
    check("the error number", error() == 42);
    fesetround(FE_UPWARD);
    volatile double one = 1;
    double up = third(one);
    fesetround(FE_TONEAREST);
    check("the way to round", up > third(one));
    check("on a small stack of a handler", on_small_stack());
    double first = took(1.5), then = took(1.5);
    check("the first time takes as long as the second, but for what is learnt",
          first > 1e-6 && fabs(first - then) < first / 20);
    MPI_Finalize();
    return 0;
}
