/* PUT/ACCEPT beside MPI's own calls: requests meet servicers of the same communicator only, and
 * MPI_Finalize names what was never serviced.
 *
 * A PUT is local, so a process must find what the members of a communicator share without asking
 * them: by rank group and number.
 */
#include "world/clock/clock.h"
#include "world/place/place.h"
#include "dialect/mpi/hooks/hooks.h"
#include "dialect/put_accept/inside.h"
#include "findings/findings.h"
#include "put_accept.h"

/* What a rank has named in a request, a servicer or a probe, in the order it did; also
 * communicators that are freed by now. */
struct meeting_place {
    struct sync_match *match;
    int comm_rank;
};
struct dialect_put_accept_state {
    GArray *place;
};

static GHashTable *matches; /* rank group -> GPtrArray of struct sync_match by number */
static bool used;

bool dialect_put_accept_used(void) { return used; }

void PA_Present(void) { used = true; }

static struct sync_match *match_of(struct dialect_rank_group *ranks, int number)
{
    if (!matches) matches = g_hash_table_new(NULL, NULL);
    GPtrArray *array = g_hash_table_lookup(matches, ranks);
    if (!array) g_hash_table_insert(matches, ranks, array = g_ptr_array_new());
    if ((int)array->len <= number) g_ptr_array_set_size(array, number + 1);
    if (!array->pdata[number])
        array->pdata[number] = sync_match_new(ranks->members, ranks->world_rank);
    return array->pdata[number];
}

struct sync_match *dialect_match_of(struct world_rank *rank, const struct dialect_comm *comm)
{
    struct dialect_put_accept_state *state = dialect_own(rank, "put_accept");
    const struct meeting_place place = {match_of(comm->ranks, comm->number), comm->comm_rank};
    used = true;
    if (!state) {
        state = dialect_own_keep(rank, "put_accept", g_new(struct dialect_put_accept_state, 1));
        state->place = g_array_new(FALSE, FALSE, sizeof place);
    }
    GArray *places = state->place;
    guint i = 0;
    while (i < places->len && g_array_index(places, struct meeting_place, i).match != place.match)
        i++;
    if (i == places->len) g_array_append_val(places, place);
    return place.match;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void name(void *data, const char *what, op_site site, int target)
{
    const struct world_rank *rank = data;
    world_say("rank %d: %s (issued at %s)", rank->rank, what, world_place(site));
    findings_violation_note(&(struct findings_violation){.rule = "PUT/ACCEPT: Matching",
                                                         .message = (char *)what,
                                                         .rank = rank->rank,
                                                         .time_s = world_now(),
                                                         .site = site,
                                                         .other_rank = target});
}

static void end(struct world_rank *rank)
{
    const struct dialect_put_accept_state *state = dialect_own(rank, "put_accept");
    for (guint i = 0; state && i < state->place->len; i++) {
        const struct meeting_place *place = &g_array_index(state->place, struct meeting_place, i);
        sync_match_unserviced(place->match, place->comm_rank, name, rank);
    }
}

/* ---- messages, for probes (probe.c) ---------------------------------------------------------- */

static void sent(struct world_rank *rank, MPI_Comm comm, int target, int tag)
{
    const struct dialect_comm *c = used ? dialect_comm_find(rank, comm) : NULL;
    if (c && target >= 0 && target < c->members)
        sync_match_sent(dialect_match_of(rank, c), c->comm_rank, rank->proc, target, tag);
}

static void received(struct world_rank *rank, MPI_Comm comm, const MPI_Status *status)
{
    const struct dialect_comm *c = used ? dialect_comm_find(rank, comm) : NULL;
    if (c && status->MPI_SOURCE >= 0)
        sync_match_received(dialect_match_of(rank, c), c->comm_rank, status->MPI_SOURCE,
                            status->MPI_TAG);
}

const struct dialect_hooks dialect_put_accept = {
    .sent = sent,
    .received = received,
    .end = end,
};
