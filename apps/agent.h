/* What the agents' programs share: the clients. Rank 0 is the agent; it holds an array that the
 * others use together, although no two of them could reach each other's memory (D. C. DiNucci,
 * "3rd-party comm in PUT/ACCEPT proposal using custom agents", 1996).
 *
 * Each client puts its cells in pieces (holds, and a PUT at last), gets its neighbour's when all
 * have put, and compares. */
#ifndef AGENT_H
#define AGENT_H

#include <put_accept.h>
#include <sidewinder.h>
#include <stdio.h>
#include <stdlib.h>

/* tags 1 to WINDOWS are windows; END is the control message */
enum { AGENT, END = 1000, WINDOWS = 5 };

static int rank, ranks, rounds = 4, holds = 2, cells = 64;
static double gap = 20000; /* cycles of computation between two requests */

/* A client's cells of one window: (holds + 1) pieces. */
static int per_client(void) { return (holds + 1) * cells; }

static int usage(const char *name, int argc, char **argv)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 1) rounds = atoi(argv[1]);
    if (argc > 2) holds = atoi(argv[2]);
    if (argc > 3) cells = atoi(argv[3]);
    if (argc > 4) gap = atof(argv[4]);
    if (argc <= 5 && rounds > 0 && holds >= 0 && cells > 0 && gap >= 0 && ranks > 1) return 0;
    if (rank == 0)
        fprintf(stderr,
                "usage: %s [rounds, 4] [holds before a put, 2] [cells a piece, 64] [cycles "
                "between, 20000], 2 ranks or more\n",
                name);
    return 1;
}

static long value(int client, int round, int i) { return 1000000L * client + 10000L * round + i; }

/* A round of one client; adds its seconds to what was spent. Returns how many cells were wrong. */
static int round_of_client(int round, MPI_Comm clients, long *mine, long *theirs, double *put_s,
                           double *get_s)
{
    int client = rank - 1, others = ranks - 1, neighbour = (client + 1) % others, wrong = 0,
        tag = 1 + round % WINDOWS;
    for (int i = 0; i < per_client(); i++) mine[i] = value(client, round, i), theirs[i] = -1;
    double start = MPI_Wtime();
    for (int k = 0; k <= holds; k++) {
        int at = client * per_client() + k * cells;
        if (k) sw_compute(gap);
        if (k < holds)
            PA_Puthold(mine + k * cells, cells, MPI_LONG, AGENT, at, cells, MPI_LONG, tag,
                       MPI_COMM_WORLD);
        else
            PA_Put(mine + k * cells, cells, MPI_LONG, AGENT, at, cells, MPI_LONG, tag,
                   MPI_COMM_WORLD);
    }
    PA_Accept(NULL, 0, 1, tag, MPI_COMM_WORLD, 0); /* until they are all there */
    *put_s += MPI_Wtime() - start;
    MPI_Barrier(clients);
    start = MPI_Wtime();
    for (int k = 0; k <= holds; k++) {
        int at = neighbour * per_client() + k * cells;
        if (k) sw_compute(gap);
        if (k < holds)
            PA_Gethold(theirs + k * cells, cells, MPI_LONG, AGENT, at, cells, MPI_LONG, tag,
                       MPI_COMM_WORLD);
        else
            PA_Get(theirs + k * cells, cells, MPI_LONG, AGENT, at, cells, MPI_LONG, tag,
                   MPI_COMM_WORLD);
    }
    PA_Offer(NULL, 0, 1, tag, MPI_COMM_WORLD, 0);
    *get_s += MPI_Wtime() - start;
    for (int i = 0; i < per_client(); i++) wrong += theirs[i] != value(neighbour, round, i);
    MPI_Barrier(clients);
    return wrong;
}

/* Everything a client does; the first one ends the agent. Returns how many cells
 * were wrong at all clients. */
static int client(MPI_Comm clients, const char *name)
{
    long *mine = malloc((size_t)per_client() * sizeof *mine),
         *theirs = malloc((size_t)per_client() * sizeof *theirs);
    double put_s = 0, get_s = 0, pause = MPI_Wtime();
    sw_compute(gap * holds);
    pause = MPI_Wtime() - pause;
    int wrong = 0, all;
    for (int round = 0; round < rounds; round++)
        wrong += round_of_client(round, clients, mine, theirs, &put_s, &get_s);
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, clients);
    if (rank == 1) {
        printf("%s: %d clients, %d holds of %d cells before each: put %.3f us, get %.3f us beside "
               "the computation: %s\n",
               name, ranks - 1, holds, cells, (put_s / rounds - pause) * 1e6,
               (get_s / rounds - pause) * 1e6, all ? "WRONG" : "ok");
        MPI_Send(NULL, 0, MPI_INT, AGENT, END, MPI_COMM_WORLD);
    }
    free(mine);
    free(theirs);
    return all;
}

#endif
