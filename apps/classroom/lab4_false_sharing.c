/* Lab 4: false sharing. Every rank counts in a word of its own at rank 0; no word is shared. The
 * words lie `stride` bytes apart. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, ranks, stride = argc > 1 ? atoi(argv[1]) : 8, updates = 200;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char *words;
    MPI_Win win;
    MPI_Win_allocate(rank == 0 ? ranks * (MPI_Aint)stride : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &words, &win);
    if (rank == 0)
        for (int i = 0; i < ranks; i++) *(long *)(words + i * stride) = 0;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);

    double start = MPI_Wtime();
    for (long i = 1; i <= updates; i++)
        MPI_Put(&i, 1, MPI_LONG, 0, rank * (MPI_Aint)stride, 1, MPI_LONG, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    double mine = (MPI_Wtime() - start) / updates * 1e6;

    if (rank == 0) {
        int wrong = 0;
        for (int i = 0; i < ranks; i++) wrong += *(long *)(words + i * stride) != updates;
        printf("%d ranks, words %d bytes apart: %.3f us an update, %d counts wrong\n", ranks,
               stride, mine, wrong);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
