/* Memory in use is touched too early, at both ends: `sidewinder run -n 2` names the lines. */
#include <put_accept.h>

int main(int argc, char **argv)
{
    static long board[4], mine = 7;
    MPI_Request request;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        PA_Iaccept(board, sizeof board, sizeof *board, 1, MPI_COMM_WORLD, 1, &request);
        /* the range is the others' until the request is complete */
        board[2] = 5;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        PA_Put(&mine, 1, MPI_LONG, 0, 0, 1, MPI_LONG, 1, MPI_COMM_WORLD);
        mine = 8; /* it may not have been read */
        PA_Accept(NULL, 0, 1, 1, MPI_COMM_WORLD, 0);
    }
    MPI_Finalize();
    return 0;
}
