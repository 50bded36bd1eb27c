/* Partitioned messages of MPI-4 (4.2), which SMPI lacks. */
#include "check.h"

enum { PARTS = 8, EACH = 1000, ALL = PARTS * EACH };

static int out[ALL], in[ALL];

static int left(void) { return (check_rank + check_ranks - 1) % check_ranks; }
static int right(void) { return (check_rank + 1) % check_ranks; }

static int right_values(int round)
{
    int right = 1;
    for (int i = 0; i < ALL; i++) right &= in[i] == 100 * left() + round + i;
    return right;
}

static void ready(int round, MPI_Request send)
{
    const int some[] = {1, 6, 3, 7};
    for (int i = 0; i < ALL; i++) out[i] = 100 * check_rank + round + i;
    if (round == 0)
        for (int i = PARTS - 1; i >= 0; i--) MPI_Pready(i, send);
    if (round == 1) MPI_Pready_range(0, PARTS - 1, send);
    if (round == 2) {
        MPI_Pready_list(4, some, send);
        MPI_Pready_range(4, 5, send);
        MPI_Pready(0, send);
        MPI_Pready(2, send);
    }
}

/* The receiver's partitions are others, of the same bytes; a message of the same tag, too. */
static void rounds(void)
{
    int flag = 1, any = 1, word = check_rank, came = -1;
    MPI_Request both[2], plain;
    MPI_Status status[2];
    MPI_Psend_init(out, PARTS, EACH, MPI_INT, right(), 5, MPI_COMM_WORLD, MPI_INFO_NULL, &both[0]);
    MPI_Precv_init(in, PARTS / 2, 2 * EACH, MPI_INT, left(), 5, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &both[1]);
    MPI_Testall(2, both, &flag, MPI_STATUSES_IGNORE);
    MPI_Parrived(both[1], 0, &any);
    check(flag && any, "one that is not active is complete");
    for (int round = 0; round < 3; round++) {
        MPI_Startall(2, both);
        MPI_Test(&both[0], &flag, MPI_STATUS_IGNORE);
        check(!flag, "a send is not complete before its partitions are ready");
        MPI_Irecv(&came, 1, MPI_INT, left(), MPI_ANY_TAG, MPI_COMM_WORLD, &plain);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(&word, 1, MPI_INT, right(), 5, MPI_COMM_WORLD);
        MPI_Wait(&plain, MPI_STATUS_IGNORE);
        ready(round, both[0]);
        for (flag = 0; round == 1 && !flag;) MPI_Parrived(both[1], 3, &flag);
        check(round != 1 || right_values(round), "what has arrived is there before the wait");
        MPI_Waitall(2, both, status);
        check(right_values(round), "each round brings its own values");
        check(came == left(), "and an ordinary message of the same tag is not one");
        check(status[1].MPI_SOURCE == left() && status[1].MPI_TAG == 5, "its status is the tag's");
    }
    MPI_Request_free(&both[0]);
    MPI_Request_free(&both[1]);
    check(both[0] == MPI_REQUEST_NULL && both[1] == MPI_REQUEST_NULL, "and both are freed");
}

/* "Partitioned communication operations can only match" each other: no probe finds them, nor do
 * they hide what comes behind. */
static void probed(void)
{
    int mine[2] = {30 + check_rank, 40 + check_rank}, theirs[2] = {-1, -1}, word = -check_rank,
        found = -1, flag = 0, right_tags = 1;
    MPI_Request all[4];
    MPI_Status status;
    MPI_Message message;
    for (int i = 0; i < 2; i++) {
        MPI_Psend_init(&mine[i], 1, 1, MPI_INT, right(), 6, MPI_COMM_WORLD, MPI_INFO_NULL, &all[i]);
        MPI_Start(&all[i]);
        MPI_Pready(0, all[i]);
    }
    MPI_Send(&word, 1, MPI_INT, right(), 8, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
    right_tags &= flag && status.MPI_TAG == 8;
    MPI_Probe(left(), MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    right_tags &= status.MPI_TAG == 8;
    MPI_Mprobe(left(), MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
    right_tags &= status.MPI_TAG == 8;
    MPI_Mrecv(&found, 1, MPI_INT, &message, &status);
    check(right_tags && found == -left(), "a probe for any tag finds the message behind them");
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
    check(!flag, "and then none");
    for (int i = 0; i < 2; i++) {
        MPI_Precv_init(&theirs[i], 1, 1, MPI_INT, left(), 6, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &all[2 + i]);
        MPI_Start(&all[2 + i]);
    }
    MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
    check(theirs[0] == 30 + left() && theirs[1] == 40 + left(), "they come where they should");
    for (int i = 0; i < 4; i++) MPI_Request_free(&all[i]);
}

/* Two of one tag, the second ready first. */
static void in_order(void)
{
    int mine[2] = {10 + check_rank, 20 + check_rank}, theirs[2] = {-1, -1};
    MPI_Request all[4];
    for (int i = 0; i < 2; i++) {
        MPI_Psend_init(&mine[i], 1, 1, MPI_INT, right(), 1, MPI_COMM_WORLD, MPI_INFO_NULL, &all[i]);
        MPI_Precv_init(&theirs[i], 1, 1, MPI_INT, left(), 1, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &all[2 + i]);
    }
    MPI_Startall(4, all);
    MPI_Pready(0, all[1]);
    MPI_Pready(0, all[0]);
    MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
    check(theirs[0] == 10 + left() && theirs[1] == 20 + left(),
          "those of one tag meet in the order in which they were made");
    for (int i = 0; i < 4; i++) MPI_Request_free(&all[i]);
}

/* "Any communication that is currently using this datatype will complete normally" (MPI_Type_free,
 * 5.1.9). */
static void freed_type(void)
{
    int mine[8], theirs[8] = {0}, all[8] = {0};
    MPI_Datatype odd;
    MPI_Request both[2], bcast;
    for (int i = 0; i < 8; i++) mine[i] = all[i] = check_rank == 0 ? i : -1;
    MPI_Type_vector(4, 1, 2, MPI_INT, &odd);
    MPI_Type_commit(&odd);
    MPI_Psend_init(mine, 1, 1, odd, right(), 2, MPI_COMM_WORLD, MPI_INFO_NULL, &both[0]);
    MPI_Precv_init(theirs, 1, 1, odd, left(), 2, MPI_COMM_WORLD, MPI_INFO_NULL, &both[1]);
    MPI_Bcast_init(all, 1, odd, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &bcast);
    MPI_Type_free(&odd);
    for (int round = 0; round < 2; round++) {
        MPI_Startall(2, both);
        MPI_Pready(0, both[0]);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
        MPI_Start(&bcast);
        MPI_Wait(&bcast, MPI_STATUS_IGNORE);
    }
    check(theirs[6] == (left() == 0 ? 6 : -1) && theirs[7] == 0,
          "a message is sent again after its datatype was freed");
    check(all[6] == 6 && all[7] == (check_rank == 0 ? 7 : -1), "and so is a collective's");
    MPI_Request_free(&both[0]);
    MPI_Request_free(&both[1]);
    MPI_Request_free(&bcast);
}

static int class_of(int code)
{
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS) MPI_Error_class(code, &class);
    return class;
}

static void wrong(void)
{
    MPI_Request send, receive, none;
    int flag;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Psend_init(out, 2, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
    MPI_Precv_init(in, 2, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
    check(class_of(MPI_Pready(0, send)) == MPI_ERR_REQUEST, "Pready before Start is refused");
    MPI_Start(&send);
    check(class_of(MPI_Pready(2, send)) == MPI_ERR_ARG, "a partition that there is not, too");
    MPI_Pready(1, send);
    check(class_of(MPI_Pready(1, send)) == MPI_ERR_ARG, "and one that is ready already");
    check(class_of(MPI_Pready(1, receive)) == MPI_ERR_REQUEST, "and one of a receive");
    check(class_of(MPI_Parrived(send, 0, &flag)) == MPI_ERR_REQUEST, "Parrived of a send, too");
    MPI_Pready(0, send);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    check(class_of(MPI_Precv_init(in, 1, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
                                  MPI_INFO_NULL, &none)) == MPI_ERR_RANK,
          "a receive names its source");
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    rounds();
    in_order();
    freed_type();
    probed();
    wrong();
    return check_end();
}
