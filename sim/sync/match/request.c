/* Requests leave their origin (PUT/ACCEPT proposal, "Requesting"). */
#include "move/move.h"
#include "serve/request/request.h"
#include "sync/match/state.h"

/* The last of a process's requests is serviced: that may be what a freed servicer still waited for.
 */
static void own_emptied(struct move_set *set, double at_s)
{
    const struct sync_own *own =
        (const struct sync_own *)((const char *)set - G_STRUCT_OFFSET(struct sync_own, set));
    (void)at_s;
    sync_servicers_retire(own->match, own->member, own->tag);
}

void sync_match_ask(struct sync_match *match, int member, struct serve_proc *me,
                    const struct sync_ask *ask, const struct move_op *op)
{
    struct sync_part *part = &match->part[member];
    serve_completing(me, false);
    struct sync_issue *issue = g_new0(struct sync_issue, 1);
    int round =
        sync_collective(ask->kind) ? sync_round_number(part->asked, ask->tag, ask->kind) : 0;
    *issue = (struct sync_issue){.match = match,
                                 .ask = *ask,
                                 .origin = member,
                                 .target = op->target,
                                 .round = round,
                                 .number = part->sent++,
                                 .arrived_s = -1};
    issue->own = sync_own_of(match, member, ask->tag, ask->kind, round, true);
    issue->own->set.emptied = own_emptied;
    if (issue->own->to) issue->own->to[op->target]++;
    struct move_transfer *t =
        move_transfer_new(match->move, op, me->rank, match->part[op->target].proc->rank, 0);
    issue->transfer = t;
    t->set = &issue->own->set;
    t->place = sync_match_place;
    t->served = sync_match_served;
    t->request = issue;
    issue->issued_at = part->issued->len;
    g_ptr_array_add(part->issued, issue);
    struct sync_guard *guard = sync_guard_add(me->cpu, op->from.addr, &op->from.layout,
                                              "PUT/ACCEPT: Non-conformance (origin buffer)",
                                              op->call, op->site, op->number);
    if (guard) g_queue_push_tail(&issue->own->guarded, guard);
    move_start(t); /* the request may be serviced, and gone, when it returns */
    if (guard) sync_guard_filters(guard);
}
