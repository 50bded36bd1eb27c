/* Intercommunicators: making and merging them. SMPI 3.32 has none.
 *
 * The handle is SMPI's, of a copy of the local communicator, so that rank, size and group are the
 * local ones; the bridge beside it has all ranks of both groups, and carries messages (inter.c) and
 * collectives (message/between.c).
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
    dialect_inter_keep(dialect_comm_known(r, *made), inter);
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
    dialect_inter_keep(dialect_comm_known(r, *made), inter);
    return code;
}

/* What each rank of the bridge says in MPI_Comm_split. */
struct said {
    int colour, key, world_rank, bridge_rank;
};

static int by_key(const void *a, const void *b)
{
    const struct said *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1) : x->bridge_rank - y->bridge_rank;
}

/* Of the n ranks behind `from`, those of that colour, in their new order. Free it. */
static struct said *of_colour(const struct said *from, int n, int colour, int *members)
{
    struct said *some = g_new(struct said, n);
    *members = 0;
    for (int i = 0; i < n; i++)
        if (from[i].colour == colour) some[(*members)++] = from[i];
    qsort(some, (size_t)*members, sizeof *some, by_key);
    return some;
}

/* The remote group and the bridge of the ranks that are of this one's colour. False: none is in the
 * remote group. */
static bool halve(const struct dialect_inter *old, const struct said *all, int me,
                  struct dialect_inter *inter, int *key)
{
    const int n = old->remote_members, local = old->first == 0 ? n : 0, colour = all[me].colour;
    int here, there;
    g_autofree struct said *ours =
        of_colour(all + local, dialect_size_of(old->bridge) - n, colour, &here);
    g_autofree struct said *theirs = of_colour(all + old->first, n, colour, &there);
    inter->remote_members = there;
    inter->remote = g_new(int, there + 1);
    for (int i = 0; i < there; i++) inter->remote[i] = theirs[i].world_rank;
    inter->first = old->first == 0 ? 0 : here;
    *key = old->first == 0 ? there : 0;
    for (int i = 0; i < here; i++)
        if (ours[i].bridge_rank == me) *key += i;
    return there > 0 && colour != MPI_UNDEFINED;
}

/* MPI_Comm_split: ranks of both groups that say the same colour. */
int dialect_inter_split(struct world_rank *r, MPI_Comm comm, int colour, int key, MPI_Comm *made)
{
    const struct dialect_inter *old = dialect_inter_of(r, comm);
    struct dialect_inter *inter = g_new0(struct dialect_inter, 1);
    const int me = dialect_rank_in(old->bridge);
    const struct said mine = {colour, key, r->rank, me};
    g_autofree struct said *all = g_new(struct said, dialect_size_of(old->bridge));
    int order = 0;
    *made = MPI_COMM_NULL;
    int code =
        PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, old->bridge);
    const bool both = code == MPI_SUCCESS && halve(old, all, me, inter, &order);
    if (code == MPI_SUCCESS)
        code = PMPI_Comm_split(old->bridge, both ? colour : MPI_UNDEFINED, order, &inter->bridge);
    if (code == MPI_SUCCESS) code = PMPI_Comm_split(comm, both ? colour : MPI_UNDEFINED, key, made);
    if (code == MPI_SUCCESS && both) {
        dialect_comm_made(r, *made);
        dialect_inherits_handler(comm, *made);
        dialect_bridge_made(r, inter->bridge);
        dialect_inter_keep(dialect_comm_known(r, *made), inter);
        return code;
    }
    g_free(inter->remote);
    g_free(inter);
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
