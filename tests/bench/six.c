/* Six programs: six NAME REPEATS; where their arrays lie: place.h. Each prints a sum, which is the
 * same natively and simulated. With -DSMALL they are an eighth to a thirty-second of that, for
 * counting instructions.
 *
 * product_ijk, product_ikj  the product of two matrices of 128 x 128
 * stencil                   five points of 128 x 128
 * quicksort                 a million ints
 * nbody                     1,000 bodies, all pairs
 * histogram                 a million random updates of 64 MiB of counters
 * bytes                     a scan of 4 MiB for one byte */
#include "place.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if defined SMALL
enum { N = 64, INTS = 30000, BODIES = 200, COUNTERS = 1 << 20 };
#else
enum { N = 128, INTS = 1000000, BODIES = 1000, COUNTERS = 16 << 20 };
#endif

static uint32_t next(uint32_t *random) { return *random = *random * 1664525 + 1013904223; }

static double product_ijk(void *memory)
{
    double *a = memory, *b = a + N * N, *c = b + N * N;
    for (int i = 0; i < N * N; i++) a[i] = i % 7, b[i] = i % 5;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++) sum += a[i * N + k] * b[k * N + j];
            c[i * N + j] = sum;
        }
    return c[N + 1];
}

static double product_ikj(void *memory)
{
    double *a = memory, *b = a + N * N, *c = b + N * N;
    for (int i = 0; i < N * N; i++) a[i] = i % 7, b[i] = i % 5, c[i] = 0;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++) c[i * N + j] += a[i * N + k] * b[k * N + j];
    return c[N + 1];
}

static double stencil(void *memory)
{
    double *old = memory, *new = old + N *N;
    for (int i = 0; i < N * N; i++) old[i] = new[i] = i % 7;
    for (int sweep = 0; sweep < 20; sweep++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                new[i * N + j] = 0.25 * (old[(i - 1) * N + j] + old[(i + 1) * N + j] +
                                         old[i * N + j - 1] + old[i * N + j + 1]);
        double *last = old;
        old = new;
        new = last;
    }
    return old[N + 1];
}

static void sort(int *from, int *to)
{
    while (to - from > 1) {
        int middle = from[(to - from) / 2], *low = from, *high = to - 1;
        while (low <= high) {
            while (*low < middle) low++;
            while (*high > middle) high--;
            if (low > high) break;
            int kept = *low;
            *low++ = *high;
            *high-- = kept;
        }
        sort(from, high + 1);
        from = low;
    }
}

static double quicksort(void *memory)
{
    int *values = memory;
    uint32_t random = 1;
    for (int i = 0; i < INTS; i++) values[i] = (int)(next(&random) >> 1);
    sort(values, values + INTS);
    return values[INTS / 2];
}

static double nbody(void *memory)
{
    double *x = memory, *y = x + BODIES, *fx = y + BODIES, *fy = fx + BODIES;
    for (int i = 0; i < BODIES; i++) x[i] = i % 31, y[i] = i / 31, fx[i] = fy[i] = 0;
    for (int i = 0; i < BODIES; i++)
        for (int j = 0; j < BODIES; j++) {
            double dx = x[j] - x[i], dy = y[j] - y[i], d = dx * dx + dy * dy + 0.01;
            double force = 1 / (d * sqrt(d));
            fx[i] += dx * force;
            fy[i] += dy * force;
        }
    return fx[1] + fy[2];
}

static double histogram(void *memory)
{
    uint32_t *counter = memory, random = 1;
    for (int i = 0; i < COUNTERS / 16; i++) counter[next(&random) % COUNTERS]++;
    return counter[7];
}

static double bytes(void *memory)
{
    const unsigned char *at = memory;
    long found = 0;
    for (long i = 0; i < 4L * COUNTERS / 16; i++) found += at[i] == 1;
    return (double)found;
}

static const struct {
    const char *name;
    double (*run)(void *memory);
} programs[] = {{"product_ijk", product_ijk},
                {"product_ikj", product_ikj},
                {"stencil", stencil},
                {"quicksort", quicksort},
                {"nbody", nbody},
                {"histogram", histogram},
                {"bytes", bytes}};

int main(int argc, char **argv)
{
    void *memory = place(&argc, &argv, 4L * COUNTERS);
    if (argc == 1) /* which there are */
        for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) puts(programs[i].name);
    for (size_t i = 0; argc > 2 && i < sizeof programs / sizeof *programs; i++) {
        if (strcmp(programs[i].name, argv[1]) != 0) continue;
        for (int n = atoi(argv[2]); n > 0; n--) printf("%g\n", programs[i].run(memory));
    }
    unplace();
    return 0;
}
