/* Rank 0 computes without end, the others wait for it in MPI_Recv. What rank 0 has printed is still
 * in its buffer. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, number = 0, own = 0;
    static volatile int forever;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank > 0) MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&number, 1, MPI_INT, rank, 1, &own, 1, MPI_INT, rank, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE); /* meanwhile the others run */
    printf("in the buffer\n");
    /* what says so is on the line of the loop: that is where it is from then on */
    for (ssize_t said = 0;; forever++) said = said ? said : write(1, "ready\n", 6);
}
