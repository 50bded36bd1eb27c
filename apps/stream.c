/* STREAM (McCalpin): copy, scale, add and triad over arrays larger than the caches. Every rank
 * works on arrays of its own; the bandwidth printed is that of one rank, the slowest, and of all
 * together. The best of the repetitions counts, the first is left out, as in the original. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { KERNELS = 4 };

static void kernel(int which, double *restrict a, double *restrict b, double *restrict c, long n)
{
    const double scalar = 3.0;
    switch (which) {
    case 0:
        for (long i = 0; i < n; i++) c[i] = a[i];
        break;
    case 1:
        for (long i = 0; i < n; i++) b[i] = scalar * c[i];
        break;
    case 2:
        for (long i = 0; i < n; i++) c[i] = a[i] + b[i];
        break;
    case 3:
        for (long i = 0; i < n; i++) a[i] = b[i] + scalar * c[i];
        break;
    }
}

int main(int argc, char **argv)
{
    static const char *const name[KERNELS] = {"copy", "scale", "add", "triad"};
    static const int arrays[KERNELS] = {2, 2, 3, 3}; /* touched by one pass */
    int rank, ranks, repeats = argc > 2 ? atoi(argv[2]) : 3;
    long n = argc > 1 ? atol(argv[1]) : 100000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 3 || n < 1 || n > 100000000 || repeats < 2) {
        if (rank == 0)
            fprintf(stderr,
                    "usage: stream [doubles in an array, 100000] [repeats, 3, at least 2]\n");
        MPI_Finalize();
        return 2;
    }
    size_t bytes = (size_t)n * sizeof(double);
    double *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes);
    for (long i = 0; i < n; i++) a[i] = 1.0, b[i] = 2.0, c[i] = 0.0;

    double best[KERNELS] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL}, slowest[KERNELS];
    for (int r = 0; r < repeats; r++)
        for (int k = 0; k < KERNELS; k++) {
            MPI_Barrier(MPI_COMM_WORLD);
            double start = MPI_Wtime();
            kernel(k, a, b, c, n);
            double elapsed = MPI_Wtime() - start;
            if (r > 0 && elapsed < best[k]) best[k] = elapsed;
        }
    MPI_Allreduce(best, slowest, KERNELS, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);

    /* the same arithmetic on three numbers */
    double ea = 1.0, eb = 2.0, ec = 0.0;
    for (int r = 0; r < repeats; r++)
        for (int k = 0; k < KERNELS; k++) kernel(k, &ea, &eb, &ec, 1);
    int wrong = 0;
    for (long i = 0; i < n; i++) wrong |= a[i] != ea || b[i] != eb || c[i] != ec;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);

    if (rank == 0) {
        printf("arrays of %ld doubles (%.1f KiB), %d ranks\n", n, (double)bytes / 1024, ranks);
        printf("%-8s %16s %16s\n", "kernel", "one rank MB/s", "together MB/s");
        for (int k = 0; k < KERNELS; k++) {
            double rate = 1e-6 * (double)bytes * arrays[k] / slowest[k];
            printf("%-8s %16.1f %16.1f\n", name[k], rate, rate * ranks);
        }
        printf("stream: every element is right: %s\n", wrong ? "WRONG" : "ok");
    }
    free(a), free(b), free(c);
    MPI_Finalize();
    return wrong;
}
