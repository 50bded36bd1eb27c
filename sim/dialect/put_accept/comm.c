/* Communicators as matching knows them: requests meet servicers of the same communicator only.
 *
 * A PUT is local, so a process must find what the members of a communicator share without asking them. Communicators of the same
 * ranks are made in the same order at each of them (making one is collective), so a number within the team names one.
 */
#include "dialect/register/calls.h"
#include "put_accept.h"

enum { NUMBER_SELF, NUMBER_WORLD, NUMBER_MADE };   /* MPI_COMM_SELF and MPI_COMM_WORLD of one rank are two */

static GHashTable *made;       /* team -> communicators of that team made so far, by member: int[members] */
static GHashTable *matches;    /* team -> GPtrArray of struct sync_match by number */
static bool used;

bool dialect_put_accept_used(void) { return used; }

void PA_Present(void) { used = true; }

static GHashTable *channels_of(struct world_rank *rank)
{
    struct dialect_rank *state = dialect_rank(rank);
    if (!state->channels) state->channels = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    return state->channels;
}

static struct dialect_team *team_of(MPI_Comm comm, struct world_rank *rank, int *member)
{
    DIALECT_AWAY;
    struct dialect_team *team = dialect_team_of(comm);
    for (int i = 0; team && i < team->members; i++)
        if (team->world_rank[i] == rank->rank) *member = i;
    return team;
}

static struct sync_match *match_of(struct dialect_team *team, int number)
{
    if (!matches) matches = g_hash_table_new(NULL, NULL);
    GPtrArray *array = g_hash_table_lookup(matches, team);
    if (!array) g_hash_table_insert(matches, team, array = g_ptr_array_new());
    if ((int)array->len <= number) g_ptr_array_set_size(array, number + 1);
    if (!array->pdata[number]) array->pdata[number] = sync_match_new(team->members, team->world_rank);
    return array->pdata[number];
}

static struct dialect_channel *enter(struct world_rank *rank, MPI_Comm comm, int number)
{
    struct dialect_channel *channel = g_new0(struct dialect_channel, 1);
    struct dialect_team *team = team_of(comm, rank, &channel->member);
    if (!team) {
        g_free(channel);
        return NULL;
    }
    if (!made) made = g_hash_table_new(NULL, NULL);
    int *count = g_hash_table_lookup(made, team);
    if (!count) g_hash_table_insert(made, team, count = g_new0(int, team->members));
    if (number == NUMBER_MADE) number += count[channel->member]++;
    channel->comm = comm;
    channel->members = team->members;
    channel->team = team;
    channel->number = number;
    g_hash_table_replace(channels_of(rank), comm, channel);
    return channel;
}

struct dialect_channel *dialect_channel_find(struct world_rank *rank, MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL) return NULL;
    struct dialect_channel *channel = g_hash_table_lookup(channels_of(rank), comm);
    if (!channel && comm == MPI_COMM_WORLD) channel = enter(rank, comm, NUMBER_WORLD);
    if (!channel && comm == MPI_COMM_SELF) channel = enter(rank, comm, NUMBER_SELF);
    return channel;
}

struct dialect_channel *dialect_channel_of(struct world_rank *rank, MPI_Comm comm)
{
    struct dialect_channel *channel = dialect_channel_find(rank, comm);
    used |= channel != NULL;
    if (channel && !channel->match) channel->match = match_of(channel->team, channel->number);
    return channel;
}

void dialect_channel_made(struct world_rank *rank, MPI_Comm comm) { enter(rank, comm, NUMBER_MADE); }

void dialect_channel_freed(struct world_rank *rank, MPI_Comm comm)
{
    dialect_registered_comm_freed(rank, comm);
    if (dialect_rank(rank)->channels) g_hash_table_remove(dialect_rank(rank)->channels, comm);
}

/* ---- the end ---------------------------------------------------------------------------------------------*/

static void name(void *data, const char *what, op_site site, int target)
{
    const struct world_rank *rank = data;
    world_say("rank %d: %s (issued at %s)", rank->rank, what, world_place(site));
    op_violation_note(&(struct op_violation){.rule = "PUT/ACCEPT: Matching", .message = (char *)what, .rank = rank->rank,
                                             .time_s = world_now(), .site = site, .other_rank = target});
}

void dialect_put_accept_end(struct world_rank *rank)
{
    struct dialect_rank *state = dialect_rank(rank);
    if (!used || !state->channels) return;
    GHashTableIter at;
    gpointer value;
    g_hash_table_iter_init(&at, state->channels);
    while (g_hash_table_iter_next(&at, NULL, &value)) {
        struct dialect_channel *channel = value;
        if (channel->match) sync_match_unserviced(channel->match, channel->member, name, rank);
    }
}
