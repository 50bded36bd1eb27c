/* Communicators as they come and go, which the dialects tie things to, and the barrier, which some machines have in hardware. */
#include "dialect/put_accept/calls.h"
#include "dialect/shmalloc/calls.h"

void dialect_comm_made(struct world_rank *rank, MPI_Comm comm)
{
    (void)MPI_COMM_SELF;   /* SMPI makes it when it is first named, perhaps where a freed communicator was */
    if (comm == MPI_COMM_NULL) return;
    dialect_channel_made(rank, comm);
    dialect_getput_made(rank, comm);
}

static int freed_before(struct world_rank *r, const char *call)
{
    return dialect_error(r, MPI_COMM_NULL, call, MPI_ERR_COMM, "the get/put communicator was freed before");
}

/* MPI_Comm_free and MPI_Comm_disconnect. */
static int let_go(const char *call, uintptr_t pc, MPI_Comm *comm, int (*smpi)(MPI_Comm *))
{
    struct world_rank *r = world_enter(call, pc);
    int code = MPI_SUCCESS;
    if (!r) return smpi(comm);
    if (dialect_getput_gone(r, *comm)) code = freed_before(r, call);
    else {
        dialect_getput_free(r, *comm);
        dialect_channel_freed(r, *comm);
        code = smpi(comm);
        if (code != MPI_SUCCESS) dialect_refused(r, MPI_COMM_NULL, call, code);
    }
    world_leave(r);
    return code;
}

int MPI_Comm_free(MPI_Comm *comm) { return let_go(__func__, DIALECT_PC, comm, PMPI_Comm_free); }
int MPI_Comm_disconnect(MPI_Comm *comm) { return let_go(__func__, DIALECT_PC, comm, PMPI_Comm_disconnect); }

/* ---- barriers ---------------------------------------------------------------------------------------------*/

static int barrier(struct world_rank *r, MPI_Comm comm)
{
    const struct dialect_getput *getput = dialect_getput_of(r, comm);
    if (getput) {
        sync_direct_barrier(getput->shared->sync, getput->member, r->proc);
        return MPI_SUCCESS;
    }
    struct dialect_team *team = comm != MPI_COMM_SELF && sync_barrier_network() ? dialect_team_of(comm) : NULL;
    if (!team) return PMPI_Barrier(comm);
    sync_barrier_wait(team->barrier, r->proc);
    return MPI_SUCCESS;
}

int MPI_Barrier(MPI_Comm comm)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    if (!r) return PMPI_Barrier(comm);
    int code;
    if (dialect_getput_gone(r, comm)) code = freed_before(r, __func__);
    else if ((code = barrier(r, comm)) != MPI_SUCCESS) code = dialect_refused(r, comm, __func__, code);
    world_leave(r);
    return code;
}
