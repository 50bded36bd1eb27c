/* Which communicators are intercommunicators, and the calls that are refused of them. */
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
                          "only MPI_Intercomm_merge and MPI_Barrier of an intercommunicator are "
                          "simulated");
    world_leave(rank);
    return true;
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
