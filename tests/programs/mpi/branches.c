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

/* a loop of 1 to 8 rounds for each number */
static __attribute__((noipa)) int rows(const int *a)
{
    static int end[NUMBERS];
    int sum = 0, at = 0;
    for (int k = 0; k < NUMBERS; k++) end[k] = at += (a[k] & 7) + 1;
    for (int k = 0, i = 0; k < NUMBERS; k++)
        for (; i < end[k]; i++) sum ^= a[i & 1023];
    return sum;
}

/* one of 8 rounds for every eight, to where the next begins */
static __attribute__((noipa)) int eights(const int *a)
{
    double most = 0;
    for (int k = 0; k < NUMBERS; k += 8) {
        double sum = 0;
        for (int i = 0; i < 8; i++) {
            double x = a[k + i] - 0.5;
            sum += x * x;
        }
        if (sum > most) most = sum;
    }
    return (int)most;
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

static __attribute__((noipa)) int plus(int x) { return x + 3; }
static __attribute__((noipa)) int times(int x) { return x * 5; }
static __attribute__((noipa)) int without(int x) { return x ^ 85; }
static __attribute__((noipa)) int half(int x) { return x >> 1; }

/* one of four functions for each */
static __attribute__((noipa)) int calls(const int *a)
{
    static int (*const function[])(int) = {plus, times, without, half};
    int x = 0;
    for (int i = 0; i < NUMBERS; i++) x = function[a[i] >> 8 & 3](x);
    return x;
}

/* one of eight ways for each; those from 8 on are 7's */
static __attribute__((noipa)) int ways(const int *a)
{
    int x = 1, y = 2, z = 3;
    for (int i = 0; i < NUMBERS; i++) switch (a[i] & 15) {
        case 0: x += y; break;
        case 1: y ^= x; break;
        case 2: x = x * 3 + 1; break;
        case 3: z += x & 15; break;
        case 4: y -= z; break;
        case 5: x >>= 1; break;
        case 6: y = y << 1 | 1; break;
        default: z ^= y; break;
        }
    return x + y + z;
}

/* the same by a jump through a pointer */
static __attribute__((noipa)) int jumps(const int *a)
{
    static const void *const to[] = {&&plus, &&times, &&without, &&half};
    int x = 0, i = 0;
next:
    if (i == NUMBERS) return x;
    goto *to[a[i++] >> 8 & 3];
plus:
    x += 3;
    goto next;
times:
    x *= 5;
    goto next;
without:
    x ^= 85;
    goto next;
half:
    x >>= 1;
    goto next;
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
        if (*which == 'e') a[i] = i % 10 + 7; /* 7 to 16: 9 times the default, then 0 */
    }
    double begin = MPI_Wtime();
    int result = 0;
    for (int i = 0; i < ROUNDS; i++)
        result += argc > 2        ? (*argv[2] == 'q'   ? in_order(a)
                                     : *argv[2] == 'c' ? calls(a)
                                     : *argv[2] == 'j' ? jumps(a)
                                     : *argv[2] == 'r' ? rows(a)
                                     : *argv[2] == 'e' ? eights(a)
                                                       : ways(a))
                  : *which == 'l' ? short_loops(a)
                                  : over(a);
    printf("time=%.12f\nresult=%d\n", MPI_Wtime() - begin, result);
    MPI_Finalize();
    return 0;
}
