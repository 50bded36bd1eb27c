/* ni: the network interface at the target reads and writes memory; the target's processor does
 * nothing.
 *
 * Put: the origin's processor stores through the annex, a word or a merged line at a time (HARDWARE
 * 1, Arpaci et al., ISCA 1995), or, where those costs are zero, the interface fetches the bytes
 * itself (RDMA). Get: groups of prefetches (4k + max(0, 80 - 4(k-1)) + 23k cycles for k words,
 * behaviour 8), or a request and a reply. From ni.block_bytes on, the block-transfer engine.
 * Accumulate: the interface's atomics where they do arithmetic on a word (RDMA); else the origin
 * takes a lock with an atomic swap, gets, combines and puts back. */
#include "move/carrier/carrier.h"

/* ---- the annex: which targets the origin's segment registers point at ------------------------ */

enum { ANNEX_MAX = 32 };
struct move_annex {
    int target[ANNEX_MAX];
    int next;
};

static double annex_cycles(struct move *move, int origin, int target)
{
    int entries = MIN(move->mach->ni_annex_entries, ANNEX_MAX);
    if (entries == 0) return 0;
    if (!move->annex) {
        move->annex = g_new0(struct move_annex, move->ranks);
        memset(move->annex, -1, move->ranks * sizeof *move->annex);
        for (int i = 0; i < move->ranks; i++) move->annex[i].next = 0;
    }
    struct move_annex *annex = &move->annex[origin];
    for (int i = 0; i < entries; i++)
        if (annex->target[i] == target) return 0;
    annex->target[annex->next] = target;
    annex->next = (annex->next + 1) % entries;
    return move->mach->ni_annex_cycles;
}

/* ---- costs of the origin's processor, cycles ------------------------------------------------- */

static bool by_processor(const struct mach *m) { return m->ni_put_word_cycles > 0; }

static double put_cycles(const struct mach *m, const struct op_layout *layout)
{
    double cycles = 0;
    const uint64_t line = m->wb_line; /* stores merge in the write buffer on their way out */
    for (uint32_t i = 0; i < layout->pieces; i++) {
        uint64_t bytes = layout->piece[i].bytes, lines = bytes / line;
        cycles +=
            lines * m->ni_put_line_cycles + (bytes - lines * line + 7) / 8 * m->ni_put_word_cycles;
    }
    return cycles;
}

/* far: cycles of a round trip beyond a neighbour's, which is what the published numbers are for. */
static double get_cycles(const struct mach *m, const struct op_layout *layout, double far)
{
    double cycles = 0;
    for (uint32_t i = 0; i < layout->pieces; i++) {
        uint64_t words = (layout->piece[i].bytes + 7) / 8;
        if (words == 1 && m->ni_read_word_cycles > 0) {
            cycles += m->ni_read_word_cycles + far;
            continue;
        }
        while (words > 0) {
            uint64_t k = MIN(words, (uint64_t)m->ni_get_group);
            cycles += m->ni_get_issue_cycles * k +
                      fmax(0, m->ni_get_round_cycles - m->ni_get_issue_cycles * (k - 1)) +
                      m->ni_get_pop_cycles * k + far;
            words -= k;
        }
    }
    return cycles;
}

static double far_cycles(const struct move_op *op)
{
    const struct mach *m = op->move->mach;
    double one_way_s = net_latency(op->move->net, op->origin->node, op->target->node);
    return 2 * fmax(0, one_way_s - m->ni_latency - m->net_latency) * m->cpu_clock;
}

static bool by_block(const struct move_op *op)
{
    const struct mach *m = op->move->mach;
    return m->ni_block_bytes > 0 && op->trail.bytes >= (uint64_t)m->ni_block_bytes &&
           op->to.layout.pieces == 1 && op->from.layout.pieces == 1 &&
           (move_fetches(op) || m->ni_block_puts);
}

/* Seconds the block engine needs beyond what the link takes anyway. */
static double block_extra(const struct move_op *op)
{
    const struct mach *m = op->move->mach;
    return fmax(0, op->trail.bytes / m->ni_block_bandwidth - op->trail.bytes / m->net_bandwidth);
}

/* ---- at the target --------------------------------------------------------------------------- */

static void answered(void *data, double at_s);

/* The interface has done the target's part at done_s: answer. */
static void performed(void *data, double done_s)
{
    struct move_op *op = data;
    struct move *move = op->move;
    double back_s = net_latency(move->net, op->target->node, op->origin->node);
    move_served(op, done_s);
    if (!move_fetches(op))
        move_complete(op, done_s + back_s);
    else if (by_processor(move->mach) && !by_block(op) && !op->place)
        kern_at(fmax(done_s + back_s, op->trail.at_s[OP_COMPLETED]), answered, op);
    else
        net_send(move->net, op->target->node, op->origin->node, op->trail.bytes, done_s, answered,
                 op);
}

/* The interface has written it: the processor must not go on with what it had in its cache. */
static void refresh(struct serve_proc *origin, const struct move_side *side, double at_s)
{
    for (uint32_t i = 0; i < side->layout.pieces; i++) {
        struct op_piece p = side->layout.piece[i];
        serve_memory(origin,
                     mem_refresh(origin->cpu, side->addr + (uintptr_t)p.offset, p.bytes, at_s));
    }
}

static void answered(void *data, double at_s)
{
    struct move_op *op = data;
    bool processor = by_processor(op->move->mach) && !by_block(op);
    serve_memory(op->origin, move_land(op, processor ? op->origin->cpu : NULL, at_s));
    if (!processor && op->trail.kind == OP_GET) refresh(op->origin, &op->from, at_s);
    move_complete(op, at_s);
}

static double perform(void *data, double begin_s)
{
    struct move_op *op = data;
    op->trail.at_s[OP_SERVICED] = begin_s;
    return move_perform(op, NULL, begin_s);
}

/* ---- with a servicer (PUT/ACCEPT) ------------------------------------------------------------ */

static void fetched(void *data, double at_s)
{
    perform(data, at_s);
    performed(data, at_s);
}

static void fetch(void *data, double at_s)
{
    struct move_op *op = data;
    move_gather(op->origin, NULL, &op->from, op->bytes, at_s);
    net_send(op->move->net, op->origin->node, op->target->node, op->trail.bytes, at_s, fetched, op);
}

/* The servicer is there. Bytes that stayed at the origin are fetched from its memory. */
static void take(struct move_op *op, double at_s)
{
    if (move_writes(op) && !move_brings(op))
        net_send(op->move->net, op->target->node, op->origin->node, MOVE_HEADER_BYTES, at_s, fetch,
                 op);
    else
        fetched(op, at_s);
}

/* The servicer came late: its processor does the copy out of the buffer, loads from the origin's
 * memory, or starts the interface. */
static double take_late(void *data, double begin_s)
{
    struct move_op *op = data;
    const struct mach *m = op->move->mach;
    double cost_s = m->ni_overhead;
    op->trail.at_s[OP_SERVICED] = begin_s;
    if (op->staged) {
        cost_s += mem_refresh(op->target->cpu, op->staged, op->trail.bytes, begin_s + cost_s);
        cost_s += move_unstage(op, op->target->cpu, begin_s + cost_s);
        cost_s += move_perform_late(op, begin_s + cost_s);
    } else if (move_writes(op) && by_processor(m) && !by_block(op)) {
        move_gather(op->origin, NULL, &op->from, op->bytes, begin_s);
        cost_s += move_cycles(m, get_cycles(m, &op->from.layout, far_cycles(op)));
        cost_s += move_perform_late(op, begin_s + cost_s);
    } else if (move_writes(op) && by_processor(m)) {
        cost_s += m->ni_block_start;
    }
    return cost_s;
}

static void taken_late(void *data, double done_s)
{
    struct move_op *op = data;
    if (op->trail.at_s[OP_PERFORMED] >= 0)
        performed(op, done_s);
    else
        take(op, done_s);
}

static void service(struct move_op *op, double at_s)
{
    op->job = (struct serve_job){
        .target = op->target, .processor = true, .work = take_late, .done = taken_late, .data = op};
    serve_request(&op->job, at_s);
}

static void arrived(void *data, double at_s)
{
    struct move_op *op = data;
    op->trail.at_s[OP_ARRIVED] = at_s;
    if (op->place) {
        if (move_placed(op, at_s)) {
            take(op, at_s);
        } else {
            move_stage(op, NULL, at_s); /* the interface writes it */
            move_waits(op, at_s);
        }
    } else if (op->target->delayed && op->target != op->origin) {
        op->job = (struct serve_job){
            .target = op->target, .work = perform, .done = performed, .data = op};
        serve_request(&op->job, at_s);
    } else {
        performed(op, at_s + perform(op, at_s));
    }
}

/* ---- a put that begins or ends inside a chunk: the origin reads it first --------------------- */

static void chunks_read(void *data, double at_s)
{
    struct move_op *op = data;
    move_edge_read(op, at_s);
    move_edge_answer(op, at_s + net_latency(op->move->net, op->target->node, op->origin->node));
}

static void read_chunks(struct move_op *op)
{
    const struct mach *m = op->move->mach;
    struct op_layout chunks;
    move_edge_chunks(op, &chunks);
    serve_pay(op->origin);
    net_send(op->move->net, op->origin->node, op->target->node, MOVE_HEADER_BYTES,
             serve_now(op->origin), chunks_read, op);
    if (by_processor(m))
        serve_memory(op->origin, move_cycles(m, get_cycles(m, &chunks, far_cycles(op))));
    move_edge_wait(op);
}

/* ---- at the origin --------------------------------------------------------------------------- */

static bool applies(const struct move_op *op) { return !op->target->policy->processor; }

static bool combines(const struct move_op *op)
{
    return op->trail.kind == OP_ACCUMULATE || op->trail.kind == OP_GET_ACCUMULATE;
}

/* One word with an interface that does arithmetic; the T3D's swaps and increments do not serve
 * MPI's operations. */
static bool word_atomic(const struct move_op *op)
{
    return combines(op) && !by_processor(op->move->mach) && op->move->mach->ni_atomic > 0 &&
           op->trail.bytes <= 8 && !op->combine_is_code;
}

/* The interface will read it: memory must have the bytes. */
static void publish(struct serve_proc *origin, const struct move_side *side)
{
    for (uint32_t i = 0; i < side->layout.pieces; i++) {
        struct op_piece p = side->layout.piece[i];
        serve_memory(origin, mem_publish(origin->cpu, side->addr + (uintptr_t)p.offset, p.bytes,
                                         serve_now(origin)));
    }
}

/* Only a request leaves: the rest is done when a servicer has come. */
static void announce(struct move_op *op)
{
    struct serve_proc *origin = op->origin;
    if (move_writes(op)) publish(origin, &op->from);
    /* entered at the target by an atomic operation */
    double half_s = op->move->mach->ni_atomic / 2;
    op->trail.at_s[OP_DEPARTED] =
        net_send(op->move->net, origin->node, op->target->node, MOVE_HEADER_BYTES,
                 serve_now(origin) + half_s, arrived, op);
    serve_pay_some(origin);
}

static void start(struct move_op *op)
{
    struct move *move = op->move;
    const struct mach *m = move->mach;
    struct serve_proc *origin = op->origin;
    double atomic_s = 0, push_s = 0;

    serve_compute(origin, m->ni_overhead +
                              move_cycles(m, annex_cycles(move, origin->rank, op->trail.target)));
    if (op->place && !move_brings(op)) {
        announce(op);
        return;
    }
    if (move_edge_early(op)) read_chunks(op);
    if (move_writes(op)) {
        struct mem_cpu *hands = by_processor(m) && !by_block(op) ? origin->cpu : NULL;
        if (!hands) publish(origin, &op->from);
        serve_memory(origin, move_gather(origin, hands, &op->from, op->bytes, serve_now(origin)));
        if (hands) push_s = move_cycles(m, put_cycles(m, &op->to.layout));
        serve_compute(origin, push_s);
    }
    if (op->place)
        atomic_s = m->ni_atomic / 2;
    else if (word_atomic(op))
        atomic_s = m->ni_atomic;
    else if (combines(op)) { /* lock, get; the put is charged above; unlock */
        serve_compute(origin, 2 * m->ni_atomic);
        serve_memory(origin, move_cycles(m, get_cycles(m, &op->to.layout, far_cycles(op))));
    }
    if (by_block(op)) serve_compute(origin, m->ni_block_start);

    double ready_s = serve_now(origin);
    if (move_fetches(op) && !combines(op) && by_processor(m) && !by_block(op)) {
        /* The processor is busy until the last word is popped; the memory is read when the request
         * gets there. */
        serve_memory(origin, move_cycles(m, get_cycles(m, &op->to.layout, far_cycles(op))));
        op->trail.at_s[OP_COMPLETED] = serve_now(origin);
    }
    uint64_t sent = move_writes(op) ? op->trail.bytes : MOVE_HEADER_BYTES;
    if (by_block(op)) ready_s += block_extra(op);
    /* Words leave while the processor stores the next ones: the last byte leaves behind whichever
     * is slower. */
    ready_s -= fmin(push_s, sent / m->net_bandwidth);
    op->trail.at_s[OP_DEPARTED] =
        net_send(move->net, origin->node, op->target->node, sent, ready_s + atomic_s, arrived, op);
    serve_pay_some(origin);
}

const struct move_carrier move_ni = {
    .name = "ni",
    .way = "ni",
    .doc = "the network interface at the target reads and writes memory",
    .source = "Cray T3D: Arpaci et al., ISCA 1995; RDMA",
    .applies = applies,
    .start = start,
    .service = service,
};
