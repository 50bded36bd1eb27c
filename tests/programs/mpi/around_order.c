/* "Messages are non-overtaking" (MPI-3.1 3.5), whatever their lengths: SMPI has one place for short
 * messages, and another for long and synchronous ones. */
#include "check.h"

enum { LONG = 100000, MANY = 60 };
static int large[LONG];

/* "If a receiver posts two receives in succession, and both match the same message, then the second
 * receive operation cannot be satisfied by this message, if the first one is still pending." Two
 * short messages, the first receive for one int, the second for many. */
static void posted(int source, int tag, int source_then, int tag_then, const char *sentence)
{
    MPI_Request request[2];
    int first = -1;
    large[0] = -1;
    if (check_rank == 1) {
        MPI_Irecv(&first, 1, MPI_INT, source, tag, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(large, LONG, MPI_INT, source_then, tag_then, MPI_COMM_WORLD, &request[1]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; check_rank == 0 && i < 2; i++) MPI_Send(&i, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    if (check_rank == 1) MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    check(check_rank != 1 || (first == 0 && large[0] == 1), sentence);
}

/* A short one and a long one of one tag, whose receives are posted before. */
static void head_and_body(void)
{
    MPI_Request request[2];
    int head = -1;
    large[LONG - 1] = check_rank == 0 ? 77 : -1;
    if (check_rank == 1) {
        MPI_Recv_init(&head, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &request[0]);
        MPI_Start(&request[0]);
        MPI_Irecv(large, LONG, MPI_INT, 0, 6, MPI_COMM_WORLD, &request[1]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (check_rank == 0) MPI_Send(&check_ranks, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
    if (check_rank == 0) MPI_Send(large, LONG, MPI_INT, 1, 6, MPI_COMM_WORLD);
    if (check_rank == 1) MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    check(check_rank > 1 || large[LONG - 1] == 77, "a long message follows a short one of its tag");
    check(check_rank != 1 || head == check_ranks, "which has come where it belongs");
    if (check_rank == 1) MPI_Request_free(&request[0]);
}

static void too_long(void)
{
    MPI_Request request[2];
    MPI_Status status[2];
    int one = -1, some[3] = {1, 2, 3}, other[3] = {0}, class[2] = {0};
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Irecv(&one, 1, MPI_INT, check_rank, 7, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(other, 3, MPI_INT, check_rank, 8, MPI_COMM_WORLD, &request[1]);
    MPI_Send(some, 3, MPI_INT, check_rank, 7, MPI_COMM_WORLD);
    MPI_Send(some, 3, MPI_INT, check_rank, 8, MPI_COMM_WORLD);
    MPI_Error_class(MPI_Waitall(2, request, status), &class[0]);
    MPI_Error_class(status[0].MPI_ERROR, &class[1]);
    check(class[0] == MPI_ERR_IN_STATUS && class[1] == MPI_ERR_TRUNCATE &&
              status[1].MPI_ERROR == MPI_SUCCESS && other[2] == 3 && one == 1,
          "a message that is too long is an error of its own receive");
    MPI_Irecv(&one, 1, MPI_INT, check_rank, 7, MPI_COMM_WORLD, &request[0]);
    MPI_Send(some, 2, MPI_INT, check_rank, 7, MPI_COMM_WORLD);
    MPI_Error_class(MPI_Wait(&request[0], &status[0]), &class[0]);
    check(class[0] == MPI_ERR_TRUNCATE, "which MPI_Wait returns");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* A long message of one tag, then a short one of another, are both there: any tag. */
static void unexpected(int source, int probes)
{
    MPI_Request request;
    MPI_Status status;
    int last = 1, came[2] = {-1, -1};
    large[0] = check_rank == 0 ? 0 : -1;
    if (check_rank == 0) MPI_Isend(large, LONG, MPI_INT, 1, 4, MPI_COMM_WORLD, &request);
    if (check_rank == 0) MPI_Send(&last, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    for (double begin = MPI_Wtime(); MPI_Wtime() - begin < 1e-3;) continue;
    for (int i = 0; check_rank == 1 && i < 2; i++) {
        int tag = MPI_ANY_TAG, from = source;
        if (probes) MPI_Probe(source, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (probes) tag = status.MPI_TAG, from = status.MPI_SOURCE;
        MPI_Recv(large, LONG, MPI_INT, from, tag, MPI_COMM_WORLD, &status);
        came[i] = status.MPI_TAG;
    }
    if (check_rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(check_rank != 1 || (came[0] == 4 && came[1] == 5),
          probes ? "a probe for any tag finds the first that was sent, though the second is short"
                 : "so does a receive");
}

/* Long, short and synchronous ones with two tags, to the next rank. */
static void many(void)
{
    MPI_Request request[MANY];
    MPI_Status status;
    int *out = malloc(MANY * sizeof *out * LONG), wrong = 0;
    const int right = (check_rank + 1) % check_ranks;
    for (int i = 0; i < MANY; i++) {
        const int length = i % 5 == 0 ? LONG : 1 + i % 3 * 500;
        out[i * LONG] = i;
        (i % 4 ? MPI_Isend : MPI_Issend)(out + i * LONG, length, MPI_INT, right, i % 2,
                                         MPI_COMM_WORLD, &request[i]);
    }
    for (int i = 0; i < MANY; i++) {
        MPI_Recv(large, LONG, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        wrong += large[0] != i || status.MPI_TAG != i % 2;
    }
    MPI_Waitall(MANY, request, MPI_STATUSES_IGNORE);
    check(!wrong, "sixty messages come in the order in which they were sent");
    free(out);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    const int any = MPI_ANY_SOURCE, all = MPI_ANY_TAG;
    posted(0, 5, 0, 5, "the first of two receives has the first message, though it is for less");
    posted(0, all, 0, 5, "also when it is for any tag");
    posted(0, 5, 0, all, "or the second is");
    posted(any, 5, 0, 5, "when it is from anybody");
    posted(0, 5, any, 5, "or the second is from anybody");
    posted(any, all, any, all, "or both are for anything");
    head_and_body();
    too_long();
    for (int probes = 1; probes >= 0; probes--) {
        unexpected(0, probes);
        unexpected(any, probes);
    }
    many();
    return check_end();
}
