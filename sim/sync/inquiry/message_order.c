/* Messages among requests: MPI's messages are not ours to match, but a probe that finds one of each
 * says which came first. So what is sent is noted at its target, with its number among all that
 * its origin sends and the time when its first byte gets there, until it is received.
 *
 * Requests and messages of one origin travel different ways, of different speed, but none overtakes
 * another: there is one queue ("whether a GET, PUT, GETHOLD, PUTHOLD, or SEND is in the queue").
 */
#include "move/control/control.h"
#include "sync/inquiry/inquiry.h"
#include "sync/match/state.h"

struct message {
    struct sync_message is;
    uint64_t number;
    double came_s;
};

void sync_match_sent(struct sync_match *match, int member, struct serve_proc *me, int target,
                     int tag)
{
    struct message *message = g_new(struct message, 1);
    double way_s = move_latency(match->move, me->rank, match->part[target].proc->rank);
    *message = (struct message){{member, tag}, match->part[member].sent++, serve_now(me) + way_s};
    g_queue_push_tail(&match->part[target].messages, message);
}

static bool fits(const struct message *message, int origin, int tag)
{
    return (origin < 0 || origin == message->is.origin) && (tag < 0 || tag == message->is.tag);
}

/* Those of one origin and tag are received in the order in which they were sent. */
static GList *find(struct sync_part *part, int origin, int tag)
{
    GList *at = part->messages.head;
    while (at && !fits(at->data, origin, tag)) at = at->next;
    return at;
}

void sync_match_received(struct sync_match *match, int member, int origin, int tag)
{
    GList *at = find(&match->part[member], origin, tag);
    if (!at) return;
    g_free(at->data);
    g_queue_delete_link(&match->part[member].messages, at);
}

bool sync_match_message_first(struct sync_match *match, int member, int origin, int tag,
                              const struct sync_found *request, struct sync_message *message)
{
    for (GList *at = match->part[member].messages.head; at; at = at->next) {
        const struct message *m = at->data;
        if (!fits(m, origin, tag)) continue;
        *message = m->is;
        if (m->is.origin == request->origin ? m->number < request->number
                                            : m->came_s <= request->arrived_s)
            return true;
    }
    return false;
}

bool sync_match_request_first(struct sync_match *match, int member, int tag,
                              const struct sync_message *message)
{
    const GList *at = find(&match->part[member], message->origin, message->tag);
    const GPtrArray *issued = match->part[message->origin].issued;
    for (guint i = 0; at && i < issued->len; i++) {
        const struct sync_issue *issue = issued->pdata[i];
        if (issue->target == member && !issue->servicer && (tag < 0 || tag == issue->ask.tag) &&
            issue->number < ((const struct message *)at->data)->number)
            return true;
    }
    return false;
}
