/* The flag says that the data is there; nothing has completed the put of the data. */
#include <mpi.h>
#include <stdio.h>

enum { DATA, FLAG };

int main(int argc, char **argv)
{
    int rank, *base, one = 1, answer = 42, flag = 0, got = -1;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock_all(0, win);
    base[DATA] = base[FLAG] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&answer, 1, MPI_INT, 1, DATA, 1, MPI_INT, win); /*1*/
        MPI_Accumulate(&one, 1, MPI_INT, 1, FLAG, 1, MPI_INT, MPI_REPLACE, win);
    }
    if (rank == 2) {
        do {
            MPI_Fetch_and_op(NULL, &flag, MPI_INT, 1, FLAG, MPI_NO_OP, win);
            MPI_Win_flush(1, win);
        } while (flag == 0);
        MPI_Get(&got, 1, MPI_INT, 1, DATA, 1, MPI_INT, win); /*2*/
        MPI_Win_flush(1, win);
        printf("rank 2 got %d\n", got);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
