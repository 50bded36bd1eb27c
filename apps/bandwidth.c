/* Bandwidth of one-sided calls by size: rank 0 issues a batch of puts to (or gets from) rank 1's
 * window between two fences; every operation has its own place in the window. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;
static MPI_Win win;
static unsigned char *window, *buffer;

static unsigned char pattern(int owner, int i)
{
    return (unsigned char)(i * 5 + (i >> 8) + owner * 91 + 1);
}

static void fill(unsigned char *at, int owner, int bytes)
{
    for (int i = 0; i < bytes; i++) at[i] = pattern(owner, i);
}

static int differs(const unsigned char *at, int owner, int bytes)
{
    for (int i = 0; i < bytes; i++)
        if (at[i] != pattern(owner, i)) return 1;
    return 0;
}

/* Seconds for `batch` operations of `bytes` each, the closing fence included. */
static double measure(int get, int bytes, int batch, int *wrong)
{
    int total = bytes * batch;
    if (rank == 0) {
        if (get)
            memset(buffer, 0, (size_t)total);
        else
            fill(buffer, 0, total);
    } else {
        if (get)
            fill(window, 1, total);
        else
            memset(window, 0, (size_t)total);
    }
    MPI_Win_fence(0, win);
    double start = MPI_Wtime();
    if (rank == 0)
        for (int i = 0; i < total; i += bytes) {
            if (get)
                MPI_Get(buffer + i, bytes, MPI_BYTE, 1, i, bytes, MPI_BYTE, win);
            else
                MPI_Put(buffer + i, bytes, MPI_BYTE, 1, i, bytes, MPI_BYTE, win);
        }
    MPI_Win_fence(0, win);
    double elapsed = MPI_Wtime() - start;
    if (rank == (get ? 0 : 1)) *wrong |= differs(get ? buffer : window, get ? 1 : 0, total);
    return elapsed;
}

int main(int argc, char **argv)
{
    int ranks, largest = argc > 1 ? atoi(argv[1]) : 65536, batch = argc > 2 ? atoi(argv[2]) : 8;
    int smallest = argc > 3 ? atoi(argv[3]) : 8;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 4 || smallest < 8 || largest < smallest || largest > 1 << 24 || batch < 1 ||
        batch > 64 || ranks != 2) {
        if (rank == 0)
            fprintf(stderr, "usage: bandwidth [largest size in bytes, 65536] [operations in a "
                            "batch, 8] [smallest size, 8]    (2 ranks)\n");
        MPI_Finalize();
        return 2;
    }
    buffer = malloc((size_t)largest * (size_t)batch);
    MPI_Win_allocate((MPI_Aint)largest * batch, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);

    int wrong = 0;
    if (rank == 0) printf("%10s %14s %14s\n", "bytes", "put MB/s", "get MB/s");
    for (int bytes = smallest; bytes <= largest; bytes *= 2) {
        double put = measure(0, bytes, batch, &wrong), get = measure(1, bytes, batch, &wrong);
        double megabytes = 1e-6 * bytes * batch;
        if (rank == 0) printf("%10d %14.3f %14.3f\n", bytes, megabytes / put, megabytes / get);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (rank == 0) printf("bandwidth: every byte arrived: %s\n", wrong ? "WRONG" : "ok");

    MPI_Win_free(&win);
    free(buffer);
    MPI_Finalize();
    return wrong;
}
