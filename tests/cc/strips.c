/* Random loops over random places: strips private|window|shared SEED LOOPS. Prints what they
 * computed and a mark of the date behind each, so that two builds which play them alike print the
 * same. Others put into the window and store into what is shared meanwhile, so that lines go. */
#include <mpi.h>

#include <complex.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1 << 20, MOST = 300 };

static uint32_t state;
static uint32_t next(uint32_t below)
{
    state = state * 1664525 + 1013904223;
    return (uint32_t)(((uint64_t)(state >> 1) * below) >> 31);
}

#define APART __attribute__((noinline, noclone))
typedef char *at;

#define LOOPS_OF(T)                                                                                \
    APART static double copy_##T(at a, at b, long n)                                               \
    {                                                                                              \
        T *x = (T *)a, *y = (T *)b;                                                                \
        for (long i = 0; i < n; i++) x[i] = y[i];                                                  \
        return n ? (double)x[n - 1] : 0;                                                           \
    }                                                                                              \
    APART static double sum_##T(at a, at b, long n)                                                \
    {                                                                                              \
        const T *x = (const T *)a, *y = (const T *)b;                                              \
        T s = 0;                                                                                   \
        for (long i = 0; i < n; i++) s = (T)(s + x[i] * y[i]);                                     \
        return (double)s;                                                                          \
    }                                                                                              \
    APART static double add_##T(at a, at b, long n)                                                \
    {                                                                                              \
        T *x = (T *)a, *y = (T *)b;                                                                \
        for (long i = 0; i < n; i++) x[i] = (T)(x[i] + y[i] + *y);                                 \
        return (double)*x;                                                                         \
    }                                                                                              \
    APART static double fill_##T(at a, at b, long n)                                               \
    {                                                                                              \
        T *x = (T *)a;                                                                             \
        for (T *p = x; p < x + n; p++) *p = (T)(p - x);                                            \
        return (double)*(T *)b;                                                                    \
    }                                                                                              \
    APART static double down_##T(at a, at b, long n)                                               \
    {                                                                                              \
        T *x = (T *)a, *y = (T *)b;                                                                \
        for (long i = n - 1; i >= 0; i--) x[i] = (T)(x[i] + y[n - 1 - i]);                         \
        return (double)*x;                                                                         \
    }                                                                                              \
    APART static double third_##T(at a, at b, long n)                                              \
    {                                                                                              \
        T *x = (T *)a, *y = (T *)b;                                                                \
        for (long i = 1; i < n - 1; i++) x[i] = (T)(y[i - 1] + y[i] + y[i + 1]);                   \
        return (double)*x;                                                                         \
    }                                                                                              \
    APART static double chain_##T(at a, at b, long n)                                              \
    {                                                                                              \
        T *x = (T *)a;                                                                             \
        for (long i = 1; i < n; i++) x[i] = (T)(x[i - 1] + 1);                                     \
        return (double)*(T *)b;                                                                    \
    }                                                                                              \
    APART static double find_##T(at a, at b, long n)                                               \
    {                                                                                              \
        T *x = (T *)a, kept = x[n], what = *(T *)b;                                                \
        long i = 0;                                                                                \
        x[n] = what;                                                                               \
        while (x[i] != what) i++;                                                                  \
        x[n] = kept;                                                                               \
        return (double)i;                                                                          \
    }                                                                                              \
    APART static double until_##T(at a, at b, long n)                                              \
    {                                                                                              \
        T *x = (T *)a, s = 0;                                                                      \
        long i = 0;                                                                                \
        do s = (T)(s + x[i]), x[i] = s;                                                            \
        while (++i < n && x[i] != *(T *)b);                                                        \
        return (double)s;                                                                          \
    }                                                                                              \
    APART static double two_##T(at a, at b, long n)                                                \
    {                                                                                              \
        T *x = (T *)a, *y = (T *)b;                                                                \
        for (long i = 0; i < n; i += 2) x[i] = y[i + 1], x[i + 1] = y[i];                          \
        return (double)*x;                                                                         \
    }                                                                                              \
    APART static double bytes_##T(at a, at b, long n)                                              \
    {                                                                                              \
        T *x = (T *)a;                                                                             \
        unsigned char *y = (unsigned char *)b;                                                     \
        for (long i = 0; i < n; i++) x[i] = (T)(x[i] + y[n - i]);                                  \
        return (double)*x;                                                                         \
    }                                                                                              \
    APART static double nests_##T(at a, at b, long n)                                              \
    {                                                                                              \
        T *x = (T *)a, *y = (T *)b;                                                                \
        for (long k = 0; k < n; k++)                                                               \
            for (long i = 0; i < k % 7; i++) x[i] = (T)(x[i] + y[k] * y[i]);                       \
        return (double)*x;                                                                         \
    }                                                                                              \
    APART static double many_##T(at a, at b, long n)                                               \
    {                                                                                              \
        T *x = (T *)a, *y = (T *)b, *z = (T *)(a + 4096), *w = (T *)(b + 4096);                    \
        for (long i = 0; i < n; i++) x[i] = (T)(y[i] + z[i]), w[i] = (T)(x[i] - y[i]);             \
        return (double)*x + (double)*w;                                                            \
    }

typedef unsigned char byte;
typedef double complex pair;
LOOPS_OF(byte)
LOOPS_OF(short)
LOOPS_OF(int)
LOOPS_OF(float)
LOOPS_OF(long)
LOOPS_OF(double)

/* At any address: some accesses lie in two lines. */
APART static double crossing(at a, at b, long n)
{
    uint64_t s = 0, one;
    a += 1 + n % 7;
    for (long i = 0; i < n; i++) {
        memcpy(&one, b + 8 * i + 3, sizeof one);
        s += one;
        memcpy(a + 8 * i, &s, sizeof s);
    }
    return (double)s;
}
APART static double pairs(at a, at b, long n)
{
    pair *x = (pair *)a, *y = (pair *)b;
    for (long i = 0; i < n; i++) x[i] += y[i];
    return creal(x[0]) + cimag(x[0]);
}
/* Sets of as many lines as there are ways, and more of them. */
APART static double ways(at a, at b, long n)
{
    double *x = (double *)a, s = 0;
    enum { APART_BY = 4096 / sizeof(double) };
    for (long i = 0; i < n; i++)
        s += x[i] + x[i + APART_BY] + x[i + 2 * APART_BY] + x[i + 3 * APART_BY] +
             x[i + 4 * APART_BY];
    for (long i = 0; i < n; i++) x[i] = x[i + 8 * APART_BY] + x[i + 12 * APART_BY];
    return s + *(double *)b;
}
static jmp_buf back;
APART static double jumps(at a, at b, long n)
{
    static volatile long times; /* where a frame lies follows from what gcc spills */
    int *x = (int *)a;
    long s = 0;
    times = 0;
    if (setjmp(back) > 2) return (double)times;
    times = times + 1;
    for (long i = 0; i < n; i++) s += x[i];
    if (s != *b) longjmp(back, (int)times);
    return (double)s;
}
APART static double divides(at a, at b, long n)
{
    int *x = (int *)a, *y = (int *)b;
    for (long i = 0; i < n; i++) x[i] = x[i] / (y[i] | 1);
    return *x;
}
APART static double stays(at a, at b, long n)
{
    volatile int *x = (volatile int *)a;
    int *y = (int *)b;
    for (long i = 0; i < n; i++) *x += y[i];
    return *x;
}

/* By a switch: where functions lie, which a call through a pointer is predicted by, follows from
 * how long the code is. */
#define CASES_OF(T, first)                                                                         \
    case first: return copy_##T(a, b, n);                                                          \
    case first + 1: return sum_##T(a, b, n);                                                       \
    case first + 2: return add_##T(a, b, n);                                                       \
    case first + 3: return fill_##T(a, b, n);                                                      \
    case first + 4: return down_##T(a, b, n);                                                      \
    case first + 5: return third_##T(a, b, n);                                                     \
    case first + 6: return chain_##T(a, b, n);                                                     \
    case first + 7: return find_##T(a, b, n);                                                      \
    case first + 8: return until_##T(a, b, n);                                                     \
    case first + 9: return two_##T(a, b, n);                                                       \
    case first + 10: return bytes_##T(a, b, n);                                                    \
    case first + 11: return nests_##T(a, b, n);                                                    \
    case first + 12: return many_##T(a, b, n);
enum { EACH = 13, TYPES = 6, LOOPS = EACH * TYPES + 6 };
APART static double play(uint32_t loop, at a, at b, long n)
{
    switch (loop) {
        CASES_OF(byte, 0)
        CASES_OF(short, EACH)
        CASES_OF(int, 2 * EACH)
        CASES_OF(float, 3 * EACH)
        CASES_OF(long, 4 * EACH)
        CASES_OF(double, 5 * EACH)
    case EACH *TYPES: return crossing(a, b, n);
    case EACH *TYPES + 1: return pairs(a, b, n);
    case EACH *TYPES + 2: return ways(a, b, n);
    case EACH *TYPES + 3: return jumps(a, b, n);
    case EACH *TYPES + 4: return divides(a, b, n);
    default: return stays(a, b, n);
    }
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return hash;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const bool shared = argv[1][0] == 's', window = shared || argv[1][0] == 'w';
    const uint32_t seed = (uint32_t)atoi(argv[2]);
    const int times = atoi(argv[3]);
    char *memory, *low;
    MPI_Win win = MPI_WIN_NULL;
    if (shared)
        MPI_Win_allocate_shared(BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    else if (window)
        MPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    else
        memory = malloc(BYTES);
    memset(memory, 0, BYTES);
    low = memory;
    if (window) MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    state = seed * 7919 + (uint32_t)rank;
    static uint64_t hash = 14695981039346656037u; /* no part of a frame: as in jumps */
    static double value, date;
    for (int i = 0; i < times; i++) {
        const uint32_t spread = next(4) ? 8192 : BYTES - 160 * 1024;
        at a = low + next(spread) / 16 * 16, b = low + next(spread) / 16 * 16;
        const uint32_t which = next(LOOPS);
        if (next(4) == 0) b = a + 4096 * next(9);
        value = play(which, a, b, (long)next(MOST));
        date = MPI_Wtime();
        hash = mix(mix(hash, &value, sizeof value), &date, sizeof date);
        if (window && ranks > 1 && next(8) == 0) {
            int to = (int)next((uint32_t)ranks);
            MPI_Put(&hash, 8, MPI_BYTE, to, (MPI_Aint)next(8192), 8, MPI_BYTE, win);
            if (next(2)) MPI_Win_flush(to, win);
        }
        if (i % 50 == 49) printf("%d %d %016llx\n", rank, i, (unsigned long long)hash);
    }
    if (window) {
        MPI_Win_unlock_all(win);
        MPI_Win_free(&win);
    } else {
        free(memory);
    }
    MPI_Finalize();
    return 0;
}
