/* "If a sender sends two messages in succession to the same destination, and both match the same
 * receive, then this operation cannot receive the second message if the first one is still pending"
 * (MPI-3.1 3.5). SMPI has two places for what waits at a rank: it looks for short messages before
 * long and synchronous ones, and at those whose bytes are all there before others. Of one tag it
 * keeps the order. So a receive or a probe for any tag asks for the earliest message's.
 *
 * Left out: one for any tag while another receive is under way that may have had that message.
 */
#include "sync/heard/heard.h"
#include "dialect/mpi/message/pending.h"

struct sent {
    const struct dialect_rank_group *ranks; /* with the number: the communicator */
    int number, source, tag;
    uint64_t bytes;
    bool long_one; /* where SMPI looks last */
};

/* What has been sent to a rank and not been received, in order: struct sent. */
struct queue {
    GQueue all;
    uint64_t least, most; /* bytes of one, since it was empty */
    int long_ones;
};
static struct queue *waiting;

static struct queue *waiting_at(int rank)
{
    if (!waiting) waiting = g_new0(struct queue, world_ranks());
    return &waiting[rank];
}

void dialect_earliest_sent(struct world_rank *r, const struct dialect_comm *comm, int target,
                           int tag, uint64_t bytes, bool synchronous)
{
    struct sent *sent = g_new(struct sent, 1);
    *sent = (struct sent){comm->ranks,     comm->number,
                          comm->comm_rank, tag,
                          bytes,           synchronous || bytes >= sync_message_short(r->proc)};
    struct queue *q = waiting_at(comm->ranks->world_rank[target]);
    const bool alone = q->all.length == 0;
    q->least = alone ? bytes : MIN(q->least, bytes);
    q->most = alone ? bytes : MAX(q->most, bytes);
    q->long_ones += sent->long_one;
    g_queue_push_tail(&q->all, sent);
}

static bool along(const struct sent *sent, const struct dialect_comm *comm)
{
    return sent->ranks == comm->ranks && sent->number == comm->number;
}

void dialect_earliest_received(struct world_rank *r, const struct dialect_comm *comm, int source,
                               int tag)
{
    struct queue *q = waiting_at(r->rank);
    for (GList *l = q->all.head; l; l = l->next) {
        struct sent *sent = l->data;
        if (!along(sent, comm) || sent->source != source || sent->tag != tag) continue;
        q->long_ones -= sent->long_one;
        g_free(sent);
        g_queue_delete_link(&q->all, l);
        return;
    }
}

/* Does SMPI find the later one first? */
static bool overtakes(const struct sent *later, const struct sent *first)
{
    return later->tag != first->tag && !later->long_one &&
           (first->long_one || later->bytes < first->bytes);
}

/* A receive that is under way may have that message. */
static bool wanted(struct world_rank *r, MPI_Comm comm, const struct sent *sent)
{
    GHashTable *pending = dialect_rank(r)->pending;
    GHashTableIter each;
    void *value;
    if (!pending) return false;
    for (g_hash_table_iter_init(&each, pending); g_hash_table_iter_next(&each, NULL, &value);) {
        const struct dialect_pending *p = value;
        if (p->receive && p->comm == comm && (!p->persistent || p->started) &&
            (p->to == MPI_ANY_SOURCE || p->to == sent->source) &&
            (p->tag == MPI_ANY_TAG || p->tag == sent->tag))
            return true;
    }
    return false;
}

/* One that was cancelled, or whose receive the program has given up, is not there. */
static bool there(const struct sent *sent, MPI_Comm comm)
{
    MPI_Status status;
    int flag = 0;
    return PMPI_Iprobe(sent->source, sent->tag, comm, &flag, &status) == MPI_SUCCESS && flag;
}

/* The first message of a source that a later one overtakes; NULL: SMPI finds the right one. */
static const struct sent *first_overtaken(const struct queue *q, const struct dialect_comm *comm,
                                          int source)
{
    const struct sent *found = NULL;
    g_autoptr(GHashTable) first = g_hash_table_new(NULL, NULL); /* by source */
    for (const GList *l = q->all.head; l && !found; l = l->next) {
        struct sent *sent = l->data;
        if (!along(sent, comm) || (source != MPI_ANY_SOURCE && source != sent->source)) continue;
        const struct sent *before = g_hash_table_lookup(first, GINT_TO_POINTER(sent->source));
        if (!before)
            g_hash_table_insert(first, GINT_TO_POINTER(sent->source), sent);
        else if (overtakes(sent, before))
            found = before;
    }
    return found;
}

void dialect_earliest(struct world_rank *r, MPI_Comm comm, int *source, int *tag)
{
    if (!r || !waiting || *tag != MPI_ANY_TAG) return;
    const struct queue *q = waiting_at(r->rank);
    if (q->all.length < 2 || (q->long_ones == 0 && q->least == q->most)) return;
    const struct dialect_comm *c = dialect_comm_find(r, comm);
    const struct sent *sent = c ? first_overtaken(q, c, *source) : NULL;
    if (!sent || wanted(r, comm, sent) || !there(sent, comm)) return;
    *source = sent->source;
    *tag = sent->tag;
}
