/* Lab 13: every rank adds up the columns of its matrix, and all add their sums to a row in rank 0's
 * window, round after round. It is right, and slow. The word is the number of rounds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 128 };
static double matrix[N][N], sums[N];

int main(int argc, char **argv)
{
    int rank, ranks, rounds = argc > 1 ? atoi(argv[1]) : 4;
    double *total;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win_allocate(sizeof sums, sizeof *total, MPI_INFO_NULL, MPI_COMM_WORLD, &total, &win);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) matrix[i][j] = 1;
    for (int j = 0; j < N; j++) total[j] = 0;
    MPI_Win_fence(0, win);

    double start = MPI_Wtime();
    for (int round = 0; round < rounds; round++) {
        for (int j = 0; j < N; j++) {
            sums[j] = 0;
            for (int i = 0; i < N; i++) sums[j] += matrix[i][j];
        }
        for (int j = 0; j < N; j++) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
            MPI_Accumulate(&sums[j], 1, MPI_DOUBLE, 0, j, 1, MPI_DOUBLE, MPI_SUM, win);
            MPI_Win_unlock(0, win);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double elapsed = MPI_Wtime() - start;

    if (rank == 0) {
        int wrong = 0;
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        for (int j = 0; j < N; j++) wrong += total[j] != (double)N * ranks * rounds;
        MPI_Win_unlock(0, win);
        printf("%d ranks: %.0f us a round, %d sums wrong\n", ranks, elapsed / rounds * 1e6, wrong);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
