/* Messages among requests: MPI's messages are not ours to match, but a probe that finds one of each tells which came first. So what is sent
 * is noted at its target, with the time when its first byte gets there, until it is received. */
#include "sync/match.h"

struct message { int origin, tag; double came_s; };

void sync_match_sent(struct sync_match *match, int member, struct serve_proc *me, int target, int tag)
{
    struct message *message = g_new(struct message, 1);
    double way_s = move_latency(match->move, me->rank, match->part[target].proc->rank);
    *message = (struct message){member, tag, serve_now(me) + way_s};
    g_queue_push_tail(&match->part[target].messages, message);
}

/* Those of one origin and tag are received in the order in which they were sent. */
static GList *find(struct sync_part *part, int origin, int tag)
{
    for (GList *at = part->messages.head; at; at = at->next) {
        const struct message *message = at->data;
        if ((origin < 0 || origin == message->origin) && (tag < 0 || tag == message->tag)) return at;
    }
    return NULL;
}

void sync_match_received(struct sync_match *match, int member, int origin, int tag)
{
    GList *at = find(&match->part[member], origin, tag);
    if (!at) return;
    g_free(at->data);
    g_queue_delete_link(&match->part[member].messages, at);
}

bool sync_match_message_first(struct sync_match *match, int member, int origin, int tag, double at_s)
{
    const GList *at = find(&match->part[member], origin, tag);
    return at && ((const struct message *)at->data)->came_s <= at_s;
}
