/* Who is late in MPI's own messages and collectives? */
#include <mpi.h>

static void work(int steps)
{
    volatile double s = 1;
    for (int i = 0; i < steps; i++) s = s * 1.0000001;
}

/* Two requests: rank 1 sends long after rank 2. */
static void two(int rank)
{
    int a = 0, b = 0;
    MPI_Request request[2];
    if (rank == 3) {
        MPI_Irecv(&a, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&b, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE); /* the wait */
    }
    if (rank == 1) work(40000);
    if (rank == 1) MPI_Send(&a, 1, MPI_INT, 3, 1, MPI_COMM_WORLD); /* the late send */
    if (rank == 2) MPI_Ssend(&b, 0, MPI_INT, 3, 1, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, a = 1, b = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        work(20000);
        MPI_Send(&a, 1, MPI_INT, 0, 7, MPI_COMM_WORLD); /* the send */
    }
    if (rank == 0)
        MPI_Recv(&b, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* the receive */
    if (rank == 2) work(50000);
    MPI_Allreduce(&a, &b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* the sum */
    if (rank == 0) work(10000);
    MPI_Bcast(&b, 1, MPI_INT, 0, MPI_COMM_WORLD); /* the broadcast */
    two(rank);
    MPI_Finalize();
    return 0;
}
