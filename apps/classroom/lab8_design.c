/* Lab 8: design your own machine. Each round every rank puts a block into its right neighbour's
 * window and then uses the block that it got `uses` times, with some computation of its own. Which
 * change of the machine helps, and when? */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, ranks, n = argc > 1 ? atoi(argv[1]) : 512, uses = argc > 2 ? atoi(argv[2]) : 4,
                     rounds = 10;
    double *window, *mine = malloc((size_t)n * sizeof *mine), sum = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win_allocate(n * (MPI_Aint)sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &window, &win);
    for (int i = 0; i < n; i++) mine[i] = 1;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);

    double start = MPI_Wtime(), putting = 0;
    for (int round = 0; round < rounds; round++) {
        double before = MPI_Wtime();
        MPI_Put(mine, n, MPI_DOUBLE, (rank + 1) % ranks, 0, n, MPI_DOUBLE, win);
        MPI_Win_fence(0, win);
        putting += MPI_Wtime() - before;
        for (int use = 0; use < uses; use++)
            for (int i = 0; i < n; i++) sum += window[i];
        MPI_Win_fence(0, win); /* no rank puts while another still reads */
    }
    double elapsed = MPI_Wtime() - start;
    if (rank == 0)
        printf("%d doubles, used %d times: %.1f us a round, %.1f of it putting: %s\n", n, uses,
               elapsed / rounds * 1e6, putting / rounds * 1e6,
               sum == (double)n * uses * rounds ? "ok" : "WRONG");
    MPI_Win_free(&win);
    MPI_Finalize();
    free(mine);
    return 0;
}
