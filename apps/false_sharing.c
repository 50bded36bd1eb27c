/* False sharing: every rank counts in a word of its own at rank 0, once with the words side by side and once
 * with each in a line of its own. No word is ever shared; on a machine whose processors keep lines coherent the
 * lines are. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Seconds for `updates` increments of this rank's word; the words lie `stride` longs apart. */
static double count(MPI_Win win, long *words, int rank, int ranks, int stride, int updates, int *wrong)
{
    const long one = 1;
    if (rank == 0)
        for (int i = 0; i < ranks * stride; i++) words[i] = 0;
    MPI_Win_fence(0, win);
    double start = MPI_Wtime();
    for (int i = 0; i < updates; i++)
        MPI_Accumulate(&one, 1, MPI_LONG, 0, (MPI_Aint)rank * stride, 1, MPI_LONG, MPI_SUM, win);
    MPI_Win_fence(0, win);
    double elapsed = MPI_Wtime() - start;
    if (rank == 0)
        for (int r = 0; r < ranks; r++) *wrong |= words[r * stride] != updates;
    MPI_Win_fence(0, win);
    return elapsed / updates;
}

int main(int argc, char **argv)
{
    int rank, ranks, updates = argc > 1 ? atoi(argv[1]) : 200, line = argc > 2 ? atoi(argv[2]) : 128;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 3 || updates < 1 || line < (int)sizeof(long) || line % (int)sizeof(long) != 0) {
        if (rank == 0)
            fprintf(stderr,
                    "usage: false_sharing [updates per rank, 200] [bytes to pad a word to, 128; a multiple of 8]\n");
        MPI_Finalize();
        return 2;
    }
    int stride = line / (int)sizeof(long);
    long *words;
    MPI_Win win;
    MPI_Aint bytes = rank == 0 ? (MPI_Aint)ranks * line : 0;      /* only rank 0 lends memory */
    MPI_Win_allocate(bytes, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &words, &win);

    int wrong = 0;
    double warm = count(win, words, rank, ranks, stride, 1, &wrong);
    double beside = count(win, words, rank, ranks, 1, updates, &wrong);
    double padded = count(win, words, rank, ranks, stride, updates, &wrong);
    (void)warm;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%d ranks, each adding to its own word at rank 0\n", ranks);
        printf("words side by side:         %9.3f us an update\n", beside * 1e6);
        printf("words padded to %4d bytes: %9.3f us an update\n", line, padded * 1e6);
        printf("false_sharing: padding makes it %.2f times as fast; every count is right: %s\n", beside / padded,
               wrong ? "WRONG" : "ok");
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return wrong;
}
