/* MPI_Testall that says no changes no request and no status (MPI-3.1 3.7.5), whatever has come; the
 * one that says yes tells of all, and what a receive stores is paid then. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 1 << 16 };
static int me, failed;

static void says(int holds, const char *sentence)
{
    printf("%s: %s\n", holds ? "ok" : "FAILED", sentence);
    failed += !holds;
}

/* Rank 1 sends what rank 0 asks for: a tag and a size; a tag below 0 ends it. */
static void serve(void)
{
    static char bytes[LARGE];
    for (int ask[2];;) {
        MPI_Recv(ask, 2, MPI_INT, 0, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (ask[0] < 0) return;
        memset(bytes, ask[0], LARGE);
        MPI_Send(bytes, ask[1], MPI_BYTE, 0, ask[0], MPI_COMM_WORLD);
        MPI_Send(NULL, 0, MPI_BYTE, 0, 98, MPI_COMM_WORLD);
    }
}
static void ask(int tag, int bytes)
{
    const int both[2] = {tag, bytes};
    MPI_Send(both, 2, MPI_INT, 1, 99, MPI_COMM_WORLD);
    if (tag >= 0) MPI_Recv(NULL, 0, MPI_BYTE, 1, 98, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int is(const MPI_Status *s, int tag, int bytes)
{
    int n;
    MPI_Get_count(s, MPI_BYTE, &n);
    return s->MPI_SOURCE == 1 && s->MPI_TAG == tag && n == bytes;
}

static void receives(char *to)
{
    MPI_Request r[4], before[4];
    MPI_Status status[4];
    int flag, same = 1, more;
    for (int i = 0; i < 4; i++)
        MPI_Irecv(to + 100 * i, 100, MPI_BYTE, i % 2 ? MPI_ANY_SOURCE : 1, i + 1, MPI_COMM_WORLD,
                  &r[i]);
    memcpy(before, r, sizeof r);
    for (int i = 3; i > 0; i--) {
        ask(i + 1, 10 * i);
        for (int k = 0; k < 3; k++) {
            MPI_Testall(4, r, &flag, status);
            same &= !flag && memcmp(before, r, sizeof r) == 0;
        }
        MPI_Testall(4, r, &flag, MPI_STATUSES_IGNORE);
        same &= !flag && memcmp(before, r, sizeof r) == 0;
    }
    says(same, "a no leaves the requests as they were");
    MPI_Request_get_status(r[2], &flag, &status[0]);
    says(flag && is(&status[0], 3, 20), "MPI_Request_get_status knows what had come by a no");
    MPI_Request others[8]; /* nobody else gets their handles meanwhile */
    for (int i = 0; i < 8; i++) {
        MPI_Irecv(&more, 1, MPI_INT, 1, 50, MPI_COMM_WORLD, &others[i]);
        for (int k = 0; k < 4; k++) same &= others[i] != before[k];
    }
    says(same, "a new request has another handle");
    for (int i = 0; i < 8; i++) {
        MPI_Cancel(&others[i]);
        MPI_Wait(&others[i], MPI_STATUS_IGNORE);
    }
    ask(1, 0);
    MPI_Testall(4, r, &flag, status);
    int all = flag, bytes = 1;
    for (int i = 0; i < 4; i++) {
        all &= r[i] == MPI_REQUEST_NULL && is(&status[i], i + 1, 10 * i);
        for (int k = 0; k < 10 * i; k++) bytes &= to[100 * i + k] == i + 1;
    }
    says(all, "the yes has each status, and frees all");
    says(bytes, "and the bytes are there");
}

static void persistent(void)
{
    MPI_Request r[2], before[2];
    MPI_Status status[2];
    char a[8], b[8];
    int flag, right = 1;
    MPI_Recv_init(a, 8, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Recv_init(b, 8, MPI_BYTE, 1, 2, MPI_COMM_WORLD, &r[1]);
    memcpy(before, r, sizeof r);
    for (int round = 0; round < 3; round++) {
        MPI_Startall(2, r);
        ask(1, 3 + round);
        MPI_Testall(2, r, &flag, status);
        right &= !flag;
        MPI_Testall(2, r, &flag, status);
        right &= !flag;
        ask(2, 2);
        MPI_Testall(2, r, &flag, status);
        right &= flag && is(&status[0], 1, 3 + round) && is(&status[1], 2, 2);
        right &= a[0] == 1 && b[0] == 2 && memcmp(before, r, sizeof r) == 0;
        memset(a, 0, sizeof a);
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
    says(right, "persistent ones stay, three times");
}

/* By other calls after a no. */
static void otherwise(int which)
{
    MPI_Request r[2];
    MPI_Status status[2] = {{0}};
    char a[8], b[8];
    int flag, index = -1, some = -1, indices[2], right;
    MPI_Irecv(a, 8, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(b, 8, MPI_BYTE, 1, 2, MPI_COMM_WORLD, &r[1]);
    ask(2, 5);
    MPI_Testall(2, r, &flag, status);
    right = !flag;
    switch (which) {
    case 0: MPI_Waitany(2, r, &index, status), right &= index == 1; break;
    case 1: MPI_Testany(2, r, &index, &flag, status), right &= flag && index == 1; break;
    case 2:
        MPI_Waitsome(2, r, &some, indices, status), right &= some == 1 && indices[0] == 1;
        break;
    case 3:
        MPI_Testsome(2, r, &some, indices, status), right &= some == 1 && indices[0] == 1;
        break;
    case 4: MPI_Wait(&r[1], status); break;
    default: MPI_Test(&r[1], &flag, status), right &= flag;
    }
    right &= is(&status[0], 2, 5) && b[0] == 2 && r[1] == MPI_REQUEST_NULL;
    right &= r[0] != MPI_REQUEST_NULL;
    ask(1, 4);
    MPI_Waitall(2, r, status);
    right &= is(&status[0], 1, 4) && a[0] == 1;
    static const char *const by[] = {"Waitany", "Testany", "Waitsome", "Testsome", "Wait", "Test"};
    char sentence[60];
    sprintf(sentence, "what a no found complete, MPI_%s completes", by[which]);
    says(right, sentence);
}

static void sends(void)
{
    MPI_Request r[2];
    char a[8] = {0}, b[8];
    int flag, right, self;
    MPI_Comm_rank(MPI_COMM_SELF, &self);
    MPI_Irecv(b, 8, MPI_BYTE, self, 7, MPI_COMM_SELF, &r[1]);
    MPI_Request out;
    MPI_Isend(a, 4, MPI_BYTE, self, 7, MPI_COMM_SELF, &out);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    /* one that is complete, and one that waits for its receive */
    r[0] = out;
    MPI_Issend(a, 4, MPI_BYTE, self, 8, MPI_COMM_SELF, &r[1]);
    double until = MPI_Wtime() + 1e-3;
    while (MPI_Wtime() < until) {
    }
    MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
    right = !flag && r[0] == out && r[0] != MPI_REQUEST_NULL && r[1] != MPI_REQUEST_NULL;
    says(right, "a no leaves requests of sends as they were");
    MPI_Recv(b, 8, MPI_BYTE, self, 8, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    says(r[0] == MPI_REQUEST_NULL && r[1] == MPI_REQUEST_NULL, "and they end");
}

/* Seconds of the tests, of which the last says yes. */
static double tests(char *to, int no_before)
{
    MPI_Request r[2];
    int flag;
    double before, took = 0;
    char small;
    MPI_Irecv(to, LARGE, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(&small, 1, MPI_BYTE, 1, 2, MPI_COMM_WORLD, &r[1]);
    ask(1, LARGE);
    before = MPI_Wtime();
    if (no_before) MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
    took = MPI_Wtime() - before;
    ask(2, 1);
    before = MPI_Wtime();
    MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
    return flag ? took + MPI_Wtime() - before : 0;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    static char private[400];
    char *shared;
    MPI_Win win;
    MPI_Win_allocate(LARGE, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &shared, &win);
    if (me == 1) serve();
    if (me == 0) {
        receives(private);
        receives(shared);
        persistent();
        for (int i = 0; i < 6; i++) otherwise(i);
        sends();
        tests(shared, 0);
        const double alone = tests(shared, 0), after = tests(shared, 1);
        printf("alone=%g\nafter=%g\n", alone, after);
        says(after > 0.9 * alone, "what comes by a no is paid by that or by the yes");
        ask(-1, 0);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return failed > 0;
}
