/* Read bandwidth of one processor: it adds up an array larger than its caches, as lmbench's bw_mem
 * rd does, in words of 4 and of 8 bytes, and then touches one word of 8 bytes in every 32, 64 and
 * 128. What is counted as read is the whole array each time: the last three show what memory
 * delivers when the processor does next to nothing. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WAYS = 5 };
static const struct {
    const char *name;
    int word, step; /* bytes */
} way[WAYS] = {{"every word of 4", 4, 4},
               {"every word of 8", 8, 8},
               {"a word in 32", 8, 32},
               {"a word in 64", 8, 64},
               {"a word in 128", 8, 128}};

static uint64_t sum4(const uint32_t *array, long words, long step)
{
    uint64_t sum = 0;
    for (long i = 0; i < words; i += step) sum += array[i];
    return sum;
}

static uint64_t sum8(const uint64_t *array, long words, long step)
{
    uint64_t sum = 0;
    for (long i = 0; i < words; i += step) sum += array[i];
    return sum;
}

int main(int argc, char **argv)
{
    int rank, repeats = argc > 2 ? atoi(argv[2]) : 2, wrong = 0;
    long kib = argc > 1 ? atol(argv[1]) : 1024;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 3 || kib < 1 || kib > 1L << 20 || repeats < 1) {
        if (rank == 0) fprintf(stderr, "usage: read [KiB of the array, 1024] [repeats, 2]\n");
        MPI_Finalize();
        return 2;
    }
    long bytes = kib * 1024;
    uint32_t *array = aligned_alloc(4096, (size_t)(bytes + 4095) / 4096 * 4096);
    for (long i = 0; i < bytes / 4; i++) array[i] = i % 2 ? 0 : (uint32_t)(i & 1023);

    if (rank == 0) printf("array of %ld KiB\n%-18s %10s\n", kib, "one rank reads", "MB/s");
    for (int w = 0; w < WAYS; w++) {
        long words = bytes / way[w].word, step = way[w].step / way[w].word;
        uint64_t expected = 0, sum = 0;
        for (long i = 0; i < bytes / 4; i += way[w].step / 4)
            expected += (uint64_t)(i % 2 ? 0 : i & 1023);
        double start = MPI_Wtime();
        for (int r = 0; r < repeats; r++)
            sum += way[w].word == 4 ? sum4(array, words, step)
                                    : sum8((const uint64_t *)array, words, step);
        double elapsed = MPI_Wtime() - start;
        wrong |= sum != expected * (uint64_t)repeats;
        if (rank == 0)
            printf("%-18s %10.1f\n", way[w].name, 1e-6 * (double)bytes * repeats / elapsed);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (rank == 0) printf("read: every sum is right: %s\n", wrong ? "WRONG" : "ok");
    free(array);
    MPI_Finalize();
    return wrong;
}
