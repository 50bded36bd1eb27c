/* Acts of senders and of members are kept until who waits for them has taken them. */
#include "sync/late/late.h"

#include "kern/parts/parts.h"

/* ---- what came last to a call ---------------------------------------------------------------- */

/* By rank: the latest act that its call waited for, or NULL; by messages of so many bytes. */
struct latest {
    const struct kern_cause *act;
    uint64_t bytes;
    bool sends; /* the call only sends them, and waits for nobody */
};
static GArray *last; /* struct latest */

static struct latest *last_of(int rank)
{
    const struct latest none = {NULL, 0, false};
    if (!last) last = g_array_new(FALSE, FALSE, sizeof none);
    while (last->len <= (guint)rank) g_array_append_val(last, none);
    return &g_array_index(last, struct latest, rank);
}

static void came(const struct serve_proc *me, struct latest fresh)
{
    struct latest *latest = last_of(me->rank);
    if (!fresh.act || (latest->act && latest->act->to_s >= fresh.act->to_s)) return;
    kern_cause_unref(latest->act);
    *latest = fresh;
    kern_cause_ref(fresh.act);
}

enum { ENVELOPE = 16 }; /* bytes that SimGrid sends with each message: smpi/mpi/smpi_request.cpp */

/* Of what SimGrid's messages are made: as many equal ones, one behind the other, as there is time
 * for; within a node, if who came last is there (if it was this rank: if others may be). Left out:
 * several on their way at once. */
static void note_messages(const struct serve_proc *me, const struct latest *latest, double seconds)
{
    const struct mach *m = me->mach;
    const int from = latest->act->rank;
    const double bytes = (double)latest->bytes + ENVELOPE;
    const bool within =
        from == me->rank ? mach_node_ranks(m) > 1 : from >= 0 && mach_node_of(m, from) == me->node;
    kern_parts_forget();
    kern_parts_note(&m->send_s, m->send_s);
    if (bytes - ENVELOPE > m->net_short_bytes) kern_parts_note(&m->net_fetch, m->net_fetch);
    if (!latest->sends) {
        kern_parts_note(&m->receive_s, m->receive_s);
        kern_parts_note(&m->net_local_latency, within ? m->net_local_latency : 0);
        kern_parts_note(&m->net_local_bandwidth, within ? bytes / m->net_local_bandwidth : 0);
        kern_parts_note(&m->net_latency, within ? 0 : m->net_latency);
        kern_parts_note(&m->ni_latency, within ? 0 : m->ni_latency);
        kern_parts_note(&m->net_bandwidth, within ? 0 : bytes / m->net_bandwidth);
    }
    kern_parts_fill(seconds);
}

void sync_late_over(struct serve_proc *me)
{
    if (!last || last->len <= (guint)me->rank) return;
    struct latest *latest = last_of(me->rank);
    const struct kern_cause *act = latest->act;
    if (!act) return;
    if (me->parts) note_messages(me, latest, kern_now() - act->to_s);
    const struct kern_cause *by = kern_cause_event(act, KERN_NETWORK, -1, act->to_s, kern_now());
    serve_waited(me, PROFILE_PARTNER, by);
    kern_cause_unref(by);
    kern_cause_unref(act);
    latest->act = NULL;
}

/* ---- receives that have begun ---------------------------------------------------------------- */

struct receive {
    const void *ranks; /* the communicator's */
    int number, from, tag;
    const struct kern_cause *act; /* that began it */
};
static GPtrArray *begun; /* by rank of the world: GQueue of struct receive */

/* By rank: the message it has sent last, and the receive that took it; NULL: none has. */
struct sending {
    const struct kern_cause *sent, *taken;
};
static GArray *sending; /* struct sending */

static void free_receive(void *data)
{
    kern_cause_unref(((struct receive *)data)->act);
    g_free(data);
}

static void free_receives(void *data) { g_queue_free_full(data, free_receive); }

static GQueue *begun_by(int rank)
{
    if (!begun) begun = g_ptr_array_new_with_free_func(free_receives);
    while (begun->len <= (guint)rank) g_ptr_array_add(begun, g_queue_new());
    return begun->pdata[rank];
}

static struct sending *sending_of(int rank)
{
    static const struct sending none;
    if (!sending) sending = g_array_new(FALSE, FALSE, sizeof none);
    while (sending->len <= (guint)rank) g_array_append_val(sending, none);
    return &g_array_index(sending, struct sending, rank);
}

static void sends(int rank, const struct kern_cause *act)
{
    struct sending *now = sending_of(rank);
    kern_cause_unref(now->sent);
    kern_cause_unref(now->taken);
    *now = (struct sending){kern_cause_ref(act), NULL};
}

void sync_late_receives(struct serve_proc *me, const struct sync_context *in, int from, int tag)
{
    struct receive *receive = g_new(struct receive, 1);
    *receive =
        (struct receive){in->ranks, in->number, from, tag, kern_cause_here(me->rank, kern_now())};
    g_queue_push_tail(begun_by(me->rank), receive);
}

/* The first of that rank's which a message of the member takes; NULL: none. */
static GList *receive_of(int rank, const struct sync_context *in, int from, int tag)
{
    for (GList *at = begun_by(rank)->head; at; at = at->next) {
        const struct receive *receive = at->data;
        if (receive->ranks == in->ranks && receive->number == in->number &&
            (receive->from < 0 || receive->from == from) &&
            (receive->tag < 0 || receive->tag == tag))
            return at;
    }
    return NULL;
}

/* Its receive has taken that message; the sender may still wait for that. */
static void took(const struct serve_proc *me, const struct sync_context *in, int from, int tag,
                 const struct kern_cause *message)
{
    GList *at = receive_of(me->rank, in, from, tag);
    struct sending *now = sending_of(message->rank);
    if (!at) return;
    struct receive *receive = at->data;
    if (now->sent == message && !now->taken) now->taken = kern_cause_ref(receive->act);
    g_queue_delete_link(begun_by(me->rank), at);
    free_receive(receive);
}

void sync_late_delivered(struct serve_proc *me, const struct sync_context *in, int to, int tag,
                         uint64_t bytes)
{
    const GList *at = receive_of(to, in, in->me, tag);
    const struct kern_cause *here = kern_cause_here(me->rank, me->idle_s),
                            *act = sending_of(me->rank)->taken;
    if (!act && at) act = ((const struct receive *)at->data)->act;
    came(me, (struct latest){here, bytes, false});
    came(me, (struct latest){act, bytes, false});
    kern_cause_unref(here);
}

/* ---- messages -------------------------------------------------------------------------------- */

struct message {
    struct sync_context in; /* me: the sender */
    int tag;
    uint64_t bytes;
    const struct kern_cause *act; /* that sent it */
};
static GPtrArray *sent; /* by rank of the world that receives: GQueue of struct message */

static void free_message(void *data)
{
    kern_cause_unref(((struct message *)data)->act);
    g_free(data);
}

static void free_queue(void *data) { g_queue_free_full(data, free_message); }

static GQueue *sent_to(int rank)
{
    if (!sent) sent = g_ptr_array_new_with_free_func(free_queue);
    while (sent->len <= (guint)rank) g_ptr_array_add(sent, g_queue_new());
    return sent->pdata[rank];
}

void sync_late_sent(struct serve_proc *me, const struct sync_context *in, int to, int tag,
                    uint64_t bytes)
{
    struct message *message = g_new(struct message, 1);
    *message = (struct message){*in, tag, bytes, kern_cause_here(me->rank, kern_now())};
    g_queue_push_tail(sent_to(to), message);
    sends(me->rank, message->act);
}

void sync_late_received(struct serve_proc *me, const struct sync_context *in, int from, int tag)
{
    GQueue *queue = sent_to(me->rank);
    for (GList *at = queue->head; at; at = at->next) {
        struct message *message = at->data;
        if (message->in.ranks != in->ranks || message->in.number != in->number ||
            message->in.me != from || message->tag != tag)
            continue;
        came(me, (struct latest){message->act, message->bytes, false});
        serve_took(me, message->act->rank);
        took(me, in, from, tag, message->act);
        g_queue_delete_link(queue, at);
        free_message(message);
        return;
    }
}

/* ---- collectives ----------------------------------------------------------------------------- */

/* One call of all members. */
struct meeting {
    int done;                       /* members that have what they take */
    const struct kern_cause *last;  /* who entered last, so far */
    const struct kern_cause *act[]; /* by member; NULL: it has not entered */
};
struct calls {
    const void *ranks;
    int number, members;
    int left;           /* members that have freed it */
    uint64_t over;      /* meetings that all are done with */
    GQueue open;        /* struct meeting behind them, in order */
    uint64_t entered[]; /* by member */
};
static GHashTable *calls; /* struct calls, by communicator */

static guint hash(gconstpointer data)
{
    const struct calls *c = data;
    return g_direct_hash(c->ranks) * 31 + (guint)c->number;
}

static gboolean equal(gconstpointer a, gconstpointer b)
{
    const struct calls *x = a, *y = b;
    return x->ranks == y->ranks && x->number == y->number;
}

static void free_meeting(struct meeting *meeting, int members)
{
    for (int i = 0; i < members; i++) kern_cause_unref(meeting->act[i]);
    g_free(meeting);
}

static void free_calls(void *data)
{
    struct calls *c = data;
    for (struct meeting *m; (m = g_queue_pop_head(&c->open));) free_meeting(m, c->members);
    g_free(c);
}

static struct calls *calls_of(const struct sync_context *in)
{
    const struct calls key = {.ranks = in->ranks, .number = in->number};
    if (!calls) calls = g_hash_table_new_full(hash, equal, free_calls, NULL);
    struct calls *c = g_hash_table_lookup(calls, &key);
    if (c) return c;
    c = g_malloc0(sizeof *c + in->members * sizeof *c->entered);
    *c = (struct calls){.ranks = in->ranks, .number = in->number, .members = in->members};
    g_queue_init(&c->open);
    g_hash_table_add(calls, c);
    return c;
}

void sync_late_enters(struct serve_proc *me, const struct sync_context *in)
{
    struct calls *c = calls_of(in);
    const guint at = (guint)(c->entered[in->me]++ - c->over);
    while (c->open.length <= at)
        g_queue_push_tail(&c->open, g_malloc0(sizeof(struct meeting) +
                                              c->members * sizeof(const struct kern_cause *)));
    struct meeting *meeting = g_queue_peek_nth(&c->open, at);
    meeting->last = meeting->act[in->me] = kern_cause_here(me->rank, kern_now());
}

/* Of whose data this rank takes, the last to enter. */
static const struct kern_cause *awaited(const struct meeting *meeting,
                                        const struct sync_context *in, enum sync_late_flow flow,
                                        int root)
{
    const struct kern_cause *latest = NULL;
    if (flow == SYNC_LATE_FROM_ROOT) return meeting->act[root];
    if (flow == SYNC_LATE_TO_ROOT && in->me != root) return NULL;
    if (flow != SYNC_LATE_UPWARD) return meeting->last;
    for (int i = 0; i < in->me; i++)
        if (meeting->act[i] && (!latest || meeting->act[i]->to_s > latest->to_s))
            latest = meeting->act[i];
    return latest;
}

void sync_late_has(struct serve_proc *me, const struct sync_context *in, enum sync_late_flow flow,
                   int root, uint64_t bytes)
{
    struct calls *c = calls_of(in);
    struct meeting *meeting = g_queue_peek_nth(&c->open, (guint)(c->entered[in->me] - 1 - c->over));
    const bool sends =
        flow == SYNC_LATE_FROM_ROOT && in->me == root && bytes <= me->mach->move_eager_bytes;
    came(me, (struct latest){awaited(meeting, in, flow, root), bytes, sends});
    meeting->done++;
    while ((meeting = g_queue_peek_head(&c->open)) && meeting->done == c->members) {
        g_queue_pop_head(&c->open);
        free_meeting(meeting, c->members);
        c->over++;
    }
}

void sync_late_left(const struct sync_context *in)
{
    const struct calls key = {.ranks = in->ranks, .number = in->number};
    struct calls *c = calls ? g_hash_table_lookup(calls, &key) : NULL;
    if (c && ++c->left == c->members) g_hash_table_remove(calls, c);
}

void sync_late_clear(void)
{
    for (guint i = 0; last && i < last->len; i++)
        kern_cause_unref(g_array_index(last, struct latest, i).act);
    for (guint i = 0; sending && i < sending->len; i++) sends((int)i, NULL);
    g_clear_pointer(&last, g_array_unref);
    g_clear_pointer(&sending, g_array_unref);
    g_clear_pointer(&begun, g_ptr_array_unref);
    g_clear_pointer(&sent, g_ptr_array_unref);
    g_clear_pointer(&calls, g_hash_table_unref);
}
