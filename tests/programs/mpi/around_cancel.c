/* MPI_Cancel of long messages, which SimGrid sends when both sides have met; and tests. */
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

/* A message after 0.3 ms, and a short one that leaves. Tests by MPI_Testany come no later than
 * those by MPI_Test: SMPI's sleeps longer each time, and never says that the short one is over. */
static void tested_any(void)
{
    int out = check_rank, in = -1, index = -1, flag = 0, over = 0, tests = 0;
    MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    if (check_rank == 1) {
        MPI_Irecv(&in, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(&out, 1, MPI_INT, 2 % check_ranks, 8, MPI_COMM_WORLD, &request[1]);
    }
    if (check_rank == 2) MPI_Recv(&in, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (double begin = MPI_Wtime(); check_rank == 0 && MPI_Wtime() - begin < 3e-4;) continue;
    if (check_rank == 0) MPI_Send(&out, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
    for (; check_rank == 1 && over < 2 && tests < 100000; tests++) {
        MPI_Testany(2, request, &index, &flag, MPI_STATUS_IGNORE);
        over += flag;
    }
    check(check_rank != 1 || (over == 2 && in == 0), "MPI_Testany reports both");
    check(check_rank != 1 || tests > 100, "in steps of one test each");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    on_its_way(1);
    on_its_way(0);
    met_by_nobody();
    tested_any();
    return check_end();
}
