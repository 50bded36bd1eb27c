/* A range that shares its first line with a variable that is used meanwhile: false sharing costs a
 * flush on t3d, and no byte. */
#include <put_accept.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    static long cell[16] __attribute__((aligned(128)));
    long mine[4] = {7, 7, 7, 7};
    MPI_Request request;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        PA_Iaccept(cell + 1, 4 * sizeof *cell, sizeof *cell, 1, MPI_COMM_WORLD, 1, &request);
        cell[0]++;
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        printf("%ld %ld\n", cell[0], cell[4]);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            PA_Put(mine, 4, MPI_LONG, 1, 0, 4, MPI_LONG, 1, MPI_COMM_WORLD);
            PA_Accept(NULL, 0, 1, 1, MPI_COMM_WORLD, 0);
        }
    }
    MPI_Finalize();
    return 0;
}
