/* Who is late in MPI's own messages and collectives? With an argument, also while it services. */
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

/* Rank 0 waits for rank 2, and services rank 1's operations meanwhile. */
static void serviced(int rank, MPI_Win win)
{
    int one = 1;
    for (int i = 0; rank == 1 && i < 5; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_unlock(0, win);
    }
    if (rank == 2) work(80000);
    MPI_Barrier(MPI_COMM_WORLD); /* the barrier */
    if (rank == 0) work(80000);
    if (rank == 1) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win), MPI_Win_unlock(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void alone(int rank)
{
    int memory = 0;
    MPI_Win win;
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    serviced(rank, win);
    MPI_Win_free(&win);
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
    if (argc > 1) alone(rank);
    MPI_Finalize();
    return 0;
}
