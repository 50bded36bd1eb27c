/* annex: the origin's processor stores to the target's memory and prefetches from it, word by word,
 * through the segment registers of its annex (Cray T3D; Arpaci et al., ISCA 1995); the interface at
 * the target reads and writes memory, and the target's processor does nothing.
 *
 * Put: a word or a merged line at a time, which leaves while the processor loads the next. Get:
 * groups of prefetches, popped by the processor; the memory is read when the request gets there,
 * and the bytes come back over the target's link while earlier words are popped. Accumulate: the
 * origin takes a lock with an atomic swap, gets, combines and puts back: the T3D's swaps and
 * increments do not serve MPI's operations. What is long enough for the block engine is rdma's. */
#include "kern/parts/parts.h"
#include "serve/request/request.h"
#include "move/carrier/interface.h"

static bool applies(const struct move_transfer *t)
{
    return !t->target->policy->processor && move_interface_by_words(t->move->mach) &&
           !move_interface_by_block(t);
}

/* What the origin's processor does for the bytes of a put: it loads them and stores them to the
 * target, and stores merge in the write buffer on their way out. */
struct put {
    struct mem_charge gather;
    double gather_s, push_s;
    uint64_t entries; /* of the write buffer */
    double lines_s;   /* of push_s, what whole lines take */
};

static void push(const struct mach *m, const struct op_layout *layout, struct put *put)
{
    double cycles = 0;
    for (uint32_t i = 0; i < layout->pieces; i++) {
        uint64_t bytes = layout->piece[i].bytes, lines = bytes / m->wb_line;
        uint64_t words = (bytes - lines * m->wb_line + 7) / 8;
        cycles += lines * m->ni_put_line_cycles + words * m->ni_put_word_cycles;
        put->entries += lines + words;
        put->lines_s += move_cycles(m, lines * m->ni_put_line_cycles);
    }
    put->push_s = move_cycles(m, cycles);
}

/* An entry leaves while the bytes of the next are loaded: the larger of the two for each, and once
 * the smaller, for the first is only loaded and the last only leaves. */
static double put_s(const struct put *put)
{
    return fmax(put->gather_s, put->push_s) +
           fmin(put->gather_s, put->push_s) / (double)MAX(put->entries, 1);
}

/* So much work, and so much of stalls, is theirs: that share of whole lines. */
static void note_stores(const struct move_transfer *t, double lines, double work_s, double stall_s)
{
    const struct mach *m = t->move->mach;
    serve_part(t->origin, &m->ni_put_line_cycles, lines * work_s);
    serve_part(t->origin, &m->ni_put_word_cycles, (1 - lines) * work_s);
    serve_part_stall(t->origin, &m->ni_put_line_cycles, lines * stall_s);
    serve_part_stall(t->origin, &m->ni_put_word_cycles, (1 - lines) * stall_s);
}

/* Where stores are slower, all that they take hangs on their numbers, though the loads below them
 * were charged as work and stalls; where loads are, what it takes longer. */
static void note_push(const struct move_transfer *t, const struct put *put)
{
    const double more_s = put_s(put) - put->gather_s, below_s = fmax(0, put->push_s - more_s),
                 lines = put->push_s > 0 ? put->lines_s / put->push_s : 0;
    note_stores(t, lines, more_s, 0);
    if (put->push_s < put->gather_s || put->gather_s <= 0) return;
    const double share = below_s / put->gather_s;
    note_stores(t, lines, share * put->gather.compute_s, share * put->gather.memory_s);
}

/* ---- back at the origin ---------------------------------------------------------------------- */

static void answered(void *data, double at_s)
{
    struct move_transfer *t = data;
    serve_access(t->origin, move_land(t, t->origin->cpu, at_s));
    move_complete(t, at_s);
}

/* The words are there. The processor has been popping them meanwhile: a get is complete when the
 * slower of the two is done. */
static void returned(void *data, double at_s)
{
    struct move_transfer *t = data;
    if (t->trail.at_s[OP_COMPLETED] > at_s)
        kern_at(t->trail.at_s[OP_COMPLETED], KERN_NETWORK, -1, answered, t);
    else
        answered(t, at_s);
}

/* What an accumulate returns came with its get, before the put. */
static void reply(struct move_transfer *t, double done_s)
{
    const int there = t->target->node, back = t->origin->node;
    t->loaded = move_combines(t);
    kern_parts_forget();
    if (t->loaded) net_note(t->move->net, there, back, 0);
    if (t->loaded)
        kern_at(done_s + net_latency(t->move->net, there, back), KERN_NETWORK, -1, answered, t);
    else
        move_send_back(t, NET_INTERFACE, t->trail.bytes, done_s, returned);
}

/* ---- with a servicer that came late (PUT/ACCEPT) --------------------------------------------- */

/* Its processor copies out of the buffer, or loads from the origin's memory. */
static double take_late(void *data, double begin_s)
{
    struct move_transfer *t = data;
    double cost_s = t->move->mach->ni_overhead;
    t->trail.at_s[OP_SERVICED] = begin_s;
    if (t->staged) return move_interface_unstage(t, begin_s, cost_s);
    if (!move_writes(t)) return cost_s;
    t->loaded = true;
    move_gather(t->origin, NULL, &t->op.from, t->bytes, begin_s);
    cost_s += move_interface_get_s(t, &t->op.from.layout);
    return cost_s + move_perform_late(t, begin_s + cost_s);
}

static void service(struct move_transfer *t, double at_s)
{
    t->job = (struct serve_job){.target = t->target,
                                .processor = true,
                                .work = take_late,
                                .done = move_interface_taken,
                                .data = t};
    serve_request(&t->job, at_s);
}

/* ---- at the origin --------------------------------------------------------------------------- */

/* In the graph, what the origin sets for when its charges are paid, or so much earlier: what that
 * number of the machine takes. */
static kern_date charged(struct serve_proc *origin, const double *less_of, double less_s)
{
    if (!kern_graph_on) return 0;
    const double now_s = serve_now(origin);
    kern_parts_forget();
    kern_parts_note(less_of, -less_s);
    return kern_cause_date(origin->rank, kern_now(), now_s - less_s);
}

/* When the message sets out: when the first word has been loaded, or, for the last byte leaves
 * behind whichever is slower, so long before the last word is stored as the wire takes for all. */
static double stored(struct move_transfer *t, kern_date *sets_out)
{
    const struct mach *m = t->move->mach;
    struct serve_proc *origin = t->origin;
    const kern_date before = charged(origin, &m->net_bandwidth, 0);
    struct put put = {0};
    push(m, &t->op.to.layout, &put);
    put.gather = move_gather(origin, origin->cpu, &t->op.from, t->bytes, serve_now(origin));
    put.gather_s = mem_charge_s(put.gather);
    serve_access(origin, put.gather);
    serve_compute(origin, put_s(&put) - put.gather_s);
    note_push(t, &put);
    const double wire_s = (double)t->trail.bytes / m->net_bandwidth,
                 one = 1 / (double)MAX(put.entries, 1), first_s = put.gather_s * one;
    const kern_date worked = kern_graph_part(before, put.gather.compute_s * one, &m->cpu_clock);
    *sets_out =
        kern_graph_later(kern_graph_part(worked, put.gather.memory_s * one, &kern_parts_memory),
                         charged(origin, &m->net_bandwidth, wire_s));
    return serve_now(origin) - fmin(put_s(&put) - first_s, wire_s);
}

static void start(struct move_transfer *t)
{
    const struct mach *m = t->move->mach;
    struct serve_proc *origin = t->origin;
    kern_date sets_out = 0;
    serve_compute(origin, move_interface_begin_s(t));
    if (t->place && !move_brings(t)) {
        move_interface_announce(t, reply);
        return;
    }
    if (move_interface_swaps(t)) move_interface_lock(t);
    if (move_chunk_early(t)) move_interface_read_chunks(t);
    const double ready_s = move_writes(t) ? stored(t, &sets_out) : serve_now(origin),
                 atomic_s = t->place ? m->ni_atomic / 2 : 0;
    if (!move_writes(t)) { /* until the last word is popped */
        move_interface_get(t, &t->op.to.layout);
        t->trail.at_s[OP_COMPLETED] = serve_now(origin);
    }
    kern_parts_forget();
    kern_parts_note(&m->ni_atomic, atomic_s);
    if (sets_out) kern_cause_next(kern_graph_part(sets_out, atomic_s, &m->ni_atomic));
    move_interface_send(t, ready_s + atomic_s, reply);
}

const struct move_carrier move_annex = {
    .name = "annex",
    .selector = "ni",
    .doc = "the origin's processor stores and prefetches words through its annex",
    .source = "Cray T3D: Arpaci et al., ISCA 1995",
    .sends = true,
    .applies = applies,
    .start = start,
    .service = service,
};
