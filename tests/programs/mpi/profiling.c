/* A program that a tool is linked with, or loaded before: each rank puts its number into the next
 * one's window, and rank 0 sends. */
#include <mpi.h>
#include <stdio.h>

static int got[2], answer;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win win;
    MPI_Win_create(got, sizeof got, sizeof *got, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    int number = rank + 1;
    MPI_Pcontrol(1);
    MPI_Put(&number, 1, MPI_INT, (rank + 1) % ranks, 0, 1, MPI_INT, win); /* the put */
    if (argc > 1) number = 0;                                             /* before it is over */
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&answer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d: %d and %d put, %d received\n", rank, got[0], got[1], answer);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
