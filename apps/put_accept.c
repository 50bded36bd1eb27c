/* The PUT/ACCEPT interface in one page: rank 0 keeps a board, the others write on it and read it.
 */
#include <put_accept.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    enum { WRITE = 1, READ = 2, CELLS = 8 }; /* tags */
    int rank, ranks;
    long *board, mine, seen[CELLS] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0) {
        PA_Rma_malloc(&board, CELLS * sizeof *board);
        for (int i = 0; i < CELLS; i++) board[i] = 0;
        /* until all have put */
        PA_Accept(board, CELLS * sizeof *board, sizeof *board, WRITE, MPI_COMM_WORLD, ranks - 1);
        printf("rank 0: the board says %ld %ld %ld\n", board[1], board[2], board[3]);
        /* until all have got */
        PA_Offer(board, CELLS * sizeof *board, sizeof *board, READ, MPI_COMM_WORLD, ranks - 1);
        PA_Rma_free(board);
    } else {
        mine = 100 * rank;
        /* at once: `mine` must not change yet */
        PA_Put(&mine, 1, MPI_LONG, 0, rank, 1, MPI_LONG, WRITE, MPI_COMM_WORLD);
        /* now it is there */
        PA_Accept(NULL, 0, 1, WRITE, MPI_COMM_WORLD, 0);
        PA_Get(seen, CELLS, MPI_LONG, 0, 0, CELLS, MPI_LONG, READ, MPI_COMM_WORLD);
        /* and `seen` is here */
        PA_Offer(NULL, 0, 1, READ, MPI_COMM_WORLD, 0);
        if (rank == 1) printf("rank 1: I see %ld %ld %ld\n", seen[1], seen[2], seen[3]);
    }
    MPI_Finalize();
    return 0;
}
