/* Persistent messages that start again before the last one has been received: each is a message of
 * its own, with what its buffer had when it started (MPI-3.1, 3.9). */
#include "check.h"

enum { ROUNDS = 5, LONG = 40000 };
static char pool[1 << 20];

static int send_init(int kind, const int *from, int count, int to, MPI_Request *request)
{
    if (kind == 0) return MPI_Send_init(from, count, MPI_INT, to, kind, MPI_COMM_WORLD, request);
    if (kind == 1) return MPI_Bsend_init(from, count, MPI_INT, to, kind, MPI_COMM_WORLD, request);
    return MPI_Ssend_init(from, count, MPI_INT, to, kind, MPI_COMM_WORLD, request);
}

/* Every rank sends to the next one; rank 0 begins late, so that what comes to it waits. */
static int ring(int kind, int count, int together)
{
    static int from[LONG], in[LONG];
    const int to = (check_rank + 1) % check_ranks;
    const int of = (check_rank + check_ranks - 1) % check_ranks;
    MPI_Request request[2];
    int right = 1;
    send_init(kind, from, count, to, &request[0]);
    MPI_Recv_init(in, count, MPI_INT, of, kind, MPI_COMM_WORLD, &request[1]);
    for (double end = MPI_Wtime() + (check_rank == 0 ? 1e-4 : 0); MPI_Wtime() < end;) continue;
    for (int round = 0; round < ROUNDS; round++) {
        if (count > 0) from[0] = from[count - 1] = 100 * check_rank + round;
        if (together) {
            MPI_Startall(2, request);
            MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        } else {
            for (int i = 0; i < 2; i++) MPI_Start(&request[i]);
            for (int i = 0; i < 2; i++) MPI_Wait(&request[i], MPI_STATUS_IGNORE);
        }
        right &= count == 0 || (in[0] == 100 * of + round && in[count - 1] == in[0]);
    }
    for (int i = 0; i < 2; i++) MPI_Request_free(&request[i]);
    return right;
}

/* All of them wait, and are received in their order. */
static int queue(int kind)
{
    int value, right = 1;
    MPI_Request request;
    if (check_rank == 0) {
        send_init(kind, &value, 1, 1, &request);
        for (value = 0; value < ROUNDS; value++) {
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Request_free(&request);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; check_rank == 1 && i < ROUNDS; i++) {
        MPI_Recv(&value, 1, MPI_INT, 0, kind, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        right &= value == i;
    }
    return right;
}

int main(int argc, char **argv)
{
    static const char *name[] = {"MPI_Send_init", "MPI_Bsend_init", "MPI_Ssend_init"};
    static const int count[] = {0, 1, 10, LONG};
    check_begin(&argc, &argv, 2);
    MPI_Buffer_attach(pool, sizeof pool);
    for (int kind = 0; kind < 3; kind++) {
        int right = 1;
        for (int i = 0; i < 8; i++) right &= ring(kind, count[i / 2], i % 2);
        char sentence[80];
        snprintf(sentence, sizeof sentence, "%s: each round's message arrives", name[kind]);
        check(right, sentence);
    }
    check(queue(0) && queue(1), "messages of several rounds wait, and are received in their order");
    void *detached;
    int bytes;
    MPI_Buffer_detach(&detached, &bytes);
    return check_end();
}
