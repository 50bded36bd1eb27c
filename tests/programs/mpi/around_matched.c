/* Matched probes (MPI-3.1 3.8.2). */
#include "check.h"

enum { LONG = 100000 };

static int left(void) { return (check_rank + check_ranks - 1) % check_ranks; }
static int right(void) { return (check_rank + 1) % check_ranks; }

static void removed(void)
{
    int out[2] = {check_rank, 1000 + check_rank}, in = -1, flag = 1, again = 1;
    MPI_Message message, none;
    MPI_Status status;
    MPI_Request sent[2];
    for (int i = 0; i < 2; i++)
        MPI_Isend(&out[i], 1, MPI_INT, right(), 5, MPI_COMM_WORLD, &sent[i]);
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
    check(message != MPI_MESSAGE_NULL && status.MPI_SOURCE == left() && status.MPI_TAG == 5,
          "MPI_Mprobe says whose message it has found");
    MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(in == 1000 + left(), "a receive does not get a message that is matched");
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &again, &none, MPI_STATUS_IGNORE);
    check(!flag && !again, "nor does a probe find it");
    MPI_Mrecv(&in, 1, MPI_INT, &message, &status);
    check(in == left() && message == MPI_MESSAGE_NULL && status.MPI_SOURCE == left() &&
              status.MPI_TAG == 5,
          "MPI_Mrecv receives it, and the handle is MPI_MESSAGE_NULL");
    MPI_Waitall(2, sent, MPI_STATUSES_IGNORE);
}

/* Into a window, every second element, less than there is room for. */
static void parts(void)
{
    MPI_Datatype every_second;
    MPI_Win win;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Request request, sent;
    MPI_Status status;
    int *in, out[3] = {check_rank, 10 + check_rank, 20 + check_rank}, flag = 0, count = 0;
    MPI_Win_allocate(16 * sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &in, &win);
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &every_second);
    MPI_Type_commit(&every_second);
    for (int i = 0; i < 16; i++) in[i] = -1;
    MPI_Isend(out, 3, MPI_INT, right(), 0, MPI_COMM_WORLD, &sent);
    while (!flag) MPI_Improbe(left(), 0, MPI_COMM_WORLD, &flag, &message, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    check(count == 3, "MPI_Improbe says how long it is");
    MPI_Imrecv(in, 5, every_second, &message, &request);
    for (flag = 0; !flag;) MPI_Test(&request, &flag, &status);
    MPI_Get_count(&status, every_second, &count);
    check(in[0] == left() && in[2] == 10 + left() && in[4] == 20 + left() && in[1] == -1 &&
              in[6] == -1 && count == 3 && message == MPI_MESSAGE_NULL,
          "MPI_Imrecv receives as MPI_Irecv does");
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    MPI_Type_free(&every_second);
    MPI_Win_free(&win);
}

static void long_ones(void)
{
    MPI_Message message;
    MPI_Request request, sent;
    MPI_Status status;
    int *out = malloc(LONG * sizeof(int)), *in = calloc(LONG, sizeof(int)), wrong = 0;
    for (int i = 0; i < LONG; i++) out[i] = check_rank + i;
    MPI_Isend(out, LONG, MPI_INT, right(), 9, MPI_COMM_WORLD, &sent);
    MPI_Mprobe(left(), 9, MPI_COMM_WORLD, &message, &status);
    MPI_Imrecv(in, LONG, MPI_INT, &message, &request);
    MPI_Waitall(2, (MPI_Request[]){request, sent}, MPI_STATUSES_IGNORE);
    for (int i = 0; i < LONG; i++) wrong += in[i] != left() + i;
    check(!wrong, "a long message comes whole");
    free(out);
    free(in);
}

static void nobody(void)
{
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    MPI_Request request;
    int count = -1, in = -1;
    MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &message, &status);
    check(message == MPI_MESSAGE_NO_PROC && status.MPI_SOURCE == MPI_PROC_NULL,
          "MPI_PROC_NULL has a message at once, which nobody sent");
    MPI_Mrecv(&in, 1, MPI_INT, &message, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    check(in == -1 && count == 0 && message == MPI_MESSAGE_NULL, "and nothing is in it");
    message = MPI_MESSAGE_NO_PROC;
    MPI_Imrecv(&in, 1, MPI_INT, &message, &request);
    MPI_Wait(&request, &status);
    check(status.MPI_SOURCE == MPI_PROC_NULL && message == MPI_MESSAGE_NULL, "also with a request");
}

static void too_short(void)
{
    MPI_Message message;
    MPI_Request sent;
    int out[2] = {1, 2}, in[2] = {-1, -1}, code;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Isend(out, 2, MPI_INT, right(), 3, MPI_COMM_WORLD, &sent);
    MPI_Mprobe(left(), 3, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    code = MPI_Mrecv(in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Error_class(code, &code);
    check(code == MPI_ERR_TRUNCATE && in[1] == -1, "a buffer that is too short is an error");
    MPI_Mrecv(in, 2, MPI_INT, &message, MPI_STATUS_IGNORE);
    check(in[1] == 2, "after which the message is still there");
    code = MPI_Mrecv(in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    check(code != MPI_SUCCESS, "a message is received once");
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 1);
    removed();
    parts();
    long_ones();
    nobody();
    too_short();
    return check_end();
}
