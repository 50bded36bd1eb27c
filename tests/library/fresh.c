/* What a page takes that is touched the first time, by where it is from. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
static double filled(long bytes)
{
    double start = MPI_Wtime();
    char *block = calloc(bytes, 1);
    for (long i = 0; i < bytes; i += 4096) block[i] = 1;
    free(block);
    return 1e6 * (MPI_Wtime() - start) / (double)(bytes / 4096);
}
static double grown(void)
{
    double start = MPI_Wtime();
    char *block = NULL;
    for (long i = 0, bytes = 1 << 16; i < 2 << 20; i += 4096) {
        if (i == 0 || i == bytes) block = realloc(block, bytes *= 2);
        block[i] = 1;
    }
    free(block);
    return 1e6 * (MPI_Wtime() - start) / (double)((2 << 20) / 4096);
}
static double returned(void)
{
    double start = MPI_Wtime();
    for (int round = 0; round < 4; round++) {
        char *block =
            mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (int page = 0; page < 512; page++) {
            if (page == 256) madvise(block, 1 << 20, MADV_DONTNEED);
            block[page % 256 * 4096] = 1;
        }
        munmap(block, 1 << 20);
    }
    return 1e6 * (MPI_Wtime() - start) / (4 * 512);
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    printf("first=%.2f", filled(1 << 20));
    filled(1 << 20);
    printf(" kept=%.2f", filled(1 << 20));
    filled(40 << 20);
    printf(" mapped=%.2f", filled(40 << 20));
    grown(), grown();
    printf(" grown=%.2f", grown());
    printf(" returned=%.2f\n", returned());
    MPI_Finalize();
    return 0;
}
