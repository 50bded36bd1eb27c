/* Intercommunicators: making and merging them. SMPI 3.32 has none.
 *
 * The handle is SMPI's, of a copy of the local communicator, so that rank, size and group are the
 * local ones; the bridge beside it has all ranks of both groups, and carries messages (inter.c) and
 * collectives (message/between.c). Left out: reductions that scatter, and nonblocking ones. They
 * are refused.
 */
#include "dialect/mpi/comm/comm.h"

/* ---- making ---------------------------------------------------------------------------------- */

/* The leaders exchange their groups, and each hands the other's on. */
static void meet(struct dialect_inter *inter, const struct dialect_rank_group *local, int leader,
                 MPI_Comm local_comm, MPI_Comm peer, int remote_leader, int tag)
{
    bool leads = dialect_rank_in(local_comm) == leader;
    if (leads)
        PMPI_Sendrecv(&local->members, 1, MPI_INT, remote_leader, tag, &inter->remote_members, 1,
                      MPI_INT, remote_leader, tag, peer, MPI_STATUS_IGNORE);
    PMPI_Bcast(&inter->remote_members, 1, MPI_INT, leader, local_comm);
    inter->remote = g_new(int, inter->remote_members);
    if (leads)
        PMPI_Sendrecv(local->world_rank, local->members, MPI_INT, remote_leader, tag, inter->remote,
                      inter->remote_members, MPI_INT, remote_leader, tag, peer, MPI_STATUS_IGNORE);
    PMPI_Bcast(inter->remote, inter->remote_members, MPI_INT, leader, local_comm);
}

static int lowest(const int *rank, int n)
{
    int low = rank[0];
    for (int i = 1; i < n; i++) low = MIN(low, rank[i]);
    return low;
}

/* Both groups, in an order that both sides know; NULL: they overlap. */
static int *joined(const struct dialect_rank_group *local, struct dialect_inter *inter)
{
    int n = local->members, m = inter->remote_members, *all = g_new(int, n + m);
    bool first = lowest(local->world_rank, n) < lowest(inter->remote, m);
    inter->first = first ? n : 0;
    for (int i = 0; i < n; i++) all[first ? i : m + i] = local->world_rank[i];
    for (int i = 0; i < m; i++) all[first ? n + i : i] = inter->remote[i];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            if (local->world_rank[i] == inter->remote[k]) return g_free(all), NULL;
    return all;
}

static int make(struct world_rank *r, const char *call, struct dialect_inter *inter,
                const struct dialect_rank_group *local, MPI_Comm local_comm, int tag,
                MPI_Comm *made)
{
    g_autofree int *all = joined(local, inter);
    if (!all)
        return dialect_error(r, local_comm, call, MPI_ERR_COMM, "the two groups have common ranks");
    MPI_Group world, both;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_incl(world, local->members + inter->remote_members, all, &both);
    int code = PMPI_Comm_create_group(MPI_COMM_WORLD, both, tag, &inter->bridge);
    PMPI_Group_free(&both);
    PMPI_Group_free(&world);
    if (code == MPI_SUCCESS) code = PMPI_Comm_dup(local_comm, made);
    if (code != MPI_SUCCESS) return dialect_refused(r, local_comm, call, code);
    dialect_comm_made(r, *made);
    dialect_inherits_handler(local_comm, *made);
    dialect_bridge_made(r, inter->bridge);
    dialect_inter_keep(dialect_comm_find(r, *made), inter);
    return MPI_SUCCESS;
}

int MPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm,
                         int remote_leader, int tag, MPI_Comm *comm_out)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    if (!r) return MPI_ERR_OTHER;
    const struct dialect_rank_group *local = dialect_rank_group_of(local_comm);
    int code;
    if (!local)
        code = dialect_error(r, MPI_COMM_NULL, __func__, MPI_ERR_COMM,
                             "the local communicator is not a valid intracommunicator");
    else if (local_leader < 0 || local_leader >= local->members)
        code = dialect_error(r, local_comm, __func__, MPI_ERR_RANK,
                             "the local leader is %d, of %d ranks", local_leader, local->members);
    else {
        struct dialect_inter *inter = g_new0(struct dialect_inter, 1);
        meet(inter, local, local_leader, local_comm, peer_comm, remote_leader, tag);
        code = make(r, __func__, inter, local, local_comm, tag, comm_out);
        if (code != MPI_SUCCESS) g_free(inter->remote), g_free(inter);
    }
    world_leave(r);
    return code;
}

/* MPI_Comm_dup */
int dialect_inter_dup(struct world_rank *r, MPI_Comm comm, MPI_Comm *made)
{
    const struct dialect_inter *old = dialect_inter_of(r, comm);
    struct dialect_inter *inter = g_new(struct dialect_inter, 1);
    *inter = *old;
    inter->remote = g_memdup2(old->remote, (gsize)old->remote_members * sizeof(int));
    int code = PMPI_Comm_dup(old->bridge, &inter->bridge);
    if (code == MPI_SUCCESS) code = PMPI_Comm_dup(comm, made);
    if (code != MPI_SUCCESS) {
        g_free(inter->remote);
        g_free(inter);
        return code;
    }
    dialect_comm_made(r, *made);
    dialect_bridge_made(r, inter->bridge);
    dialect_inter_keep(dialect_comm_find(r, *made), inter);
    return code;
}

/* ---- what it is ------------------------------------------------------------------------------ */

static int no_inter(const char *call)
{
    return dialect_error(world_here(), MPI_COMM_NULL, call, MPI_ERR_COMM,
                         "not a valid intercommunicator");
}

int MPI_Comm_test_inter(MPI_Comm comm, int *flag)
{
    DIALECT_AWAY;
    *flag = dialect_inter_of(world_here(), comm) != NULL;
    if (*flag) return MPI_SUCCESS;
    int code = PMPI_Comm_test_inter(comm, flag);
    return code == MPI_SUCCESS ? code : dialect_refused_outside(DIALECT_PC, comm, __func__, code);
}

int MPI_Comm_remote_size(MPI_Comm comm, int *size)
{
    const struct dialect_inter *inter = dialect_inter_of(world_here(), comm);
    if (!inter) return no_inter(__func__);
    *size = inter->remote_members;
    return MPI_SUCCESS;
}

int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group)
{
    const struct dialect_inter *inter = dialect_inter_of(world_here(), comm);
    if (!inter) return no_inter(__func__);
    DIALECT_AWAY;
    MPI_Group world;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_incl(world, inter->remote_members, inter->remote, group);
    return PMPI_Group_free(&world);
}

/* The group that says high comes second; where both say the same, any may. */
int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm *comm_out)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    if (!r) return MPI_ERR_OTHER;
    const struct dialect_inter *inter = dialect_inter_of(r, comm);
    int code;
    if (!inter)
        code = no_inter(__func__);
    else {
        MPI_Comm bridge = inter->bridge;
        int key = dialect_rank_in(bridge) + (high ? dialect_size_of(bridge) : 0);
        code = PMPI_Comm_split(bridge, 0, key, comm_out);
        if (code == MPI_SUCCESS)
            dialect_comm_made(r, *comm_out), dialect_inherits_handler(comm, *comm_out);
        else
            dialect_refused(r, MPI_COMM_NULL, __func__, code);
    }
    world_leave(r);
    return code;
}
