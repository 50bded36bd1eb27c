/* Lab 5: lost bytes. Rank 1 owns a string of n characters in a window and writes every second one
 * itself, with ordinary stores; rank 0 puts the others. No character is written twice. Afterwards
 * both have synchronised: which are there? */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    /* every apart-th character is rank 0's */
    int rank, n = 32, apart = argc > 1 ? atoi(argv[1]) : 2;
    char *text;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(n + 1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &text, &win);
    memset(text, '.', (size_t)n);
    text[n] = 0;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);

    for (int i = 0; i < n; i++) {
        int of_rank_0 = i % apart == 0;
        if (rank == 0 && of_rank_0) MPI_Put("p", 1, MPI_CHAR, 1, i, 1, MPI_CHAR, win);
        if (rank == 1 && !of_rank_0) ((volatile char *)text)[i] = 's';
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);

    if (rank == 1) {
        int lost = 0;
        for (int i = 0; i < n; i++) lost += text[i] == '.';
        printf("%s   %d of %d characters lost\n", text, lost, n);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
