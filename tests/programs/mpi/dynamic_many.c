/* So many pieces of memory come to a window and go, a call of the library's between them. */
#include "check.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Win win;
    const int n = argc > 1 ? atoi(argv[1]) : 16;
    long **piece = malloc((size_t)n * sizeof *piece), sum = 0, value = 1;
    check_begin(&argc, &argv, 2);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int i = 0; i < n; i++) {
        piece[i] = calloc(1 + i % 5, sizeof **piece);
        MPI_Win_attach(win, piece[i], sizeof **piece);
        clearerr(stdin);
    }
    MPI_Win_fence(0, win);
    for (int i = 0; i < n; i += 1000)
        MPI_Put(&value, 1, MPI_LONG, check_rank, (MPI_Aint)piece[i], 1, MPI_LONG, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < n; i++) sum += *piece[i];
    check(sum == (n + 999) / 1000, "puts go to pieces among thousands");
    for (int i = 0; i < n; i++) {
        MPI_Win_detach(win, piece[i]);
        clearerr(stdin);
        free(piece[i]);
    }
    MPI_Win_free(&win);
    return check_end();
}
