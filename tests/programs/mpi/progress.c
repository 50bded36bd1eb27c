/* "Completes locally" is for tests, too: MPI_Test returns at once, flag true or false
 * (MPI-2 3.7.3), whoever else computes meanwhile; and MPI_Waitany returns with the first request
 * that is complete. Rank 1 computes in a long block and serves nobody. */
#include "check.h"
#include "sidewinder.h"

static MPI_Win win;
static long *window, got[3];
static const double block_s = 2e-3;

static double a_test(MPI_Request *request, int *flag)
{
    double start = MPI_Wtime();
    MPI_Test(request, flag, MPI_STATUS_IGNORE);
    return MPI_Wtime() - start;
}

static void origin(void)
{
    int flag = 1, status_flag = 1, which = -1, message = 0;
    MPI_Request request[2], none = MPI_REQUEST_NULL;
    double start = MPI_Wtime();
    MPI_Rget(&got[0], 1, MPI_LONG, 1, 0, 1, MPI_LONG, win, &request[0]);
    double test_s = a_test(&request[0], &flag);
    if (!flag) MPI_Request_get_status(request[0], &status_flag, MPI_STATUS_IGNORE);
    MPI_Irecv(&message, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Waitany(2, request, &which, MPI_STATUS_IGNORE);
    double first_s = MPI_Wtime() - start;
    printf("flag=%d\nstatus=%d\ntest=%.9f\nfirst=%.9f\n", flag, status_flag, test_s, first_s);
    if (which != (message == 7))
        printf("FAILED: MPI_Waitany returns with the request that is complete first\n");
    for (flag = 0; !flag;) a_test(&request[0], &flag);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    if (message != 7) printf("FAILED: the message is there when its request is complete\n");
    a_test(&none, &flag);
    if (!flag) printf("FAILED: a null request is complete\n");
    printf("done=%.9f\n", MPI_Wtime() - start);
    if (got[0] != 101) printf("FAILED: a get whose request a test has completed is there\n");
    MPI_Rget(&got[1], 1, MPI_LONG, 1, 1, 1, MPI_LONG, win, &request[0]);
    MPI_Request_free(&request[0]);
    MPI_Rget(&got[2], 1, MPI_LONG, 1, 2, 1, MPI_LONG, win, &request[0]);
    MPI_Waitany(1, request, &which, MPI_STATUS_IGNORE);
    if (which != 0 || got[2] != 103) printf("FAILED: MPI_Waitany waits for a get\n");
    MPI_Win_flush(1, win);
    if (got[1] != 102) printf("FAILED: a get whose request was freed is there after the flush\n");
}

int main(int argc, char **argv)
{
    MPI_Request late = MPI_REQUEST_NULL;
    check_begin(&argc, &argv, 3);
    MPI_Win_allocate(3 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window,
                     &win);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    for (int i = 0; i < 3; i++) window[i] = 100 * check_rank + i + 1;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (check_rank == 0) origin();
    if (check_rank == 1) sw_compute(block_s * 150e6); /* at 150 MHz; less at more */
    if (check_rank == 2) {
        int seven = 7;
        sw_compute(block_s / 20 * 150e6);
        MPI_Send(&seven, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (check_rank == 0) MPI_Rget(&got[0], 1, MPI_LONG, 2, 0, 1, MPI_LONG, win, &late);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Wait(&late, MPI_STATUS_IGNORE);
    check(check_rank != 0 || got[0] == 201, "a request can be waited for when its window is gone");
    return check_end();
}
