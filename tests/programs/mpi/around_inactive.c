/* Persistent requests that are not active, among others; those of messages with MPI_PROC_NULL. */
#include "check.h"

static int is_empty(const MPI_Status *status)
{
    int n = -1;
    MPI_Get_count(status, MPI_INT, &n);
    return status->MPI_SOURCE == MPI_ANY_SOURCE && status->MPI_TAG == MPI_ANY_TAG && n == 0;
}

/* "A communication with process MPI_PROC_NULL has no effect": it "succeeds and returns as soon as
 * possible ... with no modifications to the receive buffer", and its status has source =
 * MPI_PROC_NULL, tag = MPI_ANY_TAG and count = 0 (MPI-3.1 3.11). One completes after the other. */
static void with_nobody(void)
{
    enum { N = 4 };
    static const char *const sentence[] = {
        "requests with MPI_PROC_NULL complete one by one, by MPI_Waitany",
        "and by MPI_Testany",
        "MPI_Waitsome",
        "MPI_Testsome",
        "MPI_Wait",
        "and the rest of them by MPI_Waitall",
    };
    for (int way = 0; way < 6; way++) {
        MPI_Request request[N];
        MPI_Status status[N];
        int buffer[N] = {7, 7, 7, 7}, done = 0, wrong = 0, many, which[N], index = 0, flag;
        for (int i = 0; i < N; i++)
            if (i % 2)
                MPI_Isend(&buffer[i], 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[i]);
            else
                MPI_Irecv(&buffer[i], 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[i]);
        while (done < N) {
            if (way == 0 || (way == 5 && done == 0)) MPI_Waitany(N, request, &index, status);
            if (way == 1) MPI_Testany(N, request, &index, &flag, status);
            if (way == 2) MPI_Waitsome(N, request, &many, which, status);
            if (way == 3) MPI_Testsome(N, request, &many, which, status);
            if (way == 4) MPI_Wait(&request[index = done], status);
            if (way == 5 && done > 0) {
                MPI_Waitall(N, request, status);
                break;
            }
            const int now = way == 2 || way == 3 ? many : 1;
            for (int i = 0; i < now; i++) {
                const int at = way == 2 || way == 3 ? which[i] : index, is_send = at % 2;
                wrong += request[at] != MPI_REQUEST_NULL;
                wrong += !is_send && status[i].MPI_SOURCE != MPI_PROC_NULL;
            }
            done += now;
            if (now <= 0) break;
        }
        for (int i = 0; i < N; i++) wrong += request[i] != MPI_REQUEST_NULL || buffer[i] != 7;
        check(!wrong, sentence[way]);
    }
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 1);
    MPI_Request request[3];
    MPI_Status status[3];
    const int right = (check_rank + 1) % check_ranks,
              left = (check_rank + check_ranks - 1) % check_ranks;
    int in = -1, many = -7, which[3], index = -7, flag = 0;
    MPI_Ssend_init(&check_rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Recv_init(&in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &request[1]);
    request[2] = MPI_REQUEST_NULL;

    MPI_Testsome(3, request, &many, which, status);
    check(many == MPI_UNDEFINED,
          "\"if there is no active handle in the list\", MPI_Testsome has MPI_UNDEFINED");
    MPI_Waitsome(3, request, &many, which, status);
    check(many == MPI_UNDEFINED, "so has MPI_Waitsome");
    MPI_Testany(3, request, &index, &flag, status);
    check(flag && index == MPI_UNDEFINED && is_empty(status), "and MPI_Testany");
    MPI_Request_get_status(request[1], &flag, status);
    check(flag && is_empty(status), "the status of an inactive one is empty");

    MPI_Start(&request[1]);
    MPI_Testsome(3, request, &many, which, status);
    check(many == 0, "one that is not active is not complete where another is active");
    MPI_Start(&request[0]);
    for (many = 0; many == 0;) MPI_Testsome(1, request + 1, &many, which, status);
    check(many == 1 && which[0] == 0 && in == left && status[0].MPI_SOURCE == left,
          "that one completes");
    for (many = 0; many == 0;) MPI_Testsome(3, request, &many, which, status);
    check(many == 1 && which[0] == 0, "then the other, alone");
    MPI_Testall(3, request, &flag, status);
    check(flag && is_empty(&status[0]) && is_empty(&status[1]), "then none is active again");
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    with_nobody();
    return check_end();
}
