/* An agent with two buffers: "where, in each iteration, old values are read and new values are
 * created in a similar (but separate) array, double buffering can be used, with an ACCEPT running
 * on the new buffer and OFFER running on the old". Rank 0 is the agent; each client owns a cell and
 * replaces it, iteration by iteration, by the sum of its neighbours' old values modulo a prime. */
#include <put_accept.h>
#include <stdio.h>
#include <stdlib.h>

enum { AGENT, END = 1, PRIME = 10007 };
static int rank, ranks, iterations = 10;

/* Servicers of iteration i: new values by tag 2i + 2, old ones by tag 2i + 3. */
static void agent(void)
{
    int clients = ranks - 1, open[2] = {0, 0}, index;
    MPI_Aint bytes = clients * (MPI_Aint)sizeof(long);
    long *buffer[2];
    MPI_Request request[3];
    for (int b = 0; b < 2; b++) PA_Rma_malloc(&buffer[b], bytes);
    for (int c = 0; c < clients; c++) buffer[0][c] = c + 1;
    MPI_Irecv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, END, MPI_COMM_WORLD, &request[2]);
    for (int i = 0;; i++) {
        PA_Iaccept(buffer[1 - i % 2], bytes, sizeof(long), 2 * i + 2, MPI_COMM_WORLD, clients,
                   &request[0]);
        PA_Ioffer(buffer[i % 2], bytes, sizeof(long), 2 * i + 3, MPI_COMM_WORLD, clients,
                  &request[1]);
        for (open[0] = open[1] = 1; open[0] || open[1]; open[index] = 0) {
            MPI_Waitany(3, request, &index, MPI_STATUS_IGNORE);
            if (index == 2) break;
        }
        if (index == 2) break;
    }
    for (int b = 0; b < 2; b++)
        if (request[b] != MPI_REQUEST_NULL) MPI_Cancel(&request[b]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    for (int b = 0; b < 2; b++) PA_Rma_free(buffer[b]);
}

static long step(long left, long right) { return (left + 3 * right) % PRIME; }

static int client(MPI_Comm others)
{
    int clients = ranks - 1, me = rank - 1, left = (me + clients - 1) % clients,
        right = (me + 1) % clients;
    for (int i = 0; i < iterations; i++) {
        long a, b, sum;
        PA_Gethold(&a, 1, MPI_LONG, AGENT, left, 1, MPI_LONG, 2 * i + 3, MPI_COMM_WORLD);
        PA_Get(&b, 1, MPI_LONG, AGENT, right, 1, MPI_LONG, 2 * i + 3, MPI_COMM_WORLD);
        PA_Offer(NULL, 0, 1, 2 * i + 3, MPI_COMM_WORLD, 0);
        sum = step(a, b);
        PA_Put(&sum, 1, MPI_LONG, AGENT, me, 1, MPI_LONG, 2 * i + 2, MPI_COMM_WORLD);
        PA_Accept(NULL, 0, 1, 2 * i + 2, MPI_COMM_WORLD, 0);
    }
    /* what it must be: the last iteration's cell, read back through the agent's next OFFER */
    long found, *cell = malloc((size_t)clients * sizeof *cell),
                *next = malloc((size_t)clients * sizeof *next);
    for (int c = 0; c < clients; c++) cell[c] = c + 1;
    for (int i = 0; i < iterations; i++) {
        for (int c = 0; c < clients; c++)
            next[c] = step(cell[(c + clients - 1) % clients], cell[(c + 1) % clients]);
        for (int c = 0; c < clients; c++) cell[c] = next[c];
    }
    PA_Get(&found, 1, MPI_LONG, AGENT, me, 1, MPI_LONG, 2 * iterations + 3, MPI_COMM_WORLD);
    PA_Offer(NULL, 0, 1, 2 * iterations + 3, MPI_COMM_WORLD, 0);
    int wrong = found != cell[me], all;
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, others);
    if (rank == 1) {
        printf("agent_buffers: %d iterations of %d clients: %s\n", iterations, clients,
               all ? "WRONG" : "ok");
        MPI_Send(NULL, 0, MPI_INT, AGENT, END, MPI_COMM_WORLD);
    }
    free(cell);
    free(next);
    return all != 0;
}

int main(int argc, char **argv)
{
    MPI_Comm others;
    int wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 1) iterations = atoi(argv[1]);
    if (argc > 2 || iterations < 1 || ranks < 2) {
        if (rank == 0) fprintf(stderr, "usage: agent_buffers [iterations, 10], 2 ranks or more\n");
        wrong = 2;
    } else {
        MPI_Comm_split(MPI_COMM_WORLD, rank == AGENT, rank, &others);
        if (rank == AGENT)
            agent();
        else
            wrong = client(others);
        MPI_Comm_free(&others);
    }
    MPI_Finalize();
    return wrong;
}
