/* Requests leave their origin (PUT/ACCEPT proposal, "Requesting"). */
#include "sync/match/state.h"

/* The last of a process's requests is serviced: that may be what a freed servicer still waited for.
 */
static void own_emptied(struct move_set *set, double at_s)
{
    const struct sync_own *own =
        (const struct sync_own *)((const char *)set - G_STRUCT_OFFSET(struct sync_own, set));
    (void)at_s;
    sync_servicers_retire(own->match, own->member);
}

void sync_match_ask(struct sync_match *match, int member, struct serve_proc *me,
                    const struct sync_ask *ask)
{
    struct sync_part *part = &match->part[member];
    serve_completing(me, false);
    struct sync_issue *issue = g_new0(struct sync_issue, 1);
    int round =
        sync_collective(ask->kind) ? sync_round_number(part->asked, ask->tag, ask->kind) : 0;
    *issue = (struct sync_issue){.match = match,
                                 .origin = member,
                                 .target = ask->target,
                                 .tag = ask->tag,
                                 .round = round,
                                 .kind = ask->kind,
                                 .hold = ask->hold,
                                 .disp = ask->disp,
                                 .number = part->sent++,
                                 .arrived_s = -1};
    issue->own = sync_own_of(match, member, ask->tag, ask->kind, round, true);
    issue->own->set.emptied = own_emptied;
    if (issue->own->to) issue->own->to[ask->target]++;
    bool writes = ask->kind == SYNC_PUT || ask->kind == SYNC_PUTC;
    struct move_transfer *op =
        move_transfer_new(match->move, writes ? OP_PUT : OP_GET, me->rank,
                          match->part[ask->target].proc->rank, ask->target_layout.bytes);
    issue->op = op;
    op->trail.call = ask->call;
    op->trail.site = ask->site;
    op->trail.at_s[OP_CALLED] = serve_now(me);
    move_transfer_side(&op->from, &op->inline_piece[0], ask->origin_addr, &ask->origin_layout);
    move_transfer_side(&op->to, &op->inline_piece[1], NULL, &ask->target_layout);
    op->described = ask->described;
    op->set = &issue->own->set;
    op->place = sync_match_place;
    op->served = sync_match_served;
    op->request = issue;
    g_ptr_array_add(part->issued, issue);
    struct sync_guard *guard =
        sync_guard_add(me->cpu, (uintptr_t)ask->origin_addr, &ask->origin_layout,
                       "PUT/ACCEPT: Non-conformance (origin buffer)", ask->call, ask->site);
    if (guard) g_queue_push_tail(&issue->own->guarded, guard);
    move_start(op); /* the request may be serviced, and gone, when it returns */
    if (guard) sync_guard_filters(guard);
}
