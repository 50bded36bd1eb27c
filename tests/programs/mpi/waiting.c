/* Rank 1 waits for a message that rank 0 sends after 10 ms: in MPI_Probe, or by polls in a loop on
 * MPI_Iprobe, MPI_Test or MPI_Testall. Prints how long after it was sent it was seen, and the
 * number of polls. Further ranks wait inside MPI, or sleep if the second argument is "sleeping".
 * The third argument: doubles in the message. */
#define _DEFAULT_SOURCE /* usleep */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Something between two polls that memory takes its time for. */
static volatile int memory[1 << 20], sum;
static void work(int polls) { sum += memory[polls * 16 % (1 << 20)]; }

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    const char *how = argc > 1 ? argv[1] : "";
    int count = argc > 3 ? atoi(argv[3]) : 1;
    double *sent = calloc((size_t)count, sizeof *sent);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        usleep(10000);
        sent[0] = MPI_Wtime();
        MPI_Send(sent, count, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Status status;
        MPI_Request request;
        int there = 0, polls = 0;
        int all = strcmp(how, "all") == 0, tests = all || strcmp(how, "tests") == 0;
        if (tests) {
            MPI_Irecv(sent, count, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, &request);
            for (; !there && !all; work(polls++)) MPI_Test(&request, &there, MPI_STATUS_IGNORE);
            for (; !there; work(polls++)) MPI_Testall(1, &request, &there, MPI_STATUSES_IGNORE);
        } else if (*how) {
            for (; !there; work(polls++))
                MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &there, &status);
        } else {
            MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
        }
        double seen = MPI_Wtime();
        if (!tests) MPI_Recv(sent, count, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%.9g %d\n", seen - sent[0], polls);
    } else if (argc > 2 && strcmp(argv[2], "sleeping") == 0) {
        usleep(20000);
    }
    free(sent);
    MPI_Finalize();
    return 0;
}
