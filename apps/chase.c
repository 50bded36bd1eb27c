/* Pointer chase: every load gives the address of the next. ns per load by size of the array and
 * stride, which shows each cache level, the line size and, on machines that have them, DRAM pages
 * and read-ahead. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STRIDES = 8 };
static const long stride_bytes[STRIDES] = {8, 16, 32, 64, 128, 512, 2048, 8192};

/* Links array[0], array[stride], ... into a ring and returns the number of its elements. */
static long link_ring(void **array, long bytes, long stride)
{
    long step = stride / (long)sizeof *array, elements = bytes / stride;
    for (long i = 0; i < elements; i++) array[i * step] = &array[(i + 1) % elements * step];
    return elements;
}

static void **follow(void **p, long loads)
{
    for (long i = 0; i < loads; i++) p = *p;
    return p;
}

int main(int argc, char **argv)
{
    int rank;
    long largest = argc > 1 ? atol(argv[1]) : 65536, loads = argc > 2 ? atol(argv[2]) : 4096;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 3 || largest < 4096 || largest > 1L << 28 || loads < 1) {
        if (rank == 0)
            fprintf(stderr, "usage: chase [largest array in bytes, 65536, at least 4096] [loads to "
                            "time, 4096]\n");
        MPI_Finalize();
        return 2;
    }
    void **array = aligned_alloc(8192, (size_t)(largest + 8191) / 8192 * 8192);
    int wrong = 0;
    if (rank == 0) {
        printf("ns per load\n%10s", "bytes");
        for (int s = 0; s < STRIDES; s++) printf("  by %-5ld", stride_bytes[s]);
        printf("\n");
    }
    for (long bytes = 4096; bytes <= largest; bytes *= 2) {
        if (rank == 0) printf("%10ld", bytes);
        for (int s = 0; s < STRIDES && stride_bytes[s] * 2 <= bytes; s++) {
            long elements = link_ring(array, bytes, stride_bytes[s]);
            long rounds = (loads + elements - 1) / elements;
            wrong |= follow(array, elements) != array; /* warm the caches */
            double start = MPI_Wtime();
            void **end = follow(array, rounds * elements);
            double elapsed = MPI_Wtime() - start;
            wrong |= end != array;
            if (rank == 0) printf(" %9.2f", elapsed / (double)(rounds * elements) * 1e9);
        }
        if (rank == 0) printf("\n");
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (rank == 0) printf("chase: every ring closes: %s\n", wrong ? "WRONG" : "ok");
    free(array);
    MPI_Finalize();
    return wrong;
}
