/* PUT/ACCEPT's requests among ordinary ones: "The operation Iop will always complete ... the
 * combination of the Iop and the WAIT or TEST will have identical semantics to an op operation with
 * the same arguments". And PROBE. Written in the proposal's spelling. */
#include <mpi.h>

#include "check.h"
#include "sidewinder.h"

enum { CELLS = 512 };
static long memory[CELLS], buffer[CELLS];
#define WORLD MPI_COMM_WORLD
#define RANGE memory, sizeof memory, sizeof *memory

static void fresh(void)
{
    for (int i = 0; i < CELLS; i++) memory[i] = -1, buffer[i] = 1000L * (check_rank + 1) + i;
    MPI_Barrier(WORLD);
}

static void put(int target, int disp, int tag)
{
    MPI_Put(buffer + disp, 1, MPI_LONG, target, disp, 1, MPI_LONG, tag, WORLD);
}
static void wait_own(int tag) { MPI_Accept(NULL, 0, 1, tag, WORLD, 0); }

static void wait_and_test(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    int flag = 1, spins = 0;
    fresh();
    if (check_rank == 1) {
        MPI_Iaccept(RANGE, 1, WORLD, 1, &request);
        MPI_Test(&request, &flag, &status);
    }
    check(check_rank != 1 || (!flag && request != MPI_REQUEST_NULL),
          "a TEST of an IACCEPT that nobody has put to says \"not completed\"");
    if (check_rank == 0) put(1, 3, 1), wait_own(1);
    if (check_rank == 1) MPI_Wait(&request, &status);
    check(check_rank != 1 || (request == MPI_REQUEST_NULL && memory[3] == 1003),
          "IACCEPT and WAIT are an ACCEPT");
    fresh();
    if (check_rank == 0) sw_compute(1e6), put(1, 4, 1), wait_own(1);
    if (check_rank == 1) {
        MPI_Iavail(RANGE, 1, WORLD, &request);
        for (flag = 0; !flag; spins++) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    check(check_rank != 1 || (spins > 1 && memory[4] == 1004),
          "so are IAVAIL and a TEST that returns \"completed\"");
    fresh();
    if (check_rank == 0) put(1, 5, 1), wait_own(1);
    if (check_rank == 1) {
        MPI_Iaccept(RANGE, 1, WORLD, 1, &request);
        for (flag = 0; !flag;) MPI_Request_get_status(request, &flag, &status);
        MPI_Wait(&request, &status);
    }
    check(check_rank != 1 || memory[5] == 1005, "MPI_Request_get_status reports it");
}

static void mixed(void)
{
    MPI_Request request[4];
    MPI_Status status[4];
    int index, flag, n, indices[4];
    long word = 0;
    fresh();
    if (check_rank == 1) {
        int order[3], first[3];
        MPI_Irecv(&word, 1, MPI_LONG, 0, 7, WORLD, &request[0]);
        MPI_Iaccept(memory, 64 * sizeof *memory, sizeof *memory, 1, WORLD, 1, &request[1]);
        MPI_Ioffer(memory + 64, 64 * sizeof *memory, sizeof *memory, 2, WORLD, 1, &request[2]);
        for (int i = 0; i < 3; i++) {
            MPI_Waitany(3, request, &index, status);
            order[i] = index;
            first[i] = request[index] == MPI_REQUEST_NULL;
        }
        flag = order[0] == 2 && order[1] == 0 && order[2] == 1 && first[0] && first[1] &&
               first[2] && word == 1000;
    }
    if (check_rank == 0) {
        sw_compute(1e5);
        MPI_Get(buffer + 100, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 2, WORLD);
        sw_compute(1e6);
        MPI_Send(buffer, 1, MPI_LONG, 1, 7, WORLD);
        sw_compute(1e6);
        put(1, 9, 1);
        wait_own(1);
        MPI_Offer(NULL, 0, 1, 2, WORLD, 0);
    }
    check(check_rank != 1 || (flag && memory[9] == 1009),
          "WAITANY on a receive, an IACCEPT and an IOFFER says which came");

    fresh();
    if (check_rank == 1) {
        MPI_Irecv(&word, 1, MPI_LONG, 0, 7, WORLD, &request[0]);
        MPI_Iaccept(memory, 64 * sizeof *memory, sizeof *memory, 1, WORLD, 2, &request[1]);
        MPI_Iavail(memory + 64, 64 * sizeof *memory, sizeof *memory, 2, WORLD, &request[2]);
        request[3] = MPI_REQUEST_NULL;
        MPI_Testall(4, request, &flag, status);
        n = flag;
        MPI_Testany(4, request, &index, &flag, status);
        n += flag;
        MPI_Testsome(4, request, &index, indices, status);
        n += index;
    } else
        n = 0;
    check(n == 0, "TESTALL, TESTANY and TESTSOME find nothing before anybody puts");
    if (check_rank == 0) {
        MPI_Send(buffer + 1, 1, MPI_LONG, 1, 7, WORLD);
        put(1, 1, 1), put(1, 2, 1), put(1, 3, 2);
        wait_own(1), wait_own(2);
    }
    if (check_rank == 1) MPI_Waitall(4, request, status);
    check(check_rank != 1 ||
              (word == 1001 && memory[1] == 1001 && memory[2] == 1002 && memory[67] == 1003),
          "WAITALL on all three");
    fresh();
    if (check_rank == 1) {
        MPI_Irecv(&word, 1, MPI_LONG, 0, 7, WORLD, &request[0]);
        MPI_Iaccept(RANGE, 1, WORLD, 1, &request[1]);
        for (int left = 2; left > 0; left -= n) MPI_Waitsome(2, request, &n, indices, status);
    }
    if (check_rank == 0) put(1, 5, 1), wait_own(1), MPI_Send(buffer + 5, 1, MPI_LONG, 1, 7, WORLD);
    check(check_rank != 1 || (word == 1005 && memory[5] == 1005), "WAITSOME until nothing is left");
    MPI_Request collective;
    fresh();
    MPI_Putc(buffer, 1, MPI_LONG, (check_rank + 1) % check_ranks, 0, 1, MPI_LONG, 3, WORLD);
    MPI_Iacceptc(RANGE, 3, WORLD, &collective);
    MPI_Test(&collective, &flag, MPI_STATUS_IGNORE);
    n = flag;
    MPI_Wait(&collective, MPI_STATUS_IGNORE);
    check(!n && memory[0] == 1000L * ((check_rank + check_ranks - 1) % check_ranks + 1),
          "\"TEST is free to always return notcompleted for any request returned by an IACCEPTC\"; "
          "WAIT completes it");
}

/* Each has the others' word that they will wait for theirs, sooner or later. */
static void orders(void)
{
    MPI_Request request[2];
    int next = (check_rank + 1) % check_ranks, first = check_rank % 2, good;
    long before = 1000L * ((check_rank + check_ranks - 1) % check_ranks + 1);
    fresh();
    for (int i = 0; i < 2; i++)
        MPI_Putc(buffer + i, 1, MPI_LONG, next, i, 1, MPI_LONG, 4 + i, WORLD);
    for (int i = 0; i < 2; i++)
        MPI_Iacceptc(memory + 8 * i, 8 * sizeof *memory, sizeof *memory, 4 + i, WORLD, &request[i]);
    MPI_Wait(&request[first], MPI_STATUS_IGNORE);
    MPI_Wait(&request[1 - first], MPI_STATUS_IGNORE);
    good = memory[0] == before && memory[9] == before + 1;
    check(good, "two IACCEPTC that the processes wait for in different orders");
    fresh();
    for (int i = 0; i < 2; i++)
        MPI_Iacceptc(memory + 8 * i, 8 * sizeof *memory, sizeof *memory, 4 + i, WORLD, &request[i]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Putc(buffer, 1, MPI_LONG, next, 0, 1, MPI_LONG, 5, WORLD);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    check(memory[8] == before, "a PUTC between the WAIT for another and that for its own");
}

/* MPI-1 3.7.5: "A null handle or an inactive persistent request" counts for nothing in an array. */
static void inactive(void)
{
    MPI_Request request[2];
    long word = 0;
    int index[2] = {-1, -1}, flag = 1, n = -1, found = 0;
    fresh();
    if (check_rank == 0) MPI_Send(buffer, 1, MPI_LONG, 1, 7, WORLD);
    if (check_rank == 1) {
        MPI_Recv_init(&word, 1, MPI_LONG, 0, 7, WORLD, &request[0]);
        MPI_Iaccept(RANGE, 1, WORLD, 1, &request[1]);
        MPI_Start(&request[0]);
        MPI_Waitany(2, request, &index[0], MPI_STATUS_IGNORE);
        MPI_Testany(2, request, &index[1], &flag, MPI_STATUS_IGNORE);
        MPI_Testsome(2, request, &n, &found, MPI_STATUSES_IGNORE);
        flag |= index[0] != 0 || request[0] == MPI_REQUEST_NULL || word != 1000 ||
                index[1] != MPI_UNDEFINED || n != 0;
    }
    check(check_rank != 1 || !flag, "TEST of an IACCEPT that nobody has put to beside \"an "
                                    "inactive persistent request\" says \"not completed\"");
    if (check_rank == 0) sw_compute(1e6), put(1, 6, 1), wait_own(1);
    if (check_rank == 1) {
        MPI_Waitany(2, request, &index[0], MPI_STATUS_IGNORE);
        flag = index[0] == 1 && memory[6] == 1006 && request[1] == MPI_REQUEST_NULL;
        MPI_Iaccept(RANGE, 1, WORLD, 1, &request[1]);
    }
    MPI_Barrier(WORLD);
    if (check_rank == 0) sw_compute(1e6), put(1, 7, 1), wait_own(1);
    if (check_rank == 1) {
        MPI_Waitsome(2, request, &n, index, MPI_STATUSES_IGNORE);
        flag &= n == 1 && index[0] == 1 && memory[7] == 1007;
        MPI_Request_free(&request[0]);
    }
    check(check_rank != 1 || flag, "and WAITANY and WAITSOME wait for it");
}

static void cancel_and_free(void)
{
    MPI_Request request;
    MPI_Status status;
    int cancelled = 0;
    fresh();
    if (check_rank == 1) {
        MPI_Iavail(RANGE, 1, WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
    }
    MPI_Barrier(WORLD);
    if (check_rank == 0) put(1, 0, 1), wait_own(1);
    if (check_rank == 1) MPI_Accept(RANGE, 1, WORLD, 1);
    check(check_rank != 1 || (cancelled && memory[0] == 1000),
          "a cancelled IAVAIL takes nothing; the next servicer does");
    fresh();
    if (check_rank == 1) {
        MPI_Iaccept(RANGE, 1, WORLD, 1, &request);
        MPI_Request_free(&request);
    }
    if (check_rank == 0) put(1, 1, 1), wait_own(1);
    MPI_Barrier(WORLD);
    check(check_rank != 1 || memory[1] == 1001, "a freed IACCEPT goes on by itself");
}

static void probing(void)
{
    MPI_Status status;
    int flag = 0, count = 0, right = 1;
    fresh();
    if (check_rank == 0) {
        sw_compute(1e5);
        MPI_Puthold(buffer, 3, MPI_LONG, 1, 0, 3, MPI_LONG, 11, WORLD);
        put(1, 5, 11);
        wait_own(11);
        MPI_Gethold(buffer, 2, MPI_LONG, 1, 0, 2, MPI_LONG, 12, WORLD);
        MPI_Get(buffer, 2, MPI_LONG, 1, 0, 2, MPI_LONG, 12, WORLD);
        MPI_Offer(NULL, 0, 1, 12, WORLD, 0);
        MPI_Send(buffer, 4, MPI_LONG, 1, 13, WORLD);
    }
    if (check_rank == 1) {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &status);
        MPI_Get_count(&status, MPI_LONG, &count);
        right &= status.MPI_SOURCE == 0 && status.MPI_TAG == 11 &&
                 status.MPI_OP == MPI_PUTHOLD_PROBED && count == 3;
        MPI_Accept(RANGE, 11, WORLD, 1);
        MPI_Probe(0, 12, WORLD, &status);
        MPI_Get_count(&status, MPI_LONG, &count);
        right &= status.MPI_OP == MPI_GETHOLD_PROBED && count == 2;
        MPI_Offer(RANGE, 12, WORLD, 1);
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &status);
        MPI_Get_count(&status, MPI_LONG, &count);
        right &= status.MPI_OP == MPI_SEND_PROBED && status.MPI_TAG == 13 && count == 4;
        MPI_Recv(memory, 4, MPI_LONG, 0, 13, WORLD, &status);
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &flag, &status);
    }
    check(right && !flag,
          "PROBE sees messages and requests; MPI_OP says what, MPI_Get_count how many elements");
    if (check_rank == 0) put(1, 6, 14);
    while (check_rank == 1 && !flag) MPI_Iprobe(0, 14, WORLD, &flag, &status);
    if (check_rank == 1) MPI_Accept(RANGE, 14, WORLD, 1);
    if (check_rank == 0) wait_own(14);
    check(check_rank != 1 || (status.MPI_OP == MPI_PUT_PROBED && memory[6] == 1006),
          "and so does IPROBE");
}

/* Messages and requests that wait together are found in order of arrival, whoever sent them; the
 * tag tells which was which. */
static void arrival(void)
{
    MPI_Status status;
    MPI_Request receive;
    int seen[4], right = 1, flag;
    long word;
    for (int round = 0; round < 6; round++) {
        /* a request first, or a message */
        const int turn = round % 2, other = check_ranks - 1;
        fresh();
        if (check_rank == 0) {
            for (int i = 0; i < 2; i++, sw_compute(1e5))
                if (i == turn)
                    put(1, i, 20 + i);
                else
                    MPI_Send(buffer, i, MPI_LONG, 1, 20 + i, WORLD);
        }
        if (check_rank == other) {
            sw_compute(1e6);
            if (turn)
                MPI_Send(buffer, 0, MPI_LONG, 1, 22, WORLD);
            else
                put(1, 2, 22);
            sw_compute(1e5);
            if (turn)
                put(1, 3, 23);
            else
                MPI_Send(buffer, 1, MPI_LONG, 1, 23, WORLD);
        }
        if (check_rank == 1) {
            sw_compute(3e6);
            for (int i = 0; i < 4; i++) {
                if (round < 3)
                    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &status);
                else
                    for (flag = 0; !flag;)
                        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &flag, &status);
                seen[i] = status.MPI_TAG;
                if (status.MPI_OP == MPI_PUT_PROBED)
                    MPI_Accept(RANGE, status.MPI_TAG, WORLD, 1);
                else if (i % 2)
                    MPI_Recv(&word, 1, MPI_LONG, status.MPI_SOURCE, status.MPI_TAG, WORLD, &status);
                else {
                    MPI_Irecv(&word, status.MPI_TAG % 2, MPI_LONG, status.MPI_SOURCE,
                              status.MPI_TAG, WORLD, &receive);
                    MPI_Wait(&receive, MPI_STATUS_IGNORE);
                }
                right &= seen[i] == 20 + i;
            }
        }
        for (int tag = 20; tag < 24; tag++) wait_own(tag);
    }
    check(right, "messages and requests that wait together are reported in order of arrival");
    fresh();
    /* the message is looked for seldom after such a wait; the request wakes the rank at once */
    if (check_rank == 1) {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &status);
        right = status.MPI_OP == MPI_SEND_PROBED && status.MPI_TAG == 24;
        MPI_Recv(&word, 1, MPI_LONG, 0, 24, WORLD, &status);
        MPI_Accept(RANGE, 25, WORLD, 1);
    }
    if (check_rank == 0) {
        sw_compute(1e8);
        MPI_Send(buffer, 1, MPI_LONG, 1, 24, WORLD);
        sw_compute(1e5);
        put(1, 0, 25);
        wait_own(25);
    }
    check(right, "even after a long wait");
}

/* "whether a GET, PUT, GETHOLD, PUTHOLD, or SEND is in the queue": what one process sends stands
 * there in the order in which it sent it, however large each is and whichever way it travels; there
 * already, or still on its way. */
static void one_queue(void)
{
    static const int op[7] = {MPI_PUT_PROBED,
                              MPI_SEND_PROBED,
                              MPI_GETHOLD_PROBED,
                              0,
                              MPI_SEND_PROBED,
                              MPI_PUTHOLD_PROBED,
                              0};
    static const int tag[7] = {30, 31, 32, 32, 33, 34, 34};
    MPI_Request sends[2];
    MPI_Status status;
    int right = 1;
    for (int round = 0; round < 4; round++) {
        const int large = round % 2 ? 200 : 2;
        fresh();
        if (check_rank == 0) {
            MPI_Put(buffer, large, MPI_LONG, 1, 0, large, MPI_LONG, 30, WORLD);
            MPI_Isend(buffer + 500, 1, MPI_LONG, 1, 31, WORLD, &sends[0]);
            MPI_Gethold(buffer + 200, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 32, WORLD);
            MPI_Get(buffer + 201, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 32, WORLD);
            MPI_Isend(buffer + 501, 0, MPI_LONG, 1, 33, WORLD, &sends[1]);
            MPI_Puthold(buffer + 210, large, MPI_LONG, 1, 0, large, MPI_LONG, 34, WORLD);
            MPI_Put(buffer + 450, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 34, WORLD);
        }
        if (round < 2) MPI_Barrier(WORLD);
        for (int i = 0; check_rank == 1 && i < 7; i++) {
            MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &status);
            right &= status.MPI_OP == op[i] && status.MPI_TAG == tag[i];
            /* the servicer takes the hold and what is behind it */
            if (tag[i] == 32 || tag[i] == 34) i++;
            if (status.MPI_OP == MPI_SEND_PROBED)
                MPI_Recv(memory, 1, MPI_LONG, 0, status.MPI_TAG, WORLD, MPI_STATUS_IGNORE);
            else if (status.MPI_OP == MPI_GETHOLD_PROBED)
                MPI_Offer(RANGE, status.MPI_TAG, WORLD, 1);
            else
                MPI_Accept(RANGE, status.MPI_TAG, WORLD, 1);
        }
        wait_own(30), wait_own(34);
        MPI_Offer(NULL, 0, 1, 32, WORLD, 0);
        if (check_rank == 0) MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
    }
    check(right,
          "one process's requests and messages are found in the order in which it sent them");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    wait_and_test();
    mixed();
    inactive();
    orders();
    cancel_and_free();
    probing();
    arrival();
    one_queue();
    return check_end();
}
