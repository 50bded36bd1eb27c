/* pool: hosts share a memory pool without coherence between them: the origin's processor stores
 * into the pool and flushes what it stored, or drops its copy and loads. Cost: one latency of the
 * pool and the bytes at its bandwidth. The target's cache learns nothing, as on the T3D. */
#include "move/carrier/carrier.h"

static bool applies(const struct move_op *op)
{
    return op->move->mach->pool_latency > 0 && !op->target->policy->processor &&
           !(op->target->delayed && op->target != op->origin);
}

static double pool_time(const struct move_op *op)
{
    const struct mach *m = op->move->mach;
    return m->pool_latency + (m->pool_bandwidth > 0 ? op->trail.bytes / m->pool_bandwidth : 0);
}

/* The last line is in the pool, or out of it. Bytes that must wait for a servicer wait in the pool,
 * however many. */
static void reached(void *data, double at_s)
{
    struct move_op *op = data;
    op->trail.at_s[OP_ARRIVED] = op->trail.at_s[OP_SERVICED] = at_s;
    if (!move_placed(op, at_s)) {
        move_waits(op, at_s);
        return;
    }
    at_s += move_perform(op, NULL, at_s);
    move_served(op, at_s);
    if (move_fetches(op)) serve_memory(op->origin, move_land(op, op->origin->cpu, at_s));
    move_complete(op, at_s);
}

/* The servicer's processor copies between the pool and its own memory. */
static double copy(void *data, double begin_s)
{
    struct move_op *op = data;
    op->trail.at_s[OP_SERVICED] = begin_s;
    double cost_s = pool_time(op);
    cost_s += move_perform_late(op, begin_s + cost_s);
    return cost_s;
}

static void copied(void *data, double done_s)
{
    struct move_op *op = data;
    move_served(op, done_s);
    if (move_fetches(op))
        serve_memory(op->origin, pool_time(op) + move_land(op, op->origin->cpu, done_s));
    move_complete(op, done_s);
}

static void service(struct move_op *op, double at_s)
{
    op->job = (struct serve_job){
        .target = op->target, .processor = true, .work = copy, .done = copied, .data = op};
    serve_request(&op->job, at_s);
}

static void chunks_loaded(void *data, double at_s)
{
    move_edge_read(data, at_s);
    move_edge_answer(data, at_s);
}

/* The chunks that a put begins and ends in. */
static void load_chunks(struct move_op *op)
{
    serve_pay(op->origin);
    serve_memory(op->origin, op->move->mach->pool_latency);
    kern_at(serve_now(op->origin), chunks_loaded, op);
    move_edge_wait(op);
}

static void start(struct move_op *op)
{
    struct serve_proc *origin = op->origin;
    if (move_edge_early(op)) load_chunks(op);
    bool combines = op->trail.kind == OP_ACCUMULATE || op->trail.kind == OP_GET_ACCUMULATE;
    if (move_writes(op))
        serve_memory(origin,
                     move_gather(origin, origin->cpu, &op->from, op->bytes, serve_now(origin)));
    op->trail.at_s[OP_DEPARTED] = serve_now(origin);
    /* An accumulate takes and drops a lock word, loads and stores. */
    serve_memory(origin,
                 combines ? 2 * op->move->mach->ni_atomic + 2 * pool_time(op) : pool_time(op));
    kern_at(serve_now(origin), reached, op);
    serve_pay_some(origin);
}

const struct move_carrier move_pool = {
    .name = "pool",
    .way = "loadstore",
    .doc = "loads and stores of the origin's processor in a shared pool, with explicit flushes",
    .source = "hypothetical: pooled memory without coherence between hosts",
    .applies = applies,
    .start = start,
    .service = service,
};
