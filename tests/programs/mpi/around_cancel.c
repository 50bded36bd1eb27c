/* MPI_Cancel of long messages, which SimGrid sends when both sides have met. */
#include "check.h"

enum { LONG = 100000 };

static int cancelled(MPI_Request *request)
{
    MPI_Status status;
    int flag = -1;
    MPI_Cancel(request);
    MPI_Wait(request, &status);
    MPI_Test_cancelled(&status, &flag);
    return flag;
}

/* Ranks 0 and 1; `sends`: the sender cancels, else the receiver. */
static void on_its_way(int sends)
{
    int *buf = calloc(LONG, sizeof(int));
    MPI_Request request = MPI_REQUEST_NULL;
    if (check_rank == 0) buf[LONG - 1] = 7;
    if (check_rank == 0) MPI_Isend(buf, LONG, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
    if (check_rank == 1) MPI_Irecv(buf, LONG, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    int gone = check_rank == !sends && cancelled(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(!gone,
          sends ? "a long message that is on its way is not cancelled" : "nor is its receive");
    check(check_rank > 1 || buf[LONG - 1] == 7, "and it arrives whole");
    free(buf);
}

static void met_by_nobody(void)
{
    int *buf = calloc(LONG, sizeof(int)), last = -1, gone = 1;
    MPI_Request request;
    if (check_rank == 1) MPI_Irecv(&last, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &request);
    if (check_rank == 1) gone = cancelled(&request);
    check(gone, "a receive without a message is cancelled");
    for (int i = 0; check_rank == 0 && i < 2; i++) {
        MPI_Isend(buf, LONG, MPI_INT, 1, 6, MPI_COMM_WORLD, &request);
        gone = gone && cancelled(&request);
    }
    check(gone, "so is a long message without a receive");
    if (check_rank == 0) buf[0] = 8;
    if (check_rank == 0) MPI_Send(buf, LONG, MPI_INT, 1, 7, MPI_COMM_WORLD);
    if (check_rank == 1)
        MPI_Recv(buf, LONG, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(check_rank > 1 || (buf[0] == 8 && last == -1), "and neither is received later");
    free(buf);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    on_its_way(1);
    on_its_way(0);
    met_by_nobody();
    return check_end();
}
