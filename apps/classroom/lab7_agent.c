/* Lab 7: build an agent. PUT/ACCEPT moves data between two processes that both take part. Here two
 * clients share an array that neither owns: rank 0, the agent, keeps it, and AVAIL serves every
 * client that comes, a PUT or a GET (D. C. DiNucci, 1996). */
#include <put_accept.h>
#include <stdio.h>

enum { AGENT, ARRAY = 1, END = 2, CELLS = 8 }; /* a rank; two tags; a length */

static void agent(void)
{
    long *array;
    MPI_Request request[2];
    int which, served = 0;
    PA_Rma_malloc(&array, CELLS * sizeof *array);
    MPI_Irecv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, END, MPI_COMM_WORLD, &request[1]);
    for (;;) {
        PA_Iavail(array, CELLS * sizeof *array, sizeof *array, ARRAY, MPI_COMM_WORLD, &request[0]);
        MPI_Waitany(2, request, &which, MPI_STATUS_IGNORE);
        if (which == 1) break;
        served++;
    }
    MPI_Cancel(&request[0]); /* no request can come any more */
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    printf("the agent serviced %d requests\n", served);
    PA_Rma_free(array);
}

static void put(long value, int at)
{
    PA_Put(&value, 1, MPI_LONG, AGENT, at, 1, MPI_LONG, ARRAY, MPI_COMM_WORLD);
    /* ACCEPT of nothing: wait until my own puts are there */
    PA_Accept(NULL, 0, 1, ARRAY, MPI_COMM_WORLD, 0);
}

static long get(int at)
{
    long value = -1;
    PA_Get(&value, 1, MPI_LONG, AGENT, at, 1, MPI_LONG, ARRAY, MPI_COMM_WORLD);
    /* OFFER of nothing: wait until my own gets are here */
    PA_Offer(NULL, 0, 1, ARRAY, MPI_COMM_WORLD, 0);
    return value;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm clients;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == AGENT, rank, &clients);
    if (rank == AGENT)
        agent();
    else {
        double start = MPI_Wtime();
        put(100 + rank, rank);
        printf("rank %d: a put through the agent took %.1f us\n", rank,
               (MPI_Wtime() - start) * 1e6);
        MPI_Barrier(clients);
        int neighbour = rank == 1 ? 2 : 1;
        printf("rank %d finds %ld in rank %d's cell\n", rank, get(neighbour), neighbour);
        MPI_Barrier(clients);
        if (rank == 1) MPI_Send(NULL, 0, MPI_INT, AGENT, END, MPI_COMM_WORLD);
    }
    MPI_Comm_free(&clients);
    MPI_Finalize();
    return 0;
}
