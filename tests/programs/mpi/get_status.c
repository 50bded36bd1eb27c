/* MPI_Request_get_status: "allows one to access the information associated with a request, without
 * freeing the request" (MPI-2 8.2): not before its message has come, as often as one likes, and a
 * wait completes it then. Two ranks; another request may be made in between, and must not be taken
 * for it. */
#include "check.h"
#include "sidewinder.h"

enum { LARGE = 100000 };
static char out[LARGE], in[LARGE], other[2][8];

/* Until it is complete; how often it was not. */
static int ask(MPI_Request request, MPI_Status *status)
{
    int flag = 0, asked = 0;
    for (; !flag; asked++) MPI_Request_get_status(request, &flag, status);
    return asked - 1;
}

static void receive(int bytes, int with, MPI_Request *request, int init)
{
    MPI_Status status;
    MPI_Request more[2];
    int count = -1, none, index = -1, flag = 0;
    in[0] = 0;
    if (check_rank == 1) {
        sw_compute(1e5);
        memset(out, bytes % 100 + 1, LARGE);
        MPI_Send(out, bytes, MPI_BYTE, 0, 5, MPI_COMM_WORLD);
    }
    if (check_rank == 0 && init) MPI_Start(request);
    if (check_rank == 0 && !init) MPI_Irecv(in, LARGE, MPI_BYTE, 1, 5, MPI_COMM_WORLD, request);
    none = check_rank == 0 ? ask(*request, &status) : 1;
    check(none > 0, "a receive is not complete before its message has come");
    check(check_rank == 1 || in[0] == bytes % 100 + 1, "its bytes are there when it is");
    if (check_rank == 0) MPI_Get_count(&status, MPI_BYTE, &count);
    check(check_rank == 1 || (status.MPI_SOURCE == 1 && status.MPI_TAG == 5 && count == bytes),
          "the status says from whom, which tag and how much");
    /* more requests, which may not get the same handle */
    MPI_Isend(other[0], 8, MPI_BYTE, !check_rank, 6, MPI_COMM_WORLD, &more[0]);
    MPI_Irecv(other[1], 8, MPI_BYTE, !check_rank, 6, MPI_COMM_WORLD, &more[1]);
    check(check_rank == 1 || (more[0] != *request && more[1] != *request),
          "no other request has its handle");
    check(check_rank == 1 || ask(*request, MPI_STATUS_IGNORE) == 0,
          "it is still complete when asked again");
    if (check_rank == 0) {
        MPI_Request all[3] = {more[0], *request, more[1]}, was = *request;
        MPI_Status statuses[3];
        count = -1;
        switch (with) {
        case 0: MPI_Wait(request, &status); break;
        case 1: MPI_Test(request, &flag, &status); break;
        case 2: MPI_Waitany(1, request, &index, &status); break;
        case 3:
            MPI_Waitall(3, all, statuses);
            status = statuses[1], *request = all[1], more[0] = all[0], more[1] = all[2];
            break;
        case 4: MPI_Request_free(request); break;
        }
        if (with != 4) MPI_Get_count(&status, MPI_BYTE, &count);
        index = init && with != 4 ? *request == was : *request == MPI_REQUEST_NULL;
    }
    check(check_rank == 1 || with == 4 || (count == bytes && status.MPI_SOURCE == 1),
          "a wait or test completes it with that status");
    check(check_rank == 1 || index, "and frees it, if it is not persistent");
    MPI_Waitall(2, more, MPI_STATUSES_IGNORE);
    check(1, "the others are complete as well");
}

static void send(void)
{
    MPI_Request request;
    int none = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    if (check_rank == 1) {
        sw_compute(1e5);
        MPI_Recv(in, LARGE, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Issend(out, LARGE, MPI_BYTE, 1, 7, MPI_COMM_WORLD, &request);
        none = ask(request, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    check(none > 0, "a synchronous send is not complete before it is received");
}

int main(int argc, char **argv)
{
    static const int bytes[] = {8, 1000, LARGE};
    check_begin(&argc, &argv, 2);
    for (int with = 0; with < 5; with++)
        for (int i = 0; i < 3; i++) {
            MPI_Request request = MPI_REQUEST_NULL;
            receive(bytes[i], with, &request, 0);
            if (check_rank == 0) MPI_Recv_init(in, LARGE, MPI_BYTE, 1, 5, MPI_COMM_WORLD, &request);
            receive(bytes[i], with, &request, 1);
            if (with == 4) continue;
            receive(bytes[i], with, &request, 1);
            if (check_rank == 0) MPI_Request_free(&request);
        }
    send();
    int flag = 0;
    MPI_Request_get_status(MPI_REQUEST_NULL, &flag, MPI_STATUS_IGNORE);
    check(flag, "a null request is complete");
    return check_end();
}
