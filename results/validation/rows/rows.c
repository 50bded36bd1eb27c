/* The published loops, unrolled: rows of words are added without a branch between, as lmbench reads
 * ("the loop is unrolled such that most compilers generate code that uses a constant offset with
 * the load": McVoy and Staelin, USENIX 1996); or loaded before they are stored, for copy to be the
 * sum of reading and writing, as McCalpin found. How long the rows were is not said: other lengths
 * are measured, too, for the T3D, whose caches keep none of the arrays. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
/* doubles of an array, as in ../stream */
enum { DOUBLES = 40000 };

#define READ(name, type, row)                                                                      \
    static __attribute__((noinline)) uint64_t name(const type *a, long words)                      \
    {                                                                                              \
        uint64_t sum = 0;                                                                          \
        for (long i = 0; i < words; i += (row)) {                                                  \
            _Pragma("GCC unroll 32") for (int k = 0; k < (row); k++) sum += a[i + k];              \
        }                                                                                          \
        return sum;                                                                                \
    }
READ(read_4, uint32_t, 32)
READ(read_8, uint64_t, 32)
READ(read_8_of_16, uint64_t, 16)
READ(read_8_of_8, uint64_t, 8)

#define MOVE(name, row, value)                                                                     \
    static __attribute__((noinline)) void name(double *to, const double *from, long n)             \
    {                                                                                              \
        for (long i = 0; i < n; i += (row)) {                                                      \
            double loaded[row];                                                                    \
            _Pragma("GCC unroll 32") for (int k = 0; k < (row); k++) loaded[k] = from[i + k];      \
            _Pragma("GCC unroll 32") for (int k = 0; k < (row); k++) to[i + k] = value;            \
        }                                                                                          \
    }
MOVE(copy_4, 4, loaded[k])
MOVE(copy_8, 8, loaded[k])
MOVE(copy_16, 16, loaded[k])
MOVE(scale_4, 4, 3 * loaded[k])
MOVE(scale_8, 8, 3 * loaded[k])
MOVE(scale_16, 16, 3 * loaded[k])

static void print(const char *what, double bytes, double start)
{
    printf("%-14s %10.1f\n", what, 1e-6 * bytes / (MPI_Wtime() - start));
}

typedef uint64_t read_words(const uint64_t *a, long words);
static uint64_t reads(const char *what, read_words *read, const uint64_t *words, long n)
{
    double start = MPI_Wtime();
    uint64_t sum = read(words, n);
    print(what, 8.0 * (double)n, start);
    return sum;
}

typedef void move_doubles(double *to, const double *from, long n);
static void moves(const char *what, move_doubles *move, double *to, const double *from)
{
    double start = MPI_Wtime();
    move(to, from, DOUBLES);
    print(what, 16.0 * DOUBLES, start);
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

    printf("%-14s %10s\n", "in rows", "MB/s");
    double start = MPI_Wtime();
    sum += read_4((const uint32_t *)words, 2 * n);
    print("read 4", (double)bytes, start);
    sum -= reads("read 8", read_8, words, n);
    moves("copy", copy_8, c, a);
    moves("scale", scale_8, b, c);
    printf("every word is right: %s\n", sum || b[DOUBLES - 1] != 3 ? "WRONG" : "ok");
    sum =
        reads("read 8 of 16", read_8_of_16, words, n) - reads("read 8 of 8", read_8_of_8, words, n);
    moves("copy of 4", copy_4, c, a);
    moves("copy of 16", copy_16, c, a);
    moves("scale of 4", scale_4, b, c);
    moves("scale of 16", scale_16, b, c);
    printf("of other rows, too: %s\n", sum || b[DOUBLES - 1] != 3 ? "WRONG" : "ok");
    MPI_Finalize();
    return 0;
}
