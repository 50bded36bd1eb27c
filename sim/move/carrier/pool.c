/* pool: hosts share a memory pool without coherence between them: the origin's processor stores
 * into the pool and flushes what it stored, or drops its copy and loads: lines, as its own loads
 * and stores of the pool are, as many under way together (mem_pool_access). The target's cache
 * learns nothing, as on the T3D. */
#include "mem/agent/agent.h"
#include "serve/request/request.h"
#include "move/carrier/atomic.h"
#include "move/carrier/carrier.h"

enum { LINE = 32 }; /* of a node without caches: mem's */

static bool applies(const struct move_transfer *t)
{
    return t->move->mach->pool_latency > 0 && !t->target->policy->processor &&
           !(t->target->delayed && t->target != t->origin);
}

/* Lines of its node that a side lies in. */
static uint64_t lines_of(const struct move_side *side, uint64_t line)
{
    uint64_t lines = 0, last = UINT64_MAX;
    for (uint32_t i = 0; i < side->layout.pieces; i++) {
        const struct op_piece *piece = &side->layout.piece[i];
        uint64_t first = (side->addr + (uint64_t)piece->offset) / line;
        uint64_t end = (side->addr + (uint64_t)piece->offset + piece->bytes - 1) / line;
        lines += end - first + (first != last);
        last = end;
    }
    return lines;
}

/* Where the bytes will lie is not known before a servicer is there. */
static double pool_time(const struct move_transfer *t)
{
    const struct mach *m = t->move->mach;
    const uint64_t line = m->levels ? m->cache[m->levels - 1].line : LINE, bytes = t->trail.bytes;
    uint64_t lines = lines_of(&t->op.to, line);
    if (lines == 0) lines = (bytes + line - 1) / line;
    return lines == 0 ? m->pool_latency : mem_pool_access(t->origin->cpu, lines, bytes);
}

/* The last line is in the pool, or out of it. Bytes that must wait for a servicer wait in the pool,
 * however many. */
static void reached(void *data, double at_s)
{
    struct move_transfer *t = data;
    t->trail.at_s[OP_ARRIVED] = t->trail.at_s[OP_SERVICED] = at_s;
    if (!move_placed(t, at_s)) {
        move_waits(t, at_s);
        return;
    }
    at_s += mem_charge_s(move_perform(t, NULL, at_s));
    move_served(t, at_s);
    if (move_combines(t)) {
        const double swap_s = t->move->mach->ni_atomic;
        move_atomic_unlock(t, at_s + t->combine_s + swap_s / 2);
        at_s += swap_s;
    }
    if (move_fetches(t)) serve_access(t->origin, move_land(t, t->origin->cpu, at_s));
    move_complete(t, at_s);
}

/* The servicer's processor copies between the pool and its own memory. */
static double copy(void *data, double begin_s)
{
    struct move_transfer *t = data;
    t->trail.at_s[OP_SERVICED] = begin_s;
    double cost_s = pool_time(t);
    cost_s += move_perform_late(t, begin_s + cost_s);
    return cost_s;
}

static void copied(void *data, double done_s)
{
    struct move_transfer *t = data;
    move_served(t, done_s);
    if (move_fetches(t)) {
        serve_memory(t->origin, pool_time(t));
        serve_access(t->origin, move_land(t, t->origin->cpu, done_s));
    }
    move_complete(t, done_s);
}

static void service(struct move_transfer *t, double at_s)
{
    t->job = (struct serve_job){
        .target = t->target, .processor = true, .work = copy, .done = copied, .data = t};
    serve_request(&t->job, at_s);
}

static void chunks_loaded(void *data, double at_s)
{
    move_chunk_read(data, at_s);
    move_chunk_answer(data, at_s);
}

/* The chunks that a put begins and ends in. */
static void load_chunks(struct move_transfer *t)
{
    serve_pay(t->origin);
    serve_memory(t->origin, t->move->mach->pool_latency);
    kern_at(serve_now(t->origin), KERN_NETWORK, -1, chunks_loaded, t);
    move_chunk_wait(t);
}

/* An accumulate swaps a lock word in the pool, loads, stores, and swaps again. */
static void lock(struct move_transfer *t)
{
    const double half_s = t->move->mach->ni_atomic / 2;
    serve_memory(t->origin, half_s);
    move_atomic_lock(t);
    serve_memory(t->origin, half_s);
}

static void start(struct move_transfer *t)
{
    struct serve_proc *origin = t->origin;
    if (move_chunk_early(t)) load_chunks(t);
    if (move_writes(t))
        serve_access(origin,
                     move_gather(origin, origin->cpu, &t->op.from, t->bytes, serve_now(origin)));
    if (move_combines(t)) lock(t);
    t->trail.at_s[OP_DEPARTED] = serve_now(origin);
    serve_memory(origin, pool_time(t));
    if (move_combines(t)) serve_memory(origin, pool_time(t));
    kern_at(serve_now(origin), KERN_NETWORK, -1, reached, t);
    if (move_combines(t)) serve_memory(origin, t->move->mach->ni_atomic); /* unlock */
    serve_pay_some(origin);
}

const struct move_carrier move_pool = {
    .name = "pool",
    .selector = "loadstore",
    .doc = "loads and stores of the origin's processor in a shared pool, with explicit flushes",
    .source = "hypothetical: pooled memory without coherence between nodes",
    .applies = applies,
    .start = start,
    .service = service,
};
