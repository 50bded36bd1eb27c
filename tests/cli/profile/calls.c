/* Functions that call each other in every way: two callers of one, recursion, a longjmp out of
 * three frames, a callback of C's library, one that waits in MPI, one in tail position. */
#include <mpi.h>
#include <setjmp.h>
#include <stdlib.h>

#define APART __attribute__((noinline, noclone))

static volatile double sink;
static double data[4096];
static jmp_buf back;

APART void work(int n)
{
    for (int i = 0; i < n; i++) sink += data[i * 7 % 4096];
}

APART void left(int n)
{
    work(n);
    work(n);
    sink += 1;
}

APART void right(int n)
{
    work(3 * n);
    MPI_Barrier(MPI_COMM_WORLD);
    sink += 1;
}

APART void last(int n)
{
    sink += 1;
    work(n); /* a tail call */
}

APART int even(int n);
APART int odd(int n)
{
    int known = n > 0 && even(n - 1);
    sink += 1;
    return known;
}
APART int even(int n)
{
    int known = n == 0 || odd(n - 1);
    sink += 1;
    return known;
}

APART void deep(int n)
{
    if (n == 0) longjmp(back, 1);
    deep(n - 1);
    sink += 1;
}

APART void jumps(void)
{
    if (!setjmp(back)) deep(3);
    work(50);
    sink += 1;
}

APART int less(const void *a, const void *b)
{
    work(1);
    sink += 1;
    return *(const int *)a - *(const int *)b;
}

APART void sorts(void)
{
    int v[8] = {5, 2, 7, 1, 8, 3, 6, 4};
    qsort(v, 8, sizeof *v, less);
    sink += v[0];
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++) {
        left(100);
        right(100 + 100 * rank);
    }
    last(30);
    even(20);
    jumps();
    sorts();
    work(10);
    MPI_Finalize();
    return 0;
}
