/* The histogram of histogram.h with SHMALLOC get/put, which has no accumulate: every owner keeps a
 * row of bins for every rank, which only that rank writes. An increment puts the rank's new count,
 * and in the end the owner adds the rows. */
#include "histogram.h"
#include <shmalloc.h>

/* the rows of all ranks, here; their sum; what this rank has counted, in all owners' bins */
static long *row, *bin, *count;
static MPI_Comm comm;

static long *allocate(void)
{
    SHM_Shmalloc(&row, (MPI_Aint)ranks * bins * (MPI_Aint)sizeof *row, MPI_COMM_WORLD, &comm);
    bin = calloc((size_t)bins, sizeof *bin);
    count = calloc((size_t)ranks * (size_t)bins, sizeof *count);
    return bin;
}

static void increment(int owner, long where)
{
    long *mine = &count[owner * (long)bins + where];
    ++*mine;
    SHM_Put(mine, 1, MPI_LONG, (rank * (MPI_Aint)bins + where) * (MPI_Aint)sizeof *row, owner,
            comm);
}

static void finish(void)
{
    MPI_Barrier(comm);
    for (int r = 0; r < ranks; r++)
        for (int i = 0; i < bins; i++) bin[i] += row[r * (long)bins + i];
}

static void release(void)
{
    MPI_Comm_free(&comm);
    free(bin);
    free(count);
}

int main(int argc, char **argv)
{
    static const struct histogram_interface shmalloc = {
        "histogram_shmalloc", allocate, NULL, increment, finish, release};
    return histogram(argc, argv, &shmalloc);
}
