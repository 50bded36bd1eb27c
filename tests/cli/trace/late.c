/* One put from rank 0 to rank 1, which has posted. Usage: late RANK: that rank computes a
 * million cycles before it puts, or before it waits for the put. */
#include <mpi.h>
#include <sidewinder.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static int x, rank, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Win win;
    MPI_Group world, group;
    MPI_Win_create(&x, sizeof x, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &group);
    if (rank == 1)
        MPI_Win_post(group, 0, win);
    else
        MPI_Win_start(group, 0, win);
    if (rank == atoi(argv[1])) sw_compute(1e6);
    if (rank == 1) {
        MPI_Win_wait(win);
    } else {
        MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
