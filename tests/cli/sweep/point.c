/* A point of the experiments here: WORK loads, a put to the next rank, a fence; rank 0 tells. What
 * it ran is appended to LOG, if that is not "-": a count kept outside of whatever a sweep believes.
 * Usage: point LOG NAME WORK [good|exit|crash|mute|random SEED] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double cell[512];
static volatile double sink;

static void log_run(const char *path, int argc, char **argv)
{
    if (strcmp(path, "-") == 0) return;
    FILE *log = fopen(path, "a");
    for (int i = 2; i < argc; i++) fprintf(log, "%s%c", argv[i], i + 1 < argc ? ' ' : '\n');
    fclose(log);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const char *how = argc > 4 ? argv[4] : "good";
    long work = atol(argv[3]);
    MPI_Win_create(cell, sizeof cell, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    double before = MPI_Wtime();
    for (long i = 0; i < work; i++) sink = cell[(i * 17) % 512];
    MPI_Win_fence(0, win);
    MPI_Put(cell, 8, MPI_DOUBLE, (rank + 1) % ranks, 0, 8, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    double took_us = (MPI_Wtime() - before) * 1e6;
    if (rank == 0) {
        if (strcmp(how, "mute") == 0)
            printf("nothing to say\n");
        else
            printf("%s, \"%ld\": took %.3f us\n", argv[2], work, took_us);
        log_run(argv[1], argc, argv);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    if (strcmp(how, "crash") == 0) abort();
    return strcmp(how, "exit") == 0 ? 3 : 0;
}
