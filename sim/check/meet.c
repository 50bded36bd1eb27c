/* What messages and collective calls order. A rank that leaves a collective is behind those whose
 * data it needs, who have arrived by then. */
#include "check/meet.h"
#include "check/parts.h"

struct check_meeting {
    int members, arrived, left, root;
    enum check_flow flow;
    struct check_clock *sum;   /* of those whose data flow; ALL, TO_ROOT: everybody's */
    struct check_clock **each; /* UPWARD: by comm_rank */
};

static int ranks;
static struct check_clock **receiving; /* what each rank had done when its last receive began */
static GHashTable *sent;               /* struct envelope -> GQueue of struct check_clock */
static GHashTable *meetings; /* struct envelope, from: how many calls before -> check_meeting */
static GHashTable *calls;    /* struct envelope of a rank on a communicator -> calls so far */

/* A communicator with whatever else makes a key. */
struct envelope {
    const void *ranks;
    int number, from, to, tag;
};

static guint envelope_hash(const void *data)
{
    const struct envelope *e = data;
    uint64_t h = (uint64_t)(uintptr_t)e->ranks + (uint64_t)e->number * 7919;
    h = (h ^ (uint64_t)(uint32_t)e->from) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (uint64_t)(uint32_t)e->to) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (uint64_t)(uint32_t)e->tag) * UINT64_C(0x9e3779b97f4a7c15);
    return (guint)(h >> 32);
}

static gboolean envelope_equal(const void *x, const void *y)
{
    const struct envelope *a = x, *b = y;
    return a->ranks == b->ranks && a->number == b->number && a->from == b->from && a->to == b->to &&
           a->tag == b->tag;
}

static void queue_free(void *data) { g_queue_free_full(data, (GDestroyNotify)check_clock_unref); }

void check_meeting_free(void *data)
{
    struct check_meeting *meeting = data;
    for (int i = 0; meeting->each && i < meeting->members; i++) check_clock_unref(meeting->each[i]);
    g_free(meeting->each);
    check_clock_unref(meeting->sum);
    g_free(meeting);
}

void check_orders_open(int n)
{
    ranks = n;
    receiving = g_new0(struct check_clock *, n);
    sent = g_hash_table_new_full(envelope_hash, envelope_equal, g_free, queue_free);
    meetings = g_hash_table_new_full(envelope_hash, envelope_equal, g_free, check_meeting_free);
    calls = g_hash_table_new_full(envelope_hash, envelope_equal, g_free, NULL);
}

void check_orders_close(void)
{
    for (int i = 0; i < ranks; i++) check_clock_unref(receiving[i]);
    g_clear_pointer(&receiving, g_free);
    g_clear_pointer(&sent, g_hash_table_unref);
    g_clear_pointer(&meetings, g_hash_table_unref);
    g_clear_pointer(&calls, g_hash_table_unref);
}

/* ---- messages -------------------------------------------------------------------------------- */

void check_sent(int rank, const struct check_comm *comm, int to, int tag)
{
    check_moved(rank);
    const struct envelope e = {comm->ranks, comm->number, comm->comm_rank, to, tag};
    GQueue *queue = g_hash_table_lookup(sent, &e);
    if (!queue) g_hash_table_insert(sent, g_memdup2(&e, sizeof e), queue = g_queue_new());
    g_queue_push_tail(queue, check_clock_release(rank));
}

/* Those of one envelope are received in the order sent (MPI-3.1 3.5). */
void check_received(int rank, const struct check_comm *comm, int from, int tag)
{
    const struct envelope e = {comm->ranks, comm->number, from, comm->comm_rank, tag};
    GQueue *queue = g_hash_table_lookup(sent, &e);
    struct check_clock *clock = queue ? g_queue_pop_head(queue) : NULL;
    check_clock_join(rank, clock);
    check_clock_unref(clock);
}

void check_probed(int rank, const struct check_comm *comm, int from, int tag)
{
    const struct envelope e = {comm->ranks, comm->number, from, comm->comm_rank, tag};
    GQueue *queue = g_hash_table_lookup(sent, &e);
    if (queue) check_clock_join(rank, g_queue_peek_head(queue));
}

void check_receiving(int rank)
{
    check_moved(rank);
    check_clock_unref(receiving[rank]);
    receiving[rank] = check_clock_release(rank);
}

/* The receiver has begun the receive that matches (MPI-3.1 3.4). Which of its receives that is, is
 * not known here: the last. */
void check_rendezvous(int rank, int to) { check_clock_join(rank, receiving[to]); }

/* ---- meetings -------------------------------------------------------------------------------- */

struct check_meeting *check_meeting_new(int members, enum check_flow flow, int root)
{
    struct check_meeting *meeting = g_new0(struct check_meeting, 1);
    meeting->members = members;
    meeting->flow = flow;
    meeting->root = root;
    if (flow == CHECK_UPWARD) meeting->each = g_new0(struct check_clock *, members);
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
    if (meeting->flow == CHECK_UPWARD)
        meeting->each[comm_rank] = check_clock_ref(clock);
    else if (meeting->flow != CHECK_FROM_ROOT || comm_rank == meeting->root)
        check_clock_merge(&meeting->sum, clock);
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
    if (meeting->flow == CHECK_UPWARD) {
        for (int i = 0; i < comm_rank; i++) check_clock_join(rank, meeting->each[i]);
    } else if (meeting->flow != CHECK_TO_ROOT || comm_rank == meeting->root)
        check_clock_join(rank, meeting->sum);
    if (meeting->flow == CHECK_ALL && meeting->members == ranks && meeting->left == 0 &&
        meeting->arrived == meeting->members)
        check_clock_everybody(meeting->sum);
    return check_meeting_pass(meeting);
}

/* A communicator's collective calls come in the same order at each of its ranks. */
struct check_meeting *check_meet(int rank, const struct check_comm *comm, enum check_flow flow,
                                 int root, bool bytes)
{
    check_moved(rank);
    const struct envelope mine = {comm->ranks, comm->number, rank, 0, 0};
    int call = GPOINTER_TO_INT(g_hash_table_lookup(calls, &mine));
    g_hash_table_insert(calls, g_memdup2(&mine, sizeof mine), GINT_TO_POINTER(call + 1));
    const struct envelope e = {comm->ranks, comm->number, call, 0, 0};
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

void check_met(int rank, const struct check_comm *comm, struct check_meeting *meeting)
{
    check_meeting_leave(meeting, rank, comm->comm_rank);
}
