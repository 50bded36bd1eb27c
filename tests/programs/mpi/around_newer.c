/* Calls of MPI-4 that SMPI lacks. */
#include "check.h"

#include <string.h>

enum { LONG = 50000 };

static int left(void) { return (check_rank + check_ranks - 1) % check_ranks; }
static int right(void) { return (check_rank + 1) % check_ranks; }

static void both_ways(void)
{
    int *out = calloc(LONG, sizeof(int)), *in = calloc(LONG, sizeof(int)), flag = 0;
    MPI_Request request[2];
    MPI_Status status;
    out[LONG - 1] = check_rank;
    MPI_Isendrecv(out, LONG, MPI_INT, right(), 1, in, LONG, MPI_INT, left(), 1, MPI_COMM_WORLD,
                  &request[0]);
    MPI_Wait(&request[0], &status);
    check(in[LONG - 1] == left() && status.MPI_SOURCE == left(), "MPI_Isendrecv does both");
    MPI_Isendrecv_replace(out, LONG, MPI_INT, right(), 2, left(), 2, MPI_COMM_WORLD, &request[0]);
    while (!flag) MPI_Test(&request[0], &flag, &status);
    check(out[LONG - 1] == left() && request[0] == MPI_REQUEST_NULL, "and replaces what it sent");
    out[0] = check_rank;
    MPI_Isendrecv(out, 1, MPI_INT, right(), 3, in, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD,
                  &request[0]);
    MPI_Isendrecv(out, LONG, MPI_INT, MPI_PROC_NULL, 3, in, 1, MPI_INT, MPI_PROC_NULL, 3,
                  MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    check(in[0] == left(), "several are waited for, also to and from nobody");
    free(out);
    free(in);
}

/* Sums over and over, into a window. */
static void again(void)
{
    int mine[2] = {check_rank, 1}, root = -1, index = -1, flag = 0, wrong = 0, *sum;
    const int all = check_ranks * (check_ranks - 1) / 2;
    MPI_Request request[3];
    MPI_Win win;
    MPI_Win_allocate(2 * sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &sum, &win);
    MPI_Allreduce_init(mine, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
    MPI_Bcast_init(&root, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request[2]);
    MPI_Testall(3, request, &flag, MPI_STATUSES_IGNORE);
    check(flag, "a persistent collective that is not active is complete");
    for (int round = 0; round < 4; round++) {
        mine[1] = round;
        root = check_rank == 0 ? round : -1;
        MPI_Startall(3, request);
        if (round == 0) MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
        for (int i = 0; round == 1 && i < 3; i++)
            MPI_Waitany(3, request, &index, MPI_STATUS_IGNORE);
        for (flag = 0; round == 2 && !flag;) MPI_Testall(3, request, &flag, MPI_STATUSES_IGNORE);
        for (int i = 2; round == 3 && i >= 0; i--) MPI_Wait(&request[i], MPI_STATUS_IGNORE);
        wrong += sum[0] != all || sum[1] != round * check_ranks || root != round;
    }
    check(!wrong, "it does the same with each start");
    MPI_Start(&request[0]);
    for (flag = 0; !flag;) MPI_Request_get_status(request[0], &flag, MPI_STATUS_IGNORE);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; i++) MPI_Request_free(&request[i]);
    check(request[0] == MPI_REQUEST_NULL, "until it is freed");
    MPI_Win_free(&win);
}

static void to_each(void)
{
    int *out = calloc((size_t)check_ranks, sizeof(int)), *in = calloc((size_t)check_ranks, 4);
    int *counts = calloc((size_t)check_ranks, sizeof(int)), wrong = 0;
    int *at = calloc((size_t)check_ranks, sizeof(int));
    MPI_Request request;
    for (int i = 0; i < check_ranks; i++) {
        out[i] = 10 * check_rank + i;
        counts[i] = 1;
        at[i] = check_ranks - 1 - i;
    }
    MPI_Alltoallv_init(out, counts, at, MPI_INT, in, counts, at, MPI_INT, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < check_ranks; i++) wrong += in[at[i]] != 10 * i + at[check_rank];
    check(!wrong, "MPI_Alltoallv_init has the arguments of MPI_Alltoallv");
    MPI_Request_free(&request);
    free(out);
    free(in);
    free(counts);
    free(at);
}

static void large(void)
{
    int value = check_rank, in = -1, class = 0, *memory;
    MPI_Count count = -1, size = -1, *counts = calloc((size_t)check_ranks, sizeof *counts);
    MPI_Aint *at = calloc((size_t)check_ranks, sizeof *at);
    MPI_Status status;
    MPI_Request request;
    MPI_Win win;
    MPI_Isend_c(&value, 1, MPI_INT, right(), 4, MPI_COMM_WORLD, &request);
    MPI_Recv_c(&in, 1, MPI_INT, left(), 4, MPI_COMM_WORLD, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Get_count_c(&status, MPI_INT, &count);
    MPI_Type_size_c(MPI_INT, &size);
    check(in == left() && count == 1 && size == 4, "counts may be MPI_Count");
    int *all = calloc((size_t)check_ranks, sizeof *all);
    for (int i = 0; i < check_ranks; i++) counts[i] = 1, at[i] = check_ranks - 1 - i;
    MPI_Gatherv_c(&value, 1, MPI_INT, all, check_rank ? NULL : counts, check_rank ? NULL : at,
                  MPI_INT, 0, MPI_COMM_WORLD);
    check(check_rank || (all[0] == check_ranks - 1 && all[check_ranks - 1] == 0),
          "and arrays of counts and of places");
    MPI_Win_allocate_c(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Put_c(&value, 1, MPI_INT, right(), 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    check(*memory == left(), "also of puts");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Bcast_c(&value, (MPI_Count)1 << 31, MPI_INT, 0, MPI_COMM_WORLD), &class);
    check(class == MPI_ERR_COUNT, "one beyond an int is an error");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Win_free(&win);
    free(all);
    free(counts);
    free(at);
}

static void strings(void)
{
    MPI_Info info;
    char value[8] = "";
    int room = 4, flag = 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "a value");
    MPI_Info_get_string(info, "key", &room, value, &flag);
    check(flag && room == 8 && strcmp(value, "a v") == 0,
          "MPI_Info_get_string says how long a value is, and cuts it");
    MPI_Info_free(&info);
}

static void fields(void)
{
    MPI_Status status;
    MPI_Datatype pair, none;
    int source, tag, error;
    MPI_Sendrecv(&check_rank, 1, MPI_INT, right(), 6, &source, 1, MPI_INT, left(), 6,
                 MPI_COMM_WORLD, &status);
    MPI_Status_get_source(&status, &source);
    MPI_Status_get_tag(&status, &tag);
    check(source == left() && tag == 6, "MPI_Status_get_source and _get_tag");
    MPI_Status_set_source(&status, 1);
    MPI_Status_set_tag(&status, 2);
    MPI_Status_set_error(&status, MPI_ERR_TAG);
    MPI_Status_get_error(&status, &error);
    check(status.MPI_SOURCE == 1 && status.MPI_TAG == 2 && error == MPI_ERR_TAG,
          "and what sets them");
    MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &pair);
    MPI_Type_get_value_index(MPI_INT, MPI_DOUBLE, &none);
    check(pair == MPI_DOUBLE_INT && none == MPI_DATATYPE_NULL, "MPI_Type_get_value_index");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 1);
    both_ways();
    again();
    to_each();
    large();
    strings();
    fields();
    return check_end();
}
