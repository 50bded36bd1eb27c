/* eager: the operation travels as one message with its bytes; the target's processor runs the
 * handler when its servicing policy says (HARDWARE 3, behaviour 2). What describes the target's
 * datatype travels along. Put: o_s at the origin, o_r and the copy and o_s for the answer at the
 * target, o_r at the origin. Get: the answer carries the bytes. */
#include "move/carrier/message.h"

/* Where an interface reaches the same memory (move.put or move.get asked for messages only one
 * way), what the processor has in its cache and its write buffer must agree with it. */
static double perform(struct move_op *op, double at_s)
{
    const struct mach *m = op->move->mach;
    if (move_coherent(m) || op->target->policy->processor)
        return move_perform(op, op->target->cpu, at_s);
    double cost_s = 0;
    for (uint32_t i = 0; i < op->to.layout.pieces; i++) {
        struct op_piece p = op->to.layout.piece[i];
        /* and the chunks that it begins and ends in */
        uintptr_t addr = op->to.addr + (uintptr_t)p.offset - m->shmalloc_chunk;
        cost_s +=
            mem_refresh(op->target->cpu, addr, p.bytes + 2 * m->shmalloc_chunk, at_s + cost_s);
    }
    return cost_s + move_perform_late(op, at_s + cost_s);
}

static double handle(void *data, double begin_s)
{
    struct move_op *op = data;
    const struct mach *m = op->move->mach;
    op->trail.at_s[OP_SERVICED] = begin_s;
    double work_s = m->net_overhead_receive;
    work_s += move_decode(op, begin_s + work_s);
    if (!move_placed(op, begin_s + work_s))
        return work_s + move_stage(op, op->target->cpu, begin_s + work_s);
    work_s += perform(op, begin_s + work_s);
    return work_s + m->net_overhead_send;
}

/* The answer is at the origin, whose processor takes it in while it waits there. */
static void answered(void *data, double at_s)
{
    struct move_op *op = data;
    double cost_s = op->move->mach->net_overhead_receive;
    if (move_fetches(op)) cost_s += move_land(op, op->origin->cpu, at_s + cost_s);
    move_complete(op, at_s + cost_s);
}

static void reply(void *data, double done_s)
{
    struct move_op *op = data;
    move_served(op, done_s);
    uint64_t bytes = move_fetches(op) ? op->trail.bytes : MOVE_HEADER_BYTES;
    net_send(op->move->net, op->target->node, op->origin->node, bytes, done_s, answered, op);
}

static void handled(void *data, double done_s)
{
    struct move_op *op = data;
    if (op->trail.at_s[OP_PERFORMED] < 0)
        move_waits(op, done_s);
    else
        reply(op, done_s);
}

/* A servicer has come for a message that waited. */
static double handle_late(void *data, double begin_s)
{
    struct move_op *op = data;
    op->trail.at_s[OP_SERVICED] = begin_s;
    double work_s = move_unstage(op, op->target->cpu, begin_s);
    work_s += move_perform(op, op->target->cpu, begin_s + work_s);
    return work_s + op->move->mach->net_overhead_send;
}

static void service(struct move_op *op, double at_s)
{
    op->job =
        (struct serve_job){.target = op->target, .work = handle_late, .done = reply, .data = op};
    serve_request(&op->job, at_s);
}

static void arrived(void *data, double at_s)
{
    struct move_op *op = data;
    op->trail.at_s[OP_ARRIVED] = op->asked_s = at_s;
    op->job = (struct serve_job){.target = op->target, .work = handle, .done = handled, .data = op};
    serve_request(&op->job, at_s);
}

void move_message_send(struct move_op *op, double ready_s)
{
    uint64_t bytes = (move_writes(op) ? op->trail.bytes : MOVE_HEADER_BYTES) + move_describe(op);
    op->trail.at_s[OP_DEPARTED] =
        net_send(op->move->net, op->origin->node, op->target->node, bytes, ready_s, arrived, op);
}

static bool applies(const struct move_op *op)
{
    if (!move_writes(op)) return true;
    return op->trail.bytes + move_description(op) <= (uint64_t)op->move->mach->move_eager_bytes &&
           !move_overtakes(op);
}

static void start(struct move_op *op)
{
    struct serve_proc *origin = op->origin;
    serve_compute(origin, op->move->mach->net_overhead_send);
    if (move_writes(op))
        serve_memory(origin,
                     move_gather(origin, origin->cpu, &op->from, op->bytes, serve_now(origin)));
    move_message_send(op, serve_now(origin));
    /* The origin is free after o_s + (n-1)G: its processor feeds the interface. */
    serve_compute(origin, fmax(0, op->trail.at_s[OP_DEPARTED] - serve_now(origin)));
    serve_pay_some(origin);
}

const struct move_carrier move_eager = {
    .name = "eager",
    .way = "message",
    .doc = "one message with its bytes; the target's processor runs a handler",
    .source = "LogGP: Alexandrov et al., SPAA 1995; Active Messages: von Eicken et al., ISCA 1992",
    .applies = applies,
    .start = start,
    .service = service,
};
