/* Persistent requests that are not active, among others. */
#include "check.h"

static int is_empty(const MPI_Status *status)
{
    int n = -1;
    MPI_Get_count(status, MPI_INT, &n);
    return status->MPI_SOURCE == MPI_ANY_SOURCE && status->MPI_TAG == MPI_ANY_TAG && n == 0;
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
    return check_end();
}
