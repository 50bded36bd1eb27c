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

/* "... then the operation completes normally, or it is canceled": every call that completes it says
 * which (MPI-3.1 3.8.4). */
static void among_others(void)
{
    MPI_Request request[4];
    MPI_Status status[4];
    const int left = (check_rank + check_ranks - 1) % check_ranks;
    int in[4] = {-1, -1, -1, -1}, is[4], index = -1, many = -1, which[4], flag = 0;
    for (int i = 0; i < 4; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, left, 30 + i, MPI_COMM_WORLD, &request[i]);
    MPI_Cancel(&request[1]);
    MPI_Cancel(&request[3]);
    MPI_Waitany(2, request + 2, &index, &status[0]);
    MPI_Test_cancelled(&status[0], &is[0]);
    check(index == 1 && is[0], "MPI_Waitany finds the one that is cancelled");
    MPI_Send(&check_rank, 1, MPI_INT, (check_rank + 1) % check_ranks, 30, MPI_COMM_WORLD);
    MPI_Send(&check_rank, 1, MPI_INT, (check_rank + 1) % check_ranks, 32, MPI_COMM_WORLD);
    MPI_Waitall(3, request, status);
    for (int i = 0; i < 3; i++) MPI_Test_cancelled(&status[i], &is[i]);
    check(!is[0] && is[1] && !is[2] && in[0] == left && in[1] == -1 && in[2] == left,
          "MPI_Waitall says which of three is");
    MPI_Irecv(&in[0], 1, MPI_INT, left, 34, MPI_COMM_WORLD, &request[0]);
    MPI_Issend(&in[1], 1, MPI_INT, left, 35, MPI_COMM_WORLD, &request[1]);
    MPI_Cancel(&request[0]);
    MPI_Cancel(&request[1]);
    MPI_Waitsome(2, request, &many, which, status);
    for (int i = 0; i < 2; i++) MPI_Test_cancelled(&status[i], &is[i]);
    check(many == 2 && is[0] && is[1], "and MPI_Waitsome of a send, too");
    MPI_Recv_init(&in[0], 1, MPI_INT, left, 36, MPI_COMM_WORLD, &request[0]);
    MPI_Start(&request[0]);
    MPI_Cancel(&request[0]);
    MPI_Testall(1, request, &flag, status);
    MPI_Test_cancelled(&status[0], &is[0]);
    check(flag && is[0] && request[0] != MPI_REQUEST_NULL, "a persistent one can be started again");
    MPI_Start(&request[0]);
    MPI_Send(&check_rank, 1, MPI_INT, (check_rank + 1) % check_ranks, 36, MPI_COMM_WORLD);
    MPI_Waitall(1, request, status);
    MPI_Test_cancelled(&status[0], &is[0]);
    check(!is[0] && in[0] == left, "and receives then");
    MPI_Request_free(&request[0]);
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
    among_others();
    tested_any();
    return check_end();
}
