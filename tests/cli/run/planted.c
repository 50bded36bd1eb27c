/* planted NAME: a small program with one culprit, whose line says so. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;
static MPI_Win win;

static long *window(int bytes)
{
    long *memory;
    MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memset(memory, 0, bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    return memory;
}

static void columns(void)
{
    enum { N = 320 };
    double(*a)[N] = calloc(N, sizeof *a), sum = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) sum += a[i][j]; /* columns */
    printf("%g\n", sum);
}

static void sharing(void)
{
    long *counter;
    int unit;
    MPI_Aint size;
    MPI_Win_allocate_shared(8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &counter);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 1000; i++) ((volatile long *)counter)[rank]++; /* sharing */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

static void lock(void)
{
    long value = 1;
    window(8);
    for (int i = 0; i < 30; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win); /* lock */
        MPI_Put(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win);
}

static void late(void)
{
    volatile double x = 0;
    for (int step = 0; step < 10; step++) {
        for (int i = 0; i < (rank == 2 ? 20000 : 4000); i++) x = x * .5 + i; /* late */
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void servicer(void)
{
    long got;
    volatile double x = 0;
    window(80);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 100000 && rank == 0; i++) x = x * .5 + i; /* servicer */
    for (int i = 0; i < 10 && rank > 0; i++) {
        MPI_Get(&got, 1, MPI_LONG, 0, i, 1, MPI_LONG, win); /* waits */
        MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

static void node(void)
{
    enum { BYTES = 1 << 16 };
    char *from = calloc(BYTES, 1);
    window(BYTES * ranks);
    for (int i = 0; i < 3; i++) {
        MPI_Win_fence(0, win);
        if (rank) MPI_Put(from, BYTES, MPI_BYTE, 0, rank * (BYTES / 8), BYTES, MPI_BYTE, win);
        MPI_Win_fence(0, win); /* node */
    }
    MPI_Win_free(&win);
}

static void sets(void)
{
    enum { STEP = 1 << 20, ROWS = 24 };
    volatile char *a = aligned_alloc(STEP, (size_t)STEP * ROWS);
    for (int i = 0; i < 2000; i++)
        for (int k = 0; k < ROWS; k++) (void)a[(size_t)k * STEP]; /* sets */
}

static void tiny(void)
{
    enum { N = 1000 };
    long *from = calloc(N, sizeof *from);
    int to = rank + 1 < ranks ? rank + 1 : 0;
    window(N * 8);
    MPI_Win_fence(0, win);
    for (int i = 0; i < N; i++) MPI_Put(&from[i], 1, MPI_LONG, to, i, 1, MPI_LONG, win); /* tiny */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void counter(void)
{
    long one = 1, old;
    window(8);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 100; i++) {
        MPI_Fetch_and_op(&one, &old, MPI_LONG, 0, 0, MPI_SUM, win); /* counter */
        MPI_Win_flush(0, win);                                      /* its flush */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

static void pages(void)
{
    enum { PAGES = 1024, PAGE = 4096 + 64 };
    volatile char *a = malloc((size_t)PAGE * PAGES);
    unsigned random = 1;
    for (int i = 0; i < 100000; i++) {
        random = random * 1664525 + 1013904223;
        (void)a[(size_t)(random >> 22) * PAGE]; /* pages */
    }
}

static void branches(void)
{
    enum { N = 1 << 15 };
    unsigned char *a = malloc(N);
    unsigned random = 1;
    long sum = 0;
    for (int i = 0; i < N; i++) a[i] = (random = random * 1664525 + 1013904223) >> 24;
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < N; i++)
            if (a[i] & 1) /* branches */
                sum += a[i] * 3;
            else
                sum ^= a[i] + round;
    printf("%ld\n", sum);
}

static void division(void)
{
    unsigned long sum = 0, by = 7 + (unsigned long)rank;
    for (unsigned long i = 0; i < 20000; i++) sum += i * 37 / (by + (sum & 3)); /* division */
    printf("%lu\n", sum);
}

static void barriers(void)
{
    double *a = calloc(1000, 8), sum = 0;
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < 10; k++) sum += a[i * 10 + k] += k;
        MPI_Barrier(MPI_COMM_WORLD); /* barriers */
    }
    printf("%g\n", sum);
}

static void fences(void)
{
    long value = 0;
    window(8 * ranks);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 50; i++) {
        MPI_Put(&value, 1, MPI_LONG, (rank + 1) % ranks, rank, 1, MPI_LONG, win);
        MPI_Win_fence(0, win); /* fences */
    }
    MPI_Win_free(&win);
}

static void banks(void)
{
    enum { STEP = 8192, ROWS = 2048 };
    volatile char *a = aligned_alloc(1 << 20, (size_t)STEP * ROWS);
    for (int i = 0; i < 10; i++)
        for (int k = 0; k < ROWS; k++) (void)a[(size_t)k * STEP]; /* banks */
}

static const struct {
    const char *name;
    void (*run)(void);
} programs[] = {{"columns", columns},   {"sharing", sharing},   {"lock", lock},
                {"late", late},         {"servicer", servicer}, {"node", node},
                {"sets", sets},         {"tiny", tiny},         {"counter", counter},
                {"pages", pages},       {"branches", branches}, {"division", division},
                {"barriers", barriers}, {"fences", fences},     {"banks", banks}};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (argc > 1 && strcmp(programs[i].name, argv[1]) == 0) programs[i].run();
    MPI_Finalize();
    return 0;
}
