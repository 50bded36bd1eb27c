/* "Messages are nonovertaking: if a sender sends two messages in succession to the same
 * destination, and both match the same receive, then this operation cannot receive the second
 * message if the first one is still pending. If a receiver posts two receives in succession, and
 * both match the same message, then the second receive operation cannot be satisfied by this
 * message, if the first one is still pending." (MPI-3.1, 3.5)
 *
 * Messages of random lengths and of several datatypes, shorter and longer than what a machine sends
 * at once, between all ranks. Each byte of one holds its number and its sender. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 4, MESSAGES = 8, LONGEST = 24000, REQUESTS = 2 * RANKS * MESSAGES };
static unsigned char in[RANKS][MESSAGES][LONGEST], out[RANKS][MESSAGES][LONGEST];
static int bytes[MESSAGES], tag_of[MESSAGES], me, ranks, bad;
static MPI_Datatype type_of[MESSAGES];
static MPI_Request request[REQUESTS];
static int requests;

static int value(int message, int from) { return 1 + 16 * from + message; }

static int elements(int message, int length)
{
    int size;
    MPI_Type_size(type_of[message], &size);
    return length / size;
}

static void post_for(int message, int length, int tag)
{
    for (int other = 0; other < ranks; other++)
        if (other != me)
            MPI_Irecv(in[other][message], elements(message, length), type_of[message], other, tag,
                      MPI_COMM_WORLD, &request[requests++]);
}
static void post(int message, int tag) { post_for(message, LONGEST, tag); }
static void post_exactly(int message) { post_for(message, bytes[message], tag_of[message]); }

static void start(int message, int synchronous)
{
    for (int other = 0; other < ranks; other++) {
        if (other == me) continue;
        memset(out[other][message], value(message, me), bytes[message]);
        (synchronous ? MPI_Issend : MPI_Isend)(
            out[other][message], elements(message, bytes[message]), type_of[message], other,
            tag_of[message], MPI_COMM_WORLD, &request[requests++]);
    }
}

static void later(double seconds)
{
    const double begun = MPI_Wtime();
    while (MPI_Wtime() < begun + seconds) continue;
}

static void wait_and_look(const char *way)
{
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
    requests = 0;
    for (int other = 0; other < ranks; other++)
        for (int message = 0; other != me && message < MESSAGES; message++)
            for (int i = 0; i < bytes[message]; i += 61)
                if (in[other][message][i] != value(message, other)) {
                    printf("%s: rank %d, message %d of rank %d: byte %d is %d, not %d\n", way, me,
                           message, other, i, in[other][message][i], value(message, other));
                    bad++;
                    break;
                }
    memset(in, 0, sizeof in);
}

/* What a rank gets from any rank and with any tag, in turn, as it finds it first. */
static void receive_any(int probes)
{
    static unsigned char got[LONGEST];
    int next[RANKS] = {0};
    for (int k = 0; k < MESSAGES * (ranks - 1); k++) {
        MPI_Status status;
        int from = MPI_ANY_SOURCE, count, seen = MPI_ANY_TAG;
        if (probes) {
            MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            from = status.MPI_SOURCE, seen = status.MPI_TAG;
        }
        MPI_Recv(got, LONGEST, MPI_BYTE, from, seen, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        const int message = next[status.MPI_SOURCE]++;
        if (status.MPI_TAG != tag_of[message] || count != bytes[message] ||
            got[0] != value(message, status.MPI_SOURCE)) {
            printf("any: rank %d, from rank %d: got %d bytes with tag %d as message %d\n", me,
                   status.MPI_SOURCE, count, status.MPI_TAG, message);
            bad++;
        }
    }
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
    requests = 0;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    srand(argc > 1 ? atoi(argv[1]) : 1);
    for (int round = 0; round < 8; round++) {
        const int tags = round % 2 ? 1 : 3, synchronous = round % 4 == 3;
        for (int m = 0; m < MESSAGES; m++) {
            bytes[m] = rand() % 2 ? 1 + rand() % 1000 : rand() % LONGEST + 1;
            tag_of[m] = rand() % tags;
            type_of[m] = MPI_BYTE;
            if (round < 4) continue;
            bytes[m] = (bytes[m] + 7) / 8 * 8;
            type_of[m] = m % 3 == 0 ? MPI_DOUBLE : m % 3 == 1 ? MPI_INT : MPI_SHORT;
        }
        for (int m = 0; m < MESSAGES; m++) post_exactly(m);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int m = 0; m < MESSAGES; m++) start(m, synchronous && m % 2);
        wait_and_look("receives first");

        for (int m = 0; m < MESSAGES; m++) start(m, synchronous && m % 2);
        later(1e-3);
        for (int m = 0; m < MESSAGES; m++) post(m, tag_of[m]);
        wait_and_look("receives last");

        for (int m = 0; m < MESSAGES; m++) start(m, synchronous && m % 2);
        later(1e-3);
        for (int m = 0; m < MESSAGES; m++) post_exactly(m);
        wait_and_look("receives last, of the same length");

        for (int m = 0; m < MESSAGES; m++) {
            post(m, MPI_ANY_TAG);
            start(m, 0);
            if (rand() % 2) later(1e-5 * me);
        }
        wait_and_look("any tag, in between");

        for (int m = 0; m < MESSAGES; m++) start(m, 0);
        later(1e-3);
        for (int m = 0; m < MESSAGES; m++) post(m, MPI_ANY_TAG);
        wait_and_look("any tag, last");

        for (int m = 0; m < MESSAGES; m++) type_of[m] = MPI_BYTE;
        for (int probes = 0; probes < 2; probes++) {
            for (int m = 0; m < MESSAGES; m++) start(m, synchronous && m % 3 == 0);
            if (round % 3) later(1e-3);
            receive_any(probes);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    printf(bad ? "FAILED: rank %d, %d bad\n" : "ok: rank %d, %d bad\n", me, bad);
    MPI_Finalize();
    return bad != 0;
}
