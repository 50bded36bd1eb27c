/* An agent of the first kind: it waits in PROBE, and services what was asked with an ACCEPT or an
 * OFFER. */
#include "agent.h"

static void agent(long *window[], MPI_Aint bytes)
{
    for (;;) {
        MPI_Status status;
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        int tag = status.MPI_TAG;
        if (status.MPI_OP == MPI_SEND_PROBED) {
            MPI_Recv(NULL, 0, MPI_INT, status.MPI_SOURCE, END, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            return;
        }
        if (status.MPI_OP == MPI_PUT_PROBED || status.MPI_OP == MPI_PUTHOLD_PROBED)
            PA_Accept(window[tag - 1], bytes, sizeof **window, tag, MPI_COMM_WORLD, 1);
        else
            PA_Offer(window[tag - 1], bytes, sizeof **window, tag, MPI_COMM_WORLD, 1);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm clients;
    MPI_Init(&argc, &argv);
    int wrong = usage("agent_probe", argc, argv) ? 2 : 0;
    if (!wrong) {
        MPI_Comm_split(MPI_COMM_WORLD, rank == AGENT, rank, &clients);
        if (rank == AGENT) {
            long *window[WINDOWS];
            MPI_Aint bytes = (MPI_Aint)(ranks - 1) * per_client() * (MPI_Aint)sizeof **window;
            for (int i = 0; i < WINDOWS; i++) PA_Rma_malloc(&window[i], bytes);
            agent(window, bytes);
            for (int i = 0; i < WINDOWS; i++) PA_Rma_free(window[i]);
        } else
            wrong = client(clients, "agent_probe") != 0;
        MPI_Comm_free(&clients);
    }
    MPI_Finalize();
    return wrong;
}
