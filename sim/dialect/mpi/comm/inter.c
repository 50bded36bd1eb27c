/* Which communicators are intercommunicators, messages on them, and the calls that are refused. */
#include "dialect/mpi/comm/comm.h"

static int alive; /* of all ranks: most programs have none */

struct dialect_inter *dialect_inter_of(struct world_rank *rank, MPI_Comm comm)
{
    GHashTable *comms = alive > 0 && rank ? dialect_rank(rank)->comms : NULL;
    const struct dialect_comm *known = comms ? g_hash_table_lookup(comms, comm) : NULL;
    return known ? known->inter : NULL;
}

MPI_Comm dialect_bridge(struct world_rank *rank, MPI_Comm comm)
{
    const struct dialect_inter *inter = dialect_inter_of(rank, comm);
    return inter ? inter->bridge : comm;
}

bool dialect_inter_refuses(struct world_rank *rank, MPI_Comm comm, const char *call, int *code)
{
    if (!dialect_inter_of(rank, comm)) return false;
    *code = dialect_error(rank, MPI_COMM_NULL, call, MPI_ERR_COMM,
                          "this call is not simulated on an intercommunicator");
    world_leave(rank);
    return true;
}

static bool shifted(const struct dialect_inter *inter, int *peer)
{
    if (!peer || *peer == MPI_PROC_NULL || *peer == MPI_ANY_SOURCE) return true;
    if (*peer < 0 || *peer >= inter->remote_members) return false;
    *peer += inter->first;
    return true;
}

int dialect_across(struct world_rank *rank, MPI_Comm *comm, const char *call, int *target,
                   int *source, int *code)
{
    const struct dialect_inter *inter = dialect_inter_of(rank, *comm);
    if (!inter) return 0;
    if (!shifted(inter, target) || !shifted(inter, source)) {
        *code = dialect_error(rank, *comm, call, MPI_ERR_RANK,
                              "that is no rank of the remote group, which has %d",
                              inter->remote_members);
        world_leave(rank);
        return -1;
    }
    *comm = inter->bridge;
    return inter->first;
}

void dialect_inter_keep(struct dialect_comm *comm, struct dialect_inter *inter)
{
    comm->inter = inter;
    alive++;
}

void dialect_inter_free(struct dialect_inter *inter)
{
    if (!inter) return;
    PMPI_Comm_free(&inter->bridge);
    g_free(inter->remote);
    g_free(inter);
    alive--;
}
