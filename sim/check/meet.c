/* What messages and collective calls order. A rank that leaves a collective is behind those whose
 * data it needs, who have arrived by then. */
#include "check/look.h"
#include "check/match.h"
#include "check/meet.h"
#include "check/parts.h"
#include "check/wild.h"

struct check_meeting {
    int members, arrived, left, root;
    int behind; /* so many have left and are behind it: not those that only tested for its end */
    enum check_flow flow;
    struct check_clock *sum;   /* of those whose data flow; ALL, TO_ROOT, EACH: everybody's */
    struct check_clock **each; /* UPWARD, EACH: by comm_rank */
    GArray **takes;            /* EACH: by comm_rank: int, of which members; NULL: of all */
};

static int ranks;
static GHashTable *sent;    /* envelope -> GQueue of struct check_message */
static GHashTable *awaited; /* the same, of synchronous sends that are not complete */
static GHashTable
    *meetings;            /* struct check_envelope, from: how many calls before -> check_meeting */
static GHashTable *calls; /* struct check_envelope of a rank on a communicator -> calls so far */

static void queue_free(void *data) { g_queue_free_full(data, (GDestroyNotify)check_message_unref); }

void check_meeting_free(void *data)
{
    struct check_meeting *meeting = data;
    for (int i = 0; meeting->each && i < meeting->members; i++) check_clock_unref(meeting->each[i]);
    for (int i = 0; meeting->takes && i < meeting->members; i++)
        if (meeting->takes[i]) g_array_unref(meeting->takes[i]);
    g_free(meeting->each);
    g_free(meeting->takes);
    check_clock_unref(meeting->sum);
    g_free(meeting);
}

void check_orders_open(int n)
{
    ranks = n;
    check_matches_open();
    check_wilds_open(n);
    sent = g_hash_table_new_full(check_envelope_hash, check_envelope_equal, g_free, queue_free);
    awaited = g_hash_table_new_full(check_envelope_hash, check_envelope_equal, g_free, queue_free);
    meetings = g_hash_table_new_full(check_envelope_hash, check_envelope_equal, g_free,
                                     check_meeting_free);
    calls = g_hash_table_new_full(check_envelope_hash, check_envelope_equal, g_free, NULL);
}

void check_orders_close(void)
{
    g_clear_pointer(&sent, g_hash_table_unref);
    g_clear_pointer(&awaited, g_hash_table_unref);
    check_matches_close();
    check_wilds_close();
    g_clear_pointer(&meetings, g_hash_table_unref);
    g_clear_pointer(&calls, g_hash_table_unref);
}

/* ---- messages -------------------------------------------------------------------------------- */

static void queue_add(GHashTable *queues, const struct check_envelope *e,
                      struct check_message *message)
{
    GQueue *queue = g_hash_table_lookup(queues, e);
    if (!queue) g_hash_table_insert(queues, g_memdup2(e, sizeof *e), queue = g_queue_new());
    g_queue_push_tail(queue, check_message_ref(message));
}

void check_sent(int rank, const struct check_comm *comm, int to, int tag, bool synchronous)
{
    check_moved(rank);
    const struct check_envelope e = {comm->ranks, comm->number, comm->comm_rank, to, tag};
    struct check_message *message = check_message_new(&e, check_clock_release(rank));
    queue_add(sent, &e, message);
    if (synchronous) queue_add(awaited, &e, message);
    check_message_unref(message);
}

/* Those of one envelope are received in the order sent (MPI-3.1 3.5). */
bool check_received(int rank, const struct check_comm *comm, int from, int tag, bool any)
{
    const struct check_envelope e = {comm->ranks, comm->number, from, comm->comm_rank, tag};
    GQueue *queue = g_hash_table_lookup(sent, &e);
    struct check_message *message = queue ? g_queue_pop_head(queue) : NULL;
    if (!message) return false;
    struct check_wild *wild = message->wild;
    if (wild && !any) check_wild_named(wild, message->number);
    bool open = wild && any && check_wild_take(wild, message->number);
    if (open)
        check_look_for(rank, check_clock_ref(message->sent));
    else
        check_learn(rank, message->sent);
    check_match_received(message);
    check_message_unref(message);
    return open;
}

void check_probed(int rank, const struct check_comm *comm, int from, int tag)
{
    const struct check_envelope e = {comm->ranks, comm->number, from, comm->comm_rank, tag};
    GQueue *queue = g_hash_table_lookup(sent, &e);
    const struct check_message *message = queue ? g_queue_peek_head(queue) : NULL;
    if (message) check_learn(rank, message->sent);
}

void check_receiving(int rank, const struct check_comm *comm, int from, int tag, op_site site)
{
    check_moved(rank);
    const struct check_envelope e = {comm->ranks, comm->number, from, comm->comm_rank, tag};
    check_match_receive(&e, rank, site, check_clock_release(rank));
}

/* The receiver has begun the receive that matches (MPI-3.1 3.4). */
void check_rendezvous(int rank, const struct check_comm *comm, int to, int tag)
{
    const struct check_envelope e = {comm->ranks, comm->number, comm->comm_rank, to, tag};
    GQueue *queue = g_hash_table_lookup(awaited, &e);
    struct check_message *message = queue ? g_queue_pop_head(queue) : NULL;
    if (!message) return;
    check_learn(rank, message->begun);
    check_message_unref(message);
}

/* ---- meetings -------------------------------------------------------------------------------- */

struct check_meeting *check_meeting_new(int members, enum check_flow flow, int root)
{
    struct check_meeting *meeting = g_new0(struct check_meeting, 1);
    meeting->members = members;
    meeting->flow = flow;
    meeting->root = root;
    if (flow == CHECK_UPWARD || flow == CHECK_EACH)
        meeting->each = g_new0(struct check_clock *, members);
    if (flow == CHECK_EACH) meeting->takes = g_new0(GArray *, members);
    return meeting;
}

const struct check_clock *check_meeting_clock(const struct check_meeting *meeting)
{
    return meeting->sum;
}

void check_meeting_arrive(struct check_meeting *meeting, int rank, int comm_rank)
{
    struct check_clock *clock = check_clock_release(rank);
    meeting->arrived++;
    if (meeting->each) meeting->each[comm_rank] = check_clock_ref(clock);
    bool gives = meeting->flow == CHECK_FROM_ROOT ? comm_rank == meeting->root
                                                  : meeting->flow != CHECK_UPWARD;
    if (gives) check_clock_merge(&meeting->sum, clock);
    check_clock_unref(clock);
}

bool check_meeting_pass(struct check_meeting *meeting)
{
    if (++meeting->left < meeting->members) return false;
    check_meeting_free(meeting);
    return true;
}

bool check_meeting_leave(struct check_meeting *meeting, int rank, int comm_rank)
{
    const GArray *takes = meeting->takes ? meeting->takes[comm_rank] : NULL;
    if (meeting->flow == CHECK_UPWARD) {
        for (int i = 0; i < comm_rank; i++) check_learn(rank, meeting->each[i]);
    } else if (takes) {
        for (guint i = 0; i < takes->len; i++)
            check_learn(rank, meeting->each[g_array_index(takes, int, i)]);
    } else if (meeting->flow != CHECK_TO_ROOT || comm_rank == meeting->root)
        check_learn(rank, meeting->sum);
    /* of a nonblocking one, the others may go on before they know that all have come */
    meeting->behind += !check_learns_later(rank);
    if (meeting->flow == CHECK_ALL && meeting->members == ranks && meeting->behind == ranks)
        check_clock_everybody(meeting->sum);
    return check_meeting_pass(meeting);
}

/* A communicator's collective calls come in the same order at each of its ranks. */
struct check_meeting *check_meet(int rank, const struct check_comm *comm, enum check_flow flow,
                                 int root, bool bytes)
{
    check_moved(rank);
    const struct check_envelope mine = {comm->ranks, comm->number, rank, 0, 0};
    int call = GPOINTER_TO_INT(g_hash_table_lookup(calls, &mine));
    g_hash_table_insert(calls, g_memdup2(&mine, sizeof mine), GINT_TO_POINTER(call + 1));
    const struct check_envelope e = {comm->ranks, comm->number, call, 0, 0};
    struct check_meeting *meeting = g_hash_table_lookup(meetings, &e);
    if (!meeting) {
        meeting = check_meeting_new(comm->members, flow, root);
        g_hash_table_insert(meetings, g_memdup2(&e, sizeof e), meeting);
    }
    if (bytes)
        check_meeting_arrive(meeting, rank, comm->comm_rank);
    else
        meeting->arrived++;
    gpointer key = NULL, value = NULL;
    if (meeting->arrived == meeting->members &&
        g_hash_table_steal_extended(meetings, &e, &key, &value))
        g_free(key);
    if (bytes) return meeting;
    check_meeting_pass(meeting);
    return NULL;
}

void check_meet_takes(struct check_meeting *meeting, const struct check_comm *comm,
                      const int *counts)
{
    GArray *takes = g_array_new(FALSE, FALSE, sizeof(int));
    for (int i = 0; counts && i < comm->members; i++)
        if (counts[i] > 0 || i == comm->comm_rank) g_array_append_val(takes, i);
    if ((int)takes->len < comm->members)
        meeting->takes[comm->comm_rank] = takes;
    else
        g_array_unref(takes);
}

void check_met(int rank, const struct check_comm *comm, struct check_meeting *meeting)
{
    check_meeting_leave(meeting, rank, comm->comm_rank);
}
