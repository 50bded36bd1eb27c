/* Rank groups: ranks that synchronise together, found by who they are.
 *
 * Making a window and a barrier in hardware need an object that the members share. Two
 * communicators of the same ranks share a rank group, in which each has a number that all members
 * know. So no message is needed to find it. (SMPI's own first broadcast on a communicator costs
 * seconds of host time at some hundred ranks.)
 */
#include "sync/window/window.h"
#include "dialect/mpi/comm/comm.h"

#include <string.h>

static GHashTable *groups; /* struct dialect_rank_group -> itself */
/* MPI_COMM_WORLD's, which has one handle for all ranks */
static struct dialect_rank_group *everybody;
static int key = MPI_KEYVAL_INVALID; /* other communicators cache theirs */

static guint group_hash(const void *a)
{
    const struct dialect_rank_group *ranks = a;
    uint64_t hash = 0;
    for (int i = 0; i < ranks->members; i++)
        hash = (hash ^ (uint64_t)ranks->world_rank[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return (guint)(hash >> 32);
}

static gboolean group_equal(const void *a, const void *b)
{
    const struct dialect_rank_group *one = a, *other = b;
    return one->members == other->members &&
           memcmp(one->world_rank, other->world_rank,
                  (size_t)one->members * sizeof *one->world_rank) == 0;
}

static struct dialect_rank_group *group_with(int members, int *world_rank)
{
    const struct dialect_rank_group wanted = {.members = members, .world_rank = world_rank};
    if (!groups) groups = g_hash_table_new(group_hash, group_equal);
    struct dialect_rank_group *ranks = g_hash_table_lookup(groups, &wanted);
    if (!ranks) {
        ranks = g_new0(struct dialect_rank_group, 1);
        ranks->members = members;
        ranks->world_rank = g_memdup2(world_rank, (gsize)members * sizeof *world_rank);
        ranks->barriers = g_ptr_array_new();
        g_hash_table_add(groups, ranks);
    }
    return ranks;
}

int dialect_size_of(MPI_Comm comm)
{
    int size = 0;
    if (comm != MPI_COMM_NULL) PMPI_Comm_size(comm, &size);
    return size;
}

int dialect_blocks_for(MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL) return 0;
    const struct dialect_inter *inter = dialect_inter_of(world_here(), comm);
    return inter ? inter->remote_members : dialect_size_of(comm);
}

int dialect_rank_in(MPI_Comm comm)
{
    int rank = -1;
    if (comm != MPI_COMM_NULL) PMPI_Comm_rank(comm, &rank);
    return rank;
}

static struct dialect_rank_group *group_of_comm(MPI_Comm comm)
{
    int members = comm == MPI_COMM_WORLD ? world_ranks() : dialect_size_of(comm);
    g_autofree int *member = g_new(int, members), *world_rank = g_new(int, members);
    for (int i = 0; i < members; i++) member[i] = world_rank[i] = i;
    if (comm != MPI_COMM_WORLD) {
        MPI_Group group, world;
        PMPI_Comm_group(comm, &group);
        PMPI_Comm_group(MPI_COMM_WORLD, &world);
        PMPI_Group_translate_ranks(group, members, member, world, world_rank);
        PMPI_Group_free(&group);
        PMPI_Group_free(&world);
    }
    return group_with(members, world_rank);
}

struct dialect_rank_group *dialect_rank_group_of(MPI_Comm comm)
{
    struct dialect_rank_group *ranks = NULL;
    int found = 0, remote = 1;
    if (comm == MPI_COMM_WORLD) {
        if (!everybody) everybody = group_of_comm(comm);
        return everybody;
    }
    if (comm == MPI_COMM_NULL || dialect_inter_of(world_here(), comm) ||
        PMPI_Comm_test_inter(comm, &remote) != MPI_SUCCESS || remote)
        return NULL;
    if (key == MPI_KEYVAL_INVALID)
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    if (PMPI_Comm_get_attr(comm, key, &ranks, &found) == MPI_SUCCESS && found) return ranks;
    ranks = group_of_comm(comm);
    PMPI_Comm_set_attr(comm, key, ranks);
    return ranks;
}

/* SMPI's own has no number: its messages are taken for those of any other communicator, and its
 * ranks are in the order of comm, whatever their keys. So it only says who belongs together. */
int dialect_split_type(MPI_Comm comm, int split_type, int order, MPI_Info info, MPI_Comm *made)
{
    MPI_Comm node;
    int code = PMPI_Comm_split_type(comm, split_type, order, info, &node);
    int first = 0, colour = MPI_UNDEFINED;
    if (code != MPI_SUCCESS) return code;
    if (node != MPI_COMM_NULL) {
        MPI_Group some, all;
        PMPI_Comm_group(node, &some);
        PMPI_Comm_group(comm, &all);
        PMPI_Group_translate_ranks(some, 1, &first, all, &colour);
        PMPI_Group_free(&some);
        PMPI_Group_free(&all);
        PMPI_Comm_free(&node);
    }
    return PMPI_Comm_split(comm, colour, order, made);
}

/* "It is erroneous ... if it specifies a grid that is larger than the group size" (MPI-3.1 7.5.1):
 * SMPI stores behind its memory. */
int dialect_cart_create(MPI_Comm comm, int ndims, const int *dims, const int *periods, int reorder,
                        MPI_Comm *made)
{
    int64_t ranks = 1;
    for (int i = 0; i < ndims; i++) {
        if (dims[i] <= 0) return MPI_ERR_DIMS;
        ranks *= dims[i];
        if (ranks > dialect_size_of(comm)) return MPI_ERR_DIMS;
    }
    return ndims < 0 ? MPI_ERR_DIMS : PMPI_Cart_create(comm, ndims, dims, periods, reorder, made);
}

struct dialect_shared *dialect_shared_join(struct dialect_rank_group *ranks, int number, int kind,
                                           int *wrong, const char **what)
{
    if (!ranks->making) {
        ranks->making = g_new0(struct dialect_shared, 1);
        ranks->making->ranks = ranks;
        ranks->making->number = number;
        ranks->making->kind = kind;
        ranks->making->barrier = sync_barrier_new(ranks->members);
        ranks->making->sync = sync_win_new(ranks->members, ranks->world_rank);
    }
    struct dialect_shared *shared = ranks->making;
    if (!*wrong && shared->number != number)
        *wrong = MPI_ERR_COMM,
        *what = "another rank makes a window over another communicator of the same ranks";
    else if (!*wrong && shared->kind != kind)
        *wrong = MPI_ERR_OTHER, *what = "another rank makes another kind of window";
    if (*wrong) shared->wrong = *wrong;
    if (++shared->joined == ranks->members) ranks->making = NULL;
    return shared;
}

void dialect_shared_leave(struct dialect_shared *shared)
{
    if (++shared->left < shared->ranks->members) return;
    sync_barrier_free(shared->barrier);
    g_free(shared);
}
