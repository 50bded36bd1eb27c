/* Communicators as they come and go, which the dialects tie things to, and the barrier, which some
 * machines have in hardware. */
#include "dialect/mpi/comm/comm.h"
#include "dialect/mpi/hooks/hooks.h"

/* MPI_COMM_SELF and MPI_COMM_WORLD of one rank are two */
enum { NUMBER_SELF, NUMBER_WORLD, NUMBER_MADE };

/* rank group -> communicators of that group made so far, by rank in it: int[members] */
static GHashTable *made;

static GHashTable *comms_of(struct world_rank *rank)
{
    struct dialect_rank *state = dialect_rank(rank);
    if (!state->comms) state->comms = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    return state->comms;
}

static struct dialect_rank_group *ranks_of(MPI_Comm comm, struct world_rank *rank, int *comm_rank)
{
    DIALECT_AWAY;
    struct dialect_rank_group *ranks = dialect_rank_group_of(comm);
    for (int i = 0; ranks && i < ranks->members; i++)
        if (ranks->world_rank[i] == rank->rank) *comm_rank = i;
    return ranks;
}

static struct dialect_comm *enter(struct world_rank *rank, MPI_Comm comm, int number)
{
    int comm_rank = 0;
    struct dialect_rank_group *ranks = ranks_of(comm, rank, &comm_rank);
    if (!ranks) return NULL;
    if (!made) made = g_hash_table_new(NULL, NULL);
    int *count = g_hash_table_lookup(made, ranks);
    if (!count) g_hash_table_insert(made, ranks, count = g_new0(int, ranks->members));
    if (number == NUMBER_MADE) number += count[comm_rank]++;
    struct dialect_comm *c = g_new(struct dialect_comm, 1);
    *c = (struct dialect_comm){comm, ranks, number, comm_rank, ranks->members, NULL};
    g_hash_table_replace(comms_of(rank), comm, c);
    return c;
}

struct dialect_comm *dialect_comm_known(struct world_rank *rank, MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL) return NULL;
    struct dialect_comm *c = g_hash_table_lookup(comms_of(rank), comm);
    if (!c && comm == MPI_COMM_WORLD) c = enter(rank, comm, NUMBER_WORLD);
    if (!c && comm == MPI_COMM_SELF) c = enter(rank, comm, NUMBER_SELF);
    return c;
}

struct dialect_comm *dialect_comm_find(struct world_rank *rank, MPI_Comm comm)
{
    struct dialect_comm *c = dialect_comm_known(rank, comm);
    return c && !c->inter ? c : NULL;
}

int dialect_comm_number(struct world_rank *rank, MPI_Comm comm)
{
    const struct dialect_comm *c = dialect_comm_find(rank, comm);
    return c ? c->number : -1;
}

struct sync_context dialect_context_of(const struct dialect_comm *comm)
{
    return (struct sync_context){comm->ranks, comm->number, comm->members, comm->comm_rank};
}

bool dialect_comm_checked(struct world_rank *rank, MPI_Comm comm, struct check_comm *to)
{
    const struct dialect_comm *c = check_on && rank ? dialect_comm_find(rank, comm) : NULL;
    if (c) *to = (struct check_comm){c->ranks, c->number, c->members, c->comm_rank};
    return c != NULL;
}

void dialect_comm_made(struct world_rank *rank, MPI_Comm comm)
{
    /* SMPI makes it when it is first named, perhaps where a freed communicator was */
    (void)MPI_COMM_SELF;
    if (comm == MPI_COMM_NULL) return;
    enter(rank, comm, NUMBER_MADE);
    dialect_hooks_made(rank, comm);
}

void dialect_bridge_made(struct world_rank *rank, MPI_Comm bridge)
{
    enter(rank, bridge, NUMBER_MADE);
}

static int free_comm(struct world_rank *r, MPI_Comm *comm, int (*smpi)(MPI_Comm *))
{
    struct dialect_comm *own = dialect_comm_known(r, *comm);
    const struct sync_context late = own ? dialect_context_of(own) : (struct sync_context){0};
    if (own) sync_late_left(&late); /* while its ranks are there */
    dialect_hooks_free(r, *comm);
    if (own && own->inter) g_hash_table_remove(comms_of(r), own->inter->bridge);
    if (own) dialect_inter_free(own->inter);
    g_hash_table_remove(comms_of(r), *comm);
    return smpi(comm);
}

static void free_last(void *handle)
{
    MPI_Comm comm = handle;
    free_comm(world_here(), &comm, PMPI_Comm_free);
}

/* MPI_Comm_free and MPI_Comm_disconnect. */
static int let_go(const char *call, uintptr_t pc, MPI_Comm *comm, int (*smpi)(MPI_Comm *))
{
    if (!comm) return dialect_null(call, pc, MPI_COMM_NULL, MPI_ERR_COMM, "comm");
    struct world_rank *r = world_enter(call, pc);
    DIALECT_NO_THREAD(r);
    int code = MPI_SUCCESS;
    if (!r) return smpi(comm);
    const char *refused = dialect_hooks_refuse(r, *comm);
    /* "The communicator MPI_COMM_WORLD cannot be deallocated during the life of a process" (MPI-3.1
     * 6.2.4) */
    if (*comm == MPI_COMM_WORLD || *comm == MPI_COMM_SELF)
        refused = "MPI_COMM_WORLD and MPI_COMM_SELF are not freed";
    if (refused)
        code = dialect_error(r, MPI_COMM_NULL, call, MPI_ERR_COMM, "%s", refused);
    else if (dialect_held_frees(r, *comm, free_last))
        *comm = MPI_COMM_NULL;
    else {
        code = free_comm(r, comm, smpi);
        if (code != MPI_SUCCESS) dialect_refused(r, MPI_COMM_NULL, call, code);
    }
    world_leave(r);
    return code;
}

int MPI_Comm_free(MPI_Comm *comm) { return let_go(__func__, DIALECT_PC, comm, PMPI_Comm_free); }
int MPI_Comm_disconnect(MPI_Comm *comm)
{
    return let_go(__func__, DIALECT_PC, comm, PMPI_Comm_disconnect);
}

/* ---- messages of SimGrid --------------------------------------------------------------------- */

void dialect_messages_begin(struct world_rank *r, MPI_Comm comm)
{
    const struct dialect_comm *own = dialect_comm_find(r, comm);
    if (!own) return;
    const struct sync_context in = dialect_context_of(own);
    sync_late_enters(r->proc, &in);
}

void dialect_messages_over(struct world_rank *r, MPI_Comm comm, bool from_first, uint64_t bytes)
{
    const struct dialect_comm *own = dialect_comm_find(r, comm);
    if (!own) return;
    const struct sync_context in = dialect_context_of(own);
    sync_late_has(r->proc, &in, from_first ? SYNC_LATE_FROM_ROOT : SYNC_LATE_ALL, 0, bytes);
    sync_late_over(r->proc);
}

/* ---- barriers -------------------------------------------------------------------------------- */

static int by_messages(struct world_rank *r, MPI_Comm comm)
{
    dialect_messages_begin(r, comm);
    const int code = PMPI_Barrier(comm);
    dialect_messages_over(r, comm, false, 0);
    return code;
}

/* NULL: the machine has no network for it. */
static struct sync_barrier *network_of(struct world_rank *r, MPI_Comm comm)
{
    if (comm == MPI_COMM_SELF || !sync_barrier_network()) return NULL;
    struct dialect_rank_group *ranks = dialect_rank_group_of(comm);
    if (!ranks) return NULL;
    const guint at = (guint)(dialect_comm_number(r, comm) + 1);
    if (ranks->barriers->len <= at) g_ptr_array_set_size(ranks->barriers, (gint)at + 1);
    if (!ranks->barriers->pdata[at]) ranks->barriers->pdata[at] = sync_barrier_new(ranks->members);
    return ranks->barriers->pdata[at];
}

static int barrier(struct world_rank *r, MPI_Comm comm)
{
    if (dialect_hooks_barrier(r, comm)) return MPI_SUCCESS;
    comm = dialect_bridge(r, comm);
    struct sync_barrier *network = network_of(r, comm);
    if (!network) return by_messages(r, comm);
    sync_barrier_wait(network, r->proc);
    return MPI_SUCCESS;
}

/* "All processes in one group (group A) ... may exit the barrier when all of the processes in the
 * other group (group B) have entered" (MPI-3.1 5.3). */
static void takes_from_the_other(struct check_meeting *meeting, const struct check_comm *c,
                                 const struct dialect_rank_group *both,
                                 const struct dialect_inter *inter)
{
    g_autofree int *counts = g_new0(int, both->members);
    for (int i = 0; i < both->members; i++)
        for (int k = 0; k < inter->remote_members; k++)
            counts[i] |= both->world_rank[i] == inter->remote[k];
    check_meet_takes(meeting, c, counts);
}

/* The same, as the check hears of it. */
static int checked_barrier(struct world_rank *r, MPI_Comm comm)
{
    struct check_comm c;
    const struct dialect_inter *inter = dialect_inter_of(r, comm);
    const MPI_Comm all = dialect_bridge(r, comm);
    if (!dialect_comm_checked(r, all, &c)) return barrier(r, comm);
    struct check_meeting *meeting =
        check_meet(r->rank, &c, inter ? CHECK_EACH : CHECK_ALL, 0, true);
    if (inter) takes_from_the_other(meeting, &c, dialect_rank_group_of(all), inter);
    int code = barrier(r, comm);
    check_met(r->rank, &c, meeting);
    return code;
}

int MPI_Barrier(MPI_Comm comm)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    DIALECT_NO_THREAD(r);
    if (!r) return PMPI_Barrier(comm);
    int code;
    world_at_barrier(r, (uintptr_t)comm);
    const char *refused = dialect_hooks_refuse(r, comm);
    if (refused)
        code = dialect_error(r, MPI_COMM_NULL, __func__, MPI_ERR_COMM, "%s", refused);
    else if ((code = checked_barrier(r, comm)) != MPI_SUCCESS)
        code = dialect_refused(r, comm, __func__, code);
    world_leave(r);
    return code;
}
