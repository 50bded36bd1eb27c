/* The published loops, unrolled: rows of words are added without a branch between, as lmbench reads
 * ("the loop is unrolled such that most compilers generate code that uses a constant offset with
 * the load": McVoy and Staelin, USENIX 1996); or loaded before they are stored, for copy to be the
 * sum of reading and writing, as McCalpin found. How long the rows were is not said. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
/* Words of a row; doubles of an array, as in ../stream. */
enum { READ = 32, COPY = 8, DOUBLES = 40000 };

static __attribute__((noinline)) uint64_t read_4(const uint32_t *a, long words)
{
    uint64_t sum = 0;
    for (long i = 0; i < words; i += READ)
#pragma GCC unroll 32
        for (int k = 0; k < READ; k++) sum += a[i + k];
    return sum;
}

static __attribute__((noinline)) uint64_t read_8(const uint64_t *a, long words)
{
    uint64_t sum = 0;
    for (long i = 0; i < words; i += READ)
#pragma GCC unroll 32
        for (int k = 0; k < READ; k++) sum += a[i + k];
    return sum;
}

static __attribute__((noinline)) void copy(double *to, const double *from, long n)
{
    for (long i = 0; i < n; i += COPY) {
        double row[COPY];
#pragma GCC unroll 32
        for (int k = 0; k < COPY; k++) row[k] = from[i + k];
#pragma GCC unroll 32
        for (int k = 0; k < COPY; k++) to[i + k] = row[k];
    }
}

static __attribute__((noinline)) void scale(double *to, const double *from, long n)
{
    for (long i = 0; i < n; i += COPY) {
        double row[COPY];
#pragma GCC unroll 32
        for (int k = 0; k < COPY; k++) row[k] = 3 * from[i + k];
#pragma GCC unroll 32
        for (int k = 0; k < COPY; k++) to[i + k] = row[k];
    }
}

static void print(const char *what, double bytes, double start)
{
    printf("%-8s %10.1f\n", what, 1e-6 * bytes / (MPI_Wtime() - start));
}

int main(int argc, char **argv)
{
    long bytes = (argc > 1 ? atol(argv[1]) : 8192) * 1024, n = bytes / 8;
    MPI_Init(&argc, &argv);
    uint64_t *words = malloc((size_t)bytes), sum = 0;
    double *a = malloc(DOUBLES * sizeof *a), *b = malloc(DOUBLES * sizeof *b),
           *c = malloc(DOUBLES * sizeof *c);
    for (long i = 0; i < n; i++) words[i] = (uint64_t)i & 1023;
    for (long i = 0; i < DOUBLES; i++) a[i] = 1.0, b[i] = 2.0, c[i] = 0.0;

    printf("%-8s %10s\n", "in rows", "MB/s");
    double start = MPI_Wtime();
    sum += read_4((const uint32_t *)words, 2 * n);
    print("read 4", (double)bytes, start);
    start = MPI_Wtime();
    sum -= read_8(words, n);
    print("read 8", (double)bytes, start);
    start = MPI_Wtime();
    copy(c, a, DOUBLES);
    print("copy", 16.0 * DOUBLES, start);
    start = MPI_Wtime();
    scale(b, c, DOUBLES);
    print("scale", 16.0 * DOUBLES, start);
    printf("every word is right: %s\n", sum || b[DOUBLES - 1] != 3 ? "WRONG" : "ok");
    MPI_Finalize();
    return 0;
}
