/* Messages and windows: "A load accesses the instance in process memory (this includes MPI sends).
 * A store accesses and updates the instance in process memory (this includes MPI receives), but the
 * update may affect other public copies of the same locations" (MPI-2 11.7). Every update writes 1
 * to 11. */
#include "check.h"

/* pieces that begin and end inside a line */
enum { N = 11, FROM = 5, TO = 64 + 3, ALL = 128 };

static long *window;
static MPI_Win win;
static int rank;

static void say(const char *what, long value) { printf("%s=%ld\n", what, value), fflush(stdout); }

static void own_epoch(void)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    MPI_Win_unlock(rank, win);
}

/* The window is 0 in both copies, and its owner has loaded it. */
static void begin(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    for (int i = 0; i < ALL; i++) window[i] = 0;
    MPI_Win_unlock(rank, win);
    own_epoch();
    for (int i = 0; i < ALL; i++)
        if (((volatile long *)window)[i] != 0) abort();
    MPI_Barrier(MPI_COMM_WORLD);
}

static void put_ones(int target, int at)
{
    long ones[N] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win);
    MPI_Put(ones, N, MPI_LONG, target, at, N, MPI_LONG, win);
    MPI_Win_unlock(target, win);
}

static int all_there(const long *at)
{
    int good = 1;
    for (int i = 0; i < N; i++) good &= at[i] == i + 1;
    return good;
}

/* Rank 0 puts into rank 1's window; rank 1 sends it on to rank 2 without and with a lock of its own
 * window before. */
static void sends_are_loads(void)
{
    long got[N] = {-1};
    begin();
    if (rank == 0) put_ones(1, FROM);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) MPI_Send(&window[FROM], N, MPI_LONG, 2, 0, MPI_COMM_WORLD);
    if (rank == 2) MPI_Recv(got, N, MPI_LONG, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 2) say("sent_without_lock", got[0]);
    if (rank == 1) own_epoch();
    if (rank == 1) MPI_Send(&window[FROM], N, MPI_LONG, 2, 0, MPI_COMM_WORLD);
    if (rank == 2) MPI_Recv(got, N, MPI_LONG, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(rank != 2 || all_there(got), "a send after the owner's lock sends what was put");
}

/* Rank 1 receives into its window; rank 0 gets it, without and with an unlock of rank 1's before.
 */
static void receives_are_stores(void)
{
    long ones[N] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, got[N] = {-1};
    begin();
    if (rank == 2) MPI_Send(ones, N, MPI_LONG, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&window[TO], N, MPI_LONG, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(rank != 1 || all_there(&window[TO]),
          "the receiver loads what it received into its window");
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Get(got, N, MPI_LONG, 1, TO, N, MPI_LONG, win);
        MPI_Win_unlock(1, win);
        say("received_without_unlock", got[N - 1]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) own_epoch();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Get(got, N, MPI_LONG, 1, TO, N, MPI_LONG, win);
        MPI_Win_unlock(1, win);
    }
    check(rank != 0 || all_there(got),
          "a get after the receiver's unlock returns what it received");
}

/* Every way to send and receive, from window to window. */
static void every_call(void)
{
    static const char *const sentence[] = {"MPI_Isend and MPI_Irecv",
                                           "MPI_Sendrecv",
                                           "MPI_Bcast",
                                           "MPI_Allreduce",
                                           "MPI_Gather and MPI_Scatter",
                                           "MPI_Alltoall",
                                           "persistent requests",
                                           "a receive of a vector",
                                           "a broadcast of a vector"};
    for (int way = 0; way < 9; way++) {
        begin();
        if (rank == 0) put_ones(1, FROM);
        MPI_Barrier(MPI_COMM_WORLD);
        /* what was put is visible to rank 1's sends; now it travels to window[TO] of rank 2 */
        own_epoch();
        MPI_Request request[2];
        MPI_Datatype every_second;
        long *from = &window[FROM], *to = &window[TO];
        int partner = 3 - rank, good = 1;
        switch (way) {
        case 0:
            if (rank == 1) MPI_Isend(from, N, MPI_LONG, 2, 0, MPI_COMM_WORLD, &request[0]);
            if (rank == 2) MPI_Irecv(to, N, MPI_LONG, 1, 0, MPI_COMM_WORLD, &request[0]);
            if (rank == 1 || rank == 2) MPI_Wait(&request[0], MPI_STATUS_IGNORE);
            break;
        case 1:
            if (rank == 1 || rank == 2)
                MPI_Sendrecv(from, N, MPI_LONG, partner, 0, to, N, MPI_LONG, partner, 0,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            break;
        case 2:
            if (rank != 1) from = to;
            MPI_Bcast(from, N, MPI_LONG, 1, MPI_COMM_WORLD);
            break;
        case 3:
            /* the others' are 0 */
            MPI_Allreduce(from, to, N, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
            break;
        case 4: {
            long all[N * 16];
            MPI_Gather(from, N, MPI_LONG, all, N, MPI_LONG, 0, MPI_COMM_WORLD);
            if (rank == 0) memcpy(&all[2 * N], &all[N], sizeof *all * N);
            MPI_Scatter(all, N, MPI_LONG, to, N, MPI_LONG, 0, MPI_COMM_WORLD);
            break;
        }
        case 5: {
            long out[N * 16] = {0}, in[N * 16];
            memcpy(&out[2 * N], from, sizeof *out * N);
            MPI_Alltoall(out, N, MPI_LONG, in, N, MPI_LONG, MPI_COMM_WORLD);
            memcpy(to, &in[N], sizeof *in * N);
            break;
        }
        case 6:
            if (rank == 1) MPI_Send_init(from, N, MPI_LONG, 2, 0, MPI_COMM_WORLD, &request[0]);
            if (rank == 2) MPI_Recv_init(to, N, MPI_LONG, 1, 0, MPI_COMM_WORLD, &request[0]);
            if (rank == 1 || rank == 2) {
                MPI_Start(&request[0]);
                MPI_Wait(&request[0], MPI_STATUS_IGNORE);
                MPI_Request_free(&request[0]);
            }
            break;
        case 7:
        case 8:
            MPI_Type_vector(N, 1, 2, MPI_LONG, &every_second);
            MPI_Type_commit(&every_second);
            if (way == 8)
                MPI_Bcast(rank == 1 ? from : to, rank == 1 ? N : 1,
                          rank == 1 ? MPI_LONG : every_second, 1, MPI_COMM_WORLD);
            else if (rank == 1)
                MPI_Send(from, N, MPI_LONG, 2, 0, MPI_COMM_WORLD);
            else if (rank == 2)
                MPI_Recv(to, 1, every_second, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 2) {
                for (int i = 1; i < 2 * N - 1; i += 2) good &= to[i] == 0;
                for (int i = 0; i < N; i++) to[i] = to[2 * i];
            }
            MPI_Type_free(&every_second);
            break;
        }
        MPI_Barrier(MPI_COMM_WORLD);
        own_epoch(); /* what was received is visible to gets */
        MPI_Barrier(MPI_COMM_WORLD);
        long got[N] = {-1};
        MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
        MPI_Get(got, N, MPI_LONG, 2, TO, N, MPI_LONG, win);
        MPI_Win_unlock(2, win);
        char text[100];
        snprintf(text, sizeof text, "%s: from window to window, then gotten", sentence[way]);
        check(all_there(got) && good, text);
    }
}

/* SMPI gave the sender of the short message back again when the long one had come. */
static void lengths(void)
{
    static char out[80000], in[80000];
    MPI_Request receive, send;
    int right = 1;
    MPI_Recv_init(in, sizeof in, MPI_CHAR, (rank + 1) % 3, 1, MPI_COMM_WORLD, &receive);
    for (int round = 0; round < 6; round++) {
        int count, sent = round % 2 ? 70000 + round : 40;
        MPI_Status status;
        out[0] = (char)round;
        MPI_Start(&receive);
        MPI_Isend(out, sent, MPI_CHAR, (rank + 2) % 3, 1, MPI_COMM_WORLD, &send);
        MPI_Wait(&receive, &status);
        MPI_Get_count(&status, MPI_CHAR, &count);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        right &= count == sent && in[0] == round;
    }
    MPI_Request_free(&receive);
    check(right, "a persistent receive takes short and long messages in turn");
}

/* SMPI copied here, and its status said another rank. */
static void to_itself(void)
{
    int first = 1, second = 2, got = 0, then = 0, right;
    MPI_Request sent;
    MPI_Status status;
    MPI_Isend(&first, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &sent);
    MPI_Sendrecv(&second, 1, MPI_INT, rank, 3, &got, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &status);
    right = status.MPI_SOURCE == rank && status.MPI_TAG == 3;
    check(right, "MPI_Sendrecv of a rank to itself has its rank as the source");
    MPI_Recv(&then, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    check(got == 1 && then == 2, "it receives what was sent first");
    MPI_Sendrecv_replace(&got, 1, MPI_INT, rank, 4, rank, 4, MPI_COMM_WORLD, &status);
    check(got == 1 && status.MPI_SOURCE == rank, "so has MPI_Sendrecv_replace");
}

/* "The range of valid tag values is 0,...,UB" (MPI-3.1 3.2.3). */
static void greatest_tag(void)
{
    int *most, found, got = -1;
    MPI_Request sent;
    MPI_Status status;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, (void *)&most, &found);
    MPI_Isend(&rank, 1, MPI_INT, rank, *most, MPI_COMM_WORLD, &sent);
    MPI_Recv(&got, 1, MPI_INT, rank, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    check(found && got == rank && status.MPI_TAG == *most, "a message may have the greatest tag");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 3);
    rank = check_rank;
    MPI_Win_allocate(ALL * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &window,
                     &win);
    sends_are_loads();
    receives_are_stores();
    every_call();
    lengths();
    to_itself();
    greatest_tag();
    MPI_Win_free(&win);
    return check_end();
}
