/* A nonblocking barrier with ranks that come one behind the other, several at once, and on a part
 * of the ranks. */
#include "check.h"

static void late(int rank)
{
    for (double t = MPI_Wtime(); check_rank == rank && MPI_Wtime() < t + 1e-3;) continue;
}

int main(int argc, char **argv)
{
    MPI_Request request[2];
    MPI_Comm half;
    int flag = 0, tests = 0;
    check_begin(&argc, &argv, 4);
    for (int last = 0; last < 4; last++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begun = MPI_Wtime();
        late(last);
        MPI_Ibarrier(MPI_COMM_WORLD, &request[0]);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        char sentence[64];
        snprintf(sentence, sizeof sentence, "nobody passes before rank %d has come", last);
        check(MPI_Wtime() >= begun + 1e-3, sentence);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    late(3);
    MPI_Ibarrier(MPI_COMM_WORLD, &request[0]);
    for (; !flag; tests++) MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
    check(check_rank == 3 || tests > 1, "a test says no until it has");
    MPI_Comm_split(MPI_COMM_WORLD, check_rank % 2, check_rank, &half);
    const double begun = MPI_Wtime();
    late(1);
    MPI_Ibarrier(half, &request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    check(MPI_Wtime() >= begun + 1e-3 == check_rank % 2,
          "it is a barrier of its communicator's ranks");
    late(0);
    MPI_Ibarrier(MPI_COMM_WORLD, &request[0]);
    MPI_Ibarrier(half, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    check(request[0] == MPI_REQUEST_NULL && request[1] == MPI_REQUEST_NULL,
          "two of them may be under way");
    MPI_Comm_free(&half);
    return check_end();
}
