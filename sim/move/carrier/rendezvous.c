/* rendezvous: for more than move.eager_bytes, and for accumulates behind such a one: the origin
 * asks, the target's processor says go, then the bytes travel and the handler copies them. Two more
 * overheads on each side buy not having to buffer the bytes at the target. */
#include "move/carrier/message.h"

static double overheads(const struct mach *m)
{
    return m->net_overhead_receive + m->net_overhead_send;
}

/* ---- the order of accumulates: asked for in order, fed in order ------------------------------ */

static bool accumulates(const struct move_op *op)
{
    return op->trail.kind == OP_ACCUMULATE || op->trail.kind == OP_GET_ACCUMULATE;
}

static gpointer pair(const struct move_op *op)
{
    return GSIZE_TO_POINTER((gsize)op->trail.origin * (gsize)op->move->ranks +
                            (gsize)op->trail.target);
}

static gsize unfed(const struct move_op *op)
{
    return op->move->unfed ? GPOINTER_TO_SIZE(g_hash_table_lookup(op->move->unfed, pair(op))) : 0;
}

static void unfed_set(const struct move_op *op, gsize n)
{
    if (!op->move->unfed) op->move->unfed = g_hash_table_new(NULL, NULL);
    if (n > 0)
        g_hash_table_insert(op->move->unfed, pair(op), GSIZE_TO_POINTER(n));
    else
        g_hash_table_remove(op->move->unfed, pair(op));
}

bool move_overtakes(const struct move_op *op) { return accumulates(op) && unfed(op) > 0; }

/* ---- asking, being told to go, sending ------------------------------------------------------- */

/* The origin's handler for the go-ahead: reads the bytes. */
static double feed(void *data, double begin_s)
{
    struct move_op *op = data;
    double work_s = overheads(op->move->mach);
    return work_s +
           move_gather(op->origin, op->origin->cpu, &op->from, op->bytes, begin_s + work_s);
}

static void fed(void *data, double done_s)
{
    struct move_op *op = data;
    move_message_send(op, done_s);
    if (accumulates(op)) unfed_set(op, unfed(op) - 1);
    /* last: whoever wakes sends behind it */
    if (--op->set->unread == 0) kern_gate_open(op->origin->gate);
}

static void go_ahead(void *data, double at_s)
{
    struct move_op *op = data;
    op->job = (struct serve_job){.target = op->origin, .work = feed, .done = fed, .data = op};
    serve_request(&op->job, at_s);
}

static double grant(void *data, double begin_s)
{
    struct move_op *op = data;
    const struct mach *m = op->move->mach;
    return move_placed(op, begin_s + m->net_overhead_receive) ? overheads(m)
                                                              : m->net_overhead_receive;
}

static void granted(void *data, double done_s)
{
    struct move_op *op = data;
    if (!move_placed(op, done_s)) {
        move_waits(op, done_s);
        return;
    }
    net_send(op->move->net, op->target->node, op->origin->node, MOVE_HEADER_BYTES, done_s, go_ahead,
             op);
}

/* A servicer has come for a request that waited. */
static double grant_late(void *data, double begin_s)
{
    (void)begin_s;
    struct move_op *op = data;
    return op->move->mach->net_overhead_send;
}

static void service(struct move_op *op, double at_s)
{
    op->job =
        (struct serve_job){.target = op->target, .work = grant_late, .done = granted, .data = op};
    serve_request(&op->job, at_s);
}

static void asked(void *data, double at_s)
{
    struct move_op *op = data;
    op->asked_s = at_s;
    op->job = (struct serve_job){.target = op->target, .work = grant, .done = granted, .data = op};
    serve_request(&op->job, at_s);
}

static bool applies(const struct move_op *op)
{
    (void)op;
    return true; /* last in the family: what nothing else carries */
}

static void start(struct move_op *op)
{
    struct serve_proc *origin = op->origin;
    op->set->unread++;
    if (accumulates(op)) unfed_set(op, unfed(op) + 1);
    serve_compute(origin, op->move->mach->net_overhead_send);
    net_send(op->move->net, origin->node, op->target->node, MOVE_HEADER_BYTES, serve_now(origin),
             asked, op);
    serve_pay_some(origin);
}

const struct move_carrier move_rendezvous = {
    .name = "rendezvous",
    .way = "message",
    .doc = "ask, be told to go, then send the bytes; both processors run handlers",
    .source = "the usual long-message protocol of MPI implementations over LogGP",
    .applies = applies,
    .start = start,
    .service = service,
};
