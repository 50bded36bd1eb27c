/* A transfer's life, whatever carries it, and the sets that calls wait for. */
#include "move/transfer/chunk.h"
#include "check/check.h"
#include "kern/parts/parts.h"
#include "profile/objects/objects.h"
#include "profile/profile.h"
#include "trace/trace.h"

static void own_side(struct move_side *side, struct op_piece *inline_piece)
{
    const struct op_layout *layout = &side->layout;
    if (layout->pieces == 1) {
        *inline_piece = layout->piece[0];
        side->layout.piece = inline_piece;
    } else
        side->layout.piece = g_memdup2(layout->piece, layout->pieces * sizeof *layout->piece);
}

struct move_transfer *move_transfer_new(struct move *move, const struct move_op *op, int origin,
                                        int target, uintptr_t base)
{
    const uint64_t bytes = op->to.layout.bytes;
    const bool combines = op->kind == OP_ACCUMULATE || op->kind == OP_GET_ACCUMULATE;
    struct move_transfer *t = g_malloc(sizeof *t + bytes + (combines ? bytes : 0));
    memset(t, 0, sizeof *t);
    t->op = *op;
    t->op.to.addr += base;
    own_side(&t->op.from, &t->inline_piece[0]);
    own_side(&t->op.to, &t->inline_piece[1]);
    own_side(&t->op.result, &t->inline_piece[2]);
    t->move = move;
    t->origin = move->proc[origin];
    t->target = move->proc[target];
    t->bytes = (uint8_t *)(t + 1);
    t->old = t->bytes + bytes;
    t->trail.kind = op->kind;
    t->trail.call = op->call;
    t->trail.site = op->site;
    t->trail.origin = origin;
    t->trail.target = target;
    t->trail.bytes = bytes;
    for (int step = 0; step < OP_STEPS; step++) t->trail.at_s[step] = -1;
    t->trail.at_s[OP_CALLED] = serve_now(t->origin);
    if (!op->counter)
        profile_called(op->site, op->call, origin, target, t->op.to.addr, bytes,
                       op->kind == OP_GET || op->asks);
    return t;
}

static void free_side(struct move_side *side)
{
    if (side->layout.pieces > 1) g_free((void *)side->layout.piece);
}

void move_cut(struct move_transfer *t)
{
    free_side(&t->op.from);
    free_side(&t->op.to);
    t->op.from.layout = t->op.to.layout = (struct op_layout){0};
}

static void transfer_free(struct move_transfer *t)
{
    free_side(&t->op.from);
    free_side(&t->op.to);
    free_side(&t->op.result);
    move_chunk_free(t);
    g_free(t);
}

void move_drop(struct move_transfer *t)
{
    t->set->outstanding--;
    transfer_free(t);
}

/* What it has moved, over the network, is owed by the network. */
static void owe(const struct move_transfer *t)
{
    const int origin = t->origin->node, target = t->target->node;
    /* of chunks that its bytes fill in part, the rest never crossed */
    const uint64_t bytes = MIN(t->trail.bytes, t->op.to.layout.bytes);
    if (!t->carrier->sends) return;
    if (move_writes(t) && !t->loaded) net_owe(t->move->net, origin, target, bytes);
    if (move_fetches(t) && !(t->loaded && move_combines(t)))
        net_owe(t->move->net, target, origin, bytes);
}

/* It is complete later than now: of what that time is made, the origin knows when it comes to wait
 * for it. */
static void note_tail(const struct move_set *set, double done_s)
{
    struct serve_parts *parts = set->origin->parts;
    if (!parts) return;
    if (done_s >= set->last_s) {
        parts->tail = (struct kern_parts){0};
        kern_parts_noted(&parts->tail);
    }
    kern_parts_forget();
}

void move_complete(struct move_transfer *t, double done_s)
{
    struct move_set *set = t->set;
    struct kern_gate *gate = set->origin->gate;
    t->trail.at_s[OP_COMPLETED] = done_s;
    trace_operation(&t->trail);
    if (!t->op.counter) profile_operation(t->trail.target, t->op.to.addr);
    if (t->op.number) check_carried(t->op.number, t->bytes, t->trail.bytes);
    owe(t);
    if (kern_graph_on) kern_cause_also(&set->completed, kern_rank(), kern_now(), done_s);
    note_tail(set, done_s);
    set->last_s = fmax(set->last_s, done_s);
    transfer_free(t);
    if (--set->outstanding > 0) return;
    if (set->emptied) set->emptied(set, done_s);
    /* last: whoever waits for the set may be gone with it when this returns */
    kern_gate_open(gate);
}

static bool empty(void *data)
{
    struct move_set *set = data;
    return set->outstanding == 0;
}

void move_set_wait(struct move_set *set)
{
    set->started = 0;
    serve_wait(set->origin, PROFILE_SERVICE, empty, set);
    if (set->origin->parts) {
        kern_parts_forget();
        kern_parts_more(&set->origin->parts->tail);
    }
    serve_wait_until(set->origin, KERN_NETWORK, set->last_s, set->completed);
    set->completed = 0;
}

static bool sent(void *data)
{
    struct move_set *set = data;
    return set->unread == 0;
}

void move_set_sent(struct move_set *set)
{
    if (set->unread > 0) serve_wait(set->origin, PROFILE_SERVICE, sent, set);
}

/* ---- messages -------------------------------------------------------------------------------- */

static struct net_message back(struct move_transfer *t, int by, uint64_t bytes, double ready_s,
                               kern_handler handle)
{
    return (struct net_message){.from = t->target->node,
                                .to = t->origin->node,
                                .by = by,
                                .of = t->origin->rank,
                                .bytes = bytes,
                                .ready_s = ready_s,
                                .handle = handle,
                                .data = t};
}

void move_send_there(struct move_transfer *t, int by, uint64_t bytes, double ready_s,
                     kern_handler handle)
{
    struct net_message what = back(t, by, bytes, ready_s, handle);
    what.from = t->origin->node;
    what.to = t->target->node;
    what.sent_s = by == NET_INTERFACE ? NULL : &t->trail.at_s[OP_DEPARTED];
    net_send(t->move->net, &what);
}

void move_send_back(struct move_transfer *t, int by, uint64_t bytes, double ready_s,
                    kern_handler handle)
{
    const struct net_message what = back(t, by, bytes, ready_s, handle);
    net_send(t->move->net, &what);
}

void move_acknowledge(struct move_transfer *t, uint64_t bytes, double ready_s, kern_handler handle)
{
    const struct net_message what = back(t, t->target->rank, bytes, ready_s, handle);
    net_acknowledge(t->move->net, &what);
}
