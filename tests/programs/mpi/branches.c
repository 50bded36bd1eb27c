/* Branches whose outcomes are known beforehand; one rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 20000, ROUNDS = 4, LOOPS = 10000 }; /* more than a predictor learns */

/* what is over the middle is counted by a branch */
static __attribute__((noipa)) int over(const int *a)
{
    int count = 0;
    for (int i = 0; i < NUMBERS; i++)
        if (a[i] >= 500) {
            count++;
            __asm__ volatile("" : "+r"(count));
        }
    return count;
}

/* left LOOPS times */
static __attribute__((noipa)) int short_loops(const int *a)
{
    int sum = 0;
    for (int k = 0; k < LOOPS; k++) {
        for (int i = 0; i < 6; i++) sum ^= a[i];
        __asm__ volatile("" : "+r"(sum) : : "memory");
    }
    return sum;
}

static int before(const void *a, const void *b)
{
    return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

/* of a copy: NUMBERS * 14 comparisons */
static int in_order(const int *a)
{
    static int copy[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) copy[i] = a[i];
    qsort(copy, NUMBERS, sizeof *copy, before);
    return copy[NUMBERS / 2];
}

int main(int argc, char **argv)
{
    static int a[NUMBERS];
    MPI_Init(&argc, &argv);
    const char *which = argc > 1 ? argv[1] : "random";
    unsigned x = 12345;
    for (int i = 0; i < NUMBERS; i++) {
        x = x * 1664525u + 1013904223u;
        a[i] = *which == 'r' ? (int)(x >> 16) % 1000 : *which == 'a' ? i % 2 * 900 : i;
    }
    double begin = MPI_Wtime();
    int result = 0;
    for (int i = 0; i < ROUNDS; i++)
        result += argc > 2 ? in_order(a) : *which == 'l' ? short_loops(a) : over(a);
    printf("time=%.12f\nresult=%d\n", MPI_Wtime() - begin, result);
    MPI_Finalize();
    return 0;
}
