/* A message with an operation's bytes, and the target's handler for it: what the two carriers by
 * message share.
 *
 * Accumulates between two ranks are performed in the order of their calls: a short one does not
 * overtake a long one before it, whose bytes stay at the origin until they are asked for. */
#include "serve/request/request.h"
#include "kern/parts/parts.h"
#include "move/carrier/message.h"
#include "mem/agent/agent.h"

/* ---- the order of accumulates: asked for in order, fed in order ------------------------------ */

static gpointer pair(const struct move_transfer *t)
{
    return GSIZE_TO_POINTER((gsize)t->trail.origin * (gsize)t->move->ranks +
                            (gsize)t->trail.target);
}

static gsize unfed(const struct move_transfer *t)
{
    return t->move->unfed ? GPOINTER_TO_SIZE(g_hash_table_lookup(t->move->unfed, pair(t))) : 0;
}

static void unfed_set(const struct move_transfer *t, gsize n)
{
    if (!t->move->unfed) t->move->unfed = g_hash_table_new(NULL, NULL);
    if (n > 0)
        g_hash_table_insert(t->move->unfed, pair(t), GSIZE_TO_POINTER(n));
    else
        g_hash_table_remove(t->move->unfed, pair(t));
}

bool move_overtakes(const struct move_transfer *t) { return move_combines(t) && unfed(t) > 0; }

void move_stays(const struct move_transfer *t)
{
    if (move_combines(t)) unfed_set(t, unfed(t) + 1);
}

void move_leaves(const struct move_transfer *t)
{
    if (move_combines(t)) unfed_set(t, unfed(t) - 1);
}

/* ---- acknowledgements ------------------------------------------------------------------------ */

/* Of what brings nothing back: the interface sends it, or a message. */
static bool by_interface(const struct move_transfer *t)
{
    return !move_fetches(t) && strcmp(t->move->mach->net_ack, "interface") == 0;
}

static double noted(const double *number)
{
    kern_parts_note(number, *number);
    return *number;
}

static double answer(const struct move_transfer *t)
{
    const struct mach *m = t->move->mach;
    return noted(by_interface(t) ? &m->net_ack_overhead : &m->send_s);
}

static double take_answer(const struct move_transfer *t)
{
    const struct mach *m = t->move->mach;
    return noted(by_interface(t) ? &m->net_ack_overhead : &m->receive_s);
}

/* ---- at the target --------------------------------------------------------------------------- */

/* Where an interface reaches the same memory (move.put or move.get asked for messages only one
 * way), what the processor has in its cache and its write buffer must agree with it. */
static double perform(struct move_transfer *t, double at_s)
{
    const struct mach *m = t->move->mach;
    if (move_coherent(m) || t->target->policy->processor)
        return move_took(t, move_perform(t, t->target->cpu, at_s));
    double cost_s = 0;
    for (uint32_t i = 0; i < t->op.to.layout.pieces; i++) {
        struct op_piece p = t->op.to.layout.piece[i];
        /* and the chunks that it begins and ends in */
        uintptr_t addr = t->op.to.addr + (uintptr_t)p.offset - m->shmalloc_chunk;
        cost_s += mem_refresh(t->target->cpu, addr, p.bytes + 2 * m->shmalloc_chunk, at_s + cost_s);
    }
    return cost_s + move_perform_late(t, at_s + cost_s);
}

static double handle(void *data, double begin_s)
{
    struct move_transfer *t = data;
    const struct mach *m = t->move->mach;
    t->trail.at_s[OP_SERVICED] = begin_s;
    double work_s = noted(&m->receive_s);
    work_s += move_decode(t, begin_s + work_s);
    if (!move_placed(t, begin_s + work_s))
        return work_s + move_stage(t, t->target->cpu, begin_s + work_s);
    work_s += perform(t, begin_s + work_s);
    return work_s + answer(t);
}

/* The answer is at the origin, whose processor takes it in while it waits there. */
static void answered(void *data, double at_s)
{
    struct move_transfer *t = data;
    kern_parts_forget();
    double cost_s = take_answer(t);
    if (move_fetches(t)) cost_s += move_took(t, move_land(t, t->origin->cpu, at_s + cost_s));
    move_complete(t, at_s + cost_s);
}

static void reply(void *data, double done_s)
{
    struct move_transfer *t = data;
    move_served(t, done_s);
    const uint64_t bytes = move_fetches(t) ? t->trail.bytes : MOVE_HEADER_BYTES;
    if (by_interface(t))
        move_acknowledge(t, bytes, done_s, answered);
    else
        move_send_back(t, t->target->rank, bytes, done_s, answered);
}

static void handled(void *data, double done_s)
{
    struct move_transfer *t = data;
    if (t->trail.at_s[OP_PERFORMED] < 0)
        move_waits(t, done_s);
    else
        reply(t, done_s);
}

/* A servicer has come for a message that waited. */
static double handle_late(void *data, double begin_s)
{
    struct move_transfer *t = data;
    t->trail.at_s[OP_SERVICED] = begin_s;
    double work_s = move_unstage(t, t->target->cpu, begin_s);
    work_s += move_took(t, move_perform(t, t->target->cpu, begin_s + work_s));
    return work_s + answer(t);
}

void move_message_service(struct move_transfer *t, double at_s)
{
    t->job = (struct serve_job){.target = t->target, .work = handle_late, .done = reply, .data = t};
    serve_request(&t->job, at_s);
}

static void arrived(void *data, double at_s)
{
    struct move_transfer *t = data;
    t->trail.at_s[OP_ARRIVED] = t->asked_s = at_s;
    t->job = (struct serve_job){
        .target = t->target, .from = t->origin, .work = handle, .done = handled, .data = t};
    serve_request(&t->job, at_s);
}

/* ---- sending --------------------------------------------------------------------------------- */

void move_message_send(struct move_transfer *t, double ready_s)
{
    uint64_t bytes = (move_writes(t) ? t->trail.bytes : MOVE_HEADER_BYTES) + move_describe(t);
    move_send_there(t, t->origin->rank, bytes, ready_s, arrived);
}
