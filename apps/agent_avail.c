/* An agent of the second kind: an IAVAIL runs on each of its windows all the time, and is begun
 * again when it has serviced a PUT or a GET. "With such an agent running, clients on shared-memory
 * systems may be able to move bits to and from the agent's memory immediately". */
#include "agent.h"

static void agent(long *window[], MPI_Aint bytes)
{
    MPI_Request request[WINDOWS + 1];
    for (int i = 0; i < WINDOWS; i++)
        PA_Iavail(window[i], bytes, sizeof **window, i + 1, MPI_COMM_WORLD, &request[i]);
    MPI_Irecv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, END, MPI_COMM_WORLD, &request[WINDOWS]);
    for (;;) {
        int index;
        MPI_Waitany(WINDOWS + 1, request, &index, MPI_STATUS_IGNORE);
        if (index == WINDOWS) break;
        PA_Iavail(window[index], bytes, sizeof **window, index + 1, MPI_COMM_WORLD,
                  &request[index]);
    }
    for (int i = 0; i < WINDOWS; i++) MPI_Cancel(&request[i]);
    MPI_Waitall(WINDOWS, request, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Comm clients;
    MPI_Init(&argc, &argv);
    int wrong = usage("agent_avail", argc, argv) ? 2 : 0;
    if (!wrong) {
        MPI_Comm_split(MPI_COMM_WORLD, rank == AGENT, rank, &clients);
        if (rank == AGENT) {
            long *window[WINDOWS];
            MPI_Aint bytes = (MPI_Aint)(ranks - 1) * per_client() * (MPI_Aint)sizeof **window;
            for (int i = 0; i < WINDOWS; i++) PA_Rma_malloc(&window[i], bytes);
            agent(window, bytes);
            for (int i = 0; i < WINDOWS; i++) PA_Rma_free(window[i]);
        } else
            wrong = client(clients, "agent_avail") != 0;
        MPI_Comm_free(&clients);
    }
    MPI_Finalize();
    return wrong;
}
