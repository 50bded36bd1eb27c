/* loadstore: put and get are loads and stores by the origin's processor, which can reach the
 * target's memory (an SMP, or its own memory anywhere coherent). Cost: what the caches, the
 * protocol and the bus make of them (HARDWARE 2, behaviour 1). Nobody's help is needed at the
 * target. */
#include "move/carrier/carrier.h"

/* Bytes between two looks at the clock: other ranks must be able to come in between. */
enum { STRIDE_BYTES = 256 };

static bool applies(const struct move_op *op)
{
    if (!move_coherent(op->move->mach) || op->move->mach->pool_latency > 0) return false;
    /* An interface that combines on its own is not atomic with the processor: all accumulates go
     * through it, on one node too where it does what others must wait for. */
    bool combines = op->trail.kind == OP_ACCUMULATE || op->trail.kind == OP_GET_ACCUMULATE;
    if (combines && (op->move->mach->nodes > 1 || op->target->delayed) &&
        !op->target->policy->processor)
        return false;
    if (op->origin == op->target) return true;
    return op->origin->node == op->target->node && !op->origin->policy->processor &&
           !op->target->delayed;
}

/* Where processors write one line in turn, each must come at its date. */
static void in_turn(struct serve_proc *origin, uintptr_t addr, uint64_t bytes)
{
    if (mem_fought(origin->cpu, addr, bytes)) serve_pay(origin);
}

/* Copies in strides, paying as it goes. */
static void read_side(struct serve_proc *origin, struct serve_proc *owner,
                      const struct move_side *side, uint8_t *out)
{
    for (uint32_t i = 0; i < side->layout.pieces; i++) {
        struct op_piece p = side->layout.piece[i];
        for (uint64_t done = 0; done < p.bytes;) {
            uint64_t n = MIN(p.bytes - done, STRIDE_BYTES);
            uintptr_t addr = side->addr + p.offset + done;
            in_turn(origin, addr, n);
            serve_memory(origin, mem_cpu_read(origin->cpu, addr, out, n, serve_now(origin)));
            serve_pay_some(origin);
            /* Another rank may have stored ahead of the clock into its view: memory has what is
             * true now. */
            if (owner != origin) mem_peek(owner->memory, NULL, addr, out, n, kern_now());
            out += n;
            done += n;
        }
    }
}

static void write_side(struct serve_proc *origin, const struct move_side *side, const uint8_t *in,
                       uint32_t writer)
{
    for (uint32_t i = 0; i < side->layout.pieces; i++) {
        struct op_piece p = side->layout.piece[i];
        for (uint64_t done = 0; done < p.bytes;) {
            uint64_t n = MIN(p.bytes - done, STRIDE_BYTES);
            uintptr_t addr = side->addr + p.offset + done;
            in_turn(origin, addr, n);
            serve_memory(origin,
                         mem_cpu_write(origin->cpu, addr, in, n, writer, serve_now(origin)));
            serve_pay_some(origin);
            in += n;
            done += n;
        }
    }
}

/* ---- with a servicer (PUT/ACCEPT): requests and servicers meet in a queue in shared memory --- */

/* The servicer came after the request: its processor does all of it. */
static double copy(void *data, double begin_s)
{
    struct move_op *op = data;
    struct mem_cpu *hands = op->target->cpu;
    op->trail.at_s[OP_SERVICED] = begin_s;
    double cost_s = 0;
    if (op->staged)
        cost_s = move_unstage(op, hands, begin_s);
    else if (move_writes(op))
        cost_s = move_gather(op->origin, hands, &op->from, op->bytes, begin_s);
    cost_s += move_perform(op, hands, begin_s + cost_s);
    if (move_fetches(op)) cost_s += move_land(op, hands, begin_s + cost_s);
    return cost_s;
}

static void copied(void *data, double done_s)
{
    struct move_op *op = data;
    move_served(op, done_s);
    move_complete(op, done_s);
}

static void service(struct move_op *op, double at_s)
{
    op->job = (struct serve_job){
        .target = op->target, .processor = true, .work = copy, .done = copied, .data = op};
    serve_request(&op->job, at_s);
}

/* Enters the request in the target's queue. False: no servicer is there; it waits. */
static bool enqueue(struct move_op *op)
{
    struct serve_proc *origin = op->origin;
    const struct mach *m = op->move->mach;
    double line_s = m->bus_cache_to_cache > 0
                        ? m->bus_cache_to_cache
                        : move_cycles(m, m->dram_line_cycles + m->dram_other_page_cycles);
    serve_memory(origin, line_s);
    serve_pay(origin); /* nobody may find it before its time */
    if (move_placed(op, serve_now(origin))) return true;
    if (move_brings(op)) {
        const struct op_piece all = {0, op->trail.bytes};
        const struct move_side place = {move_stage_place(op),
                                        {&all, 1, all.bytes, 0, (int64_t)all.bytes}};
        read_side(origin, origin, &op->from, op->bytes);
        write_side(origin, &place, op->bytes, op->writer);
        serve_pay(origin);
    }
    op->trail.at_s[OP_DEPARTED] = op->trail.at_s[OP_ARRIVED] = serve_now(origin);
    move_waits(op, serve_now(origin));
    return false;
}

static void start(struct move_op *op)
{
    struct serve_proc *origin = op->origin;
    double *at_s = op->trail.at_s;
    if (op->place && !enqueue(op)) return;
    if (move_writes(op)) read_side(origin, origin, &op->from, op->bytes);
    at_s[OP_DEPARTED] = at_s[OP_ARRIVED] = at_s[OP_SERVICED] = serve_now(origin);
    switch (op->trail.kind) {
    case OP_PUT:
        if (move_edge_early(op)) move_edge_load(op);
        serve_memory(origin, move_edge_merge(op, origin->cpu, serve_now(origin)));
        write_side(origin, &op->to, op->bytes, op->writer);
        move_edge_written(op, serve_now(origin));
        break;
    case OP_GET: read_side(origin, op->target, &op->to, op->bytes); break;
    default: /* an accumulate holds the lines it changes: nobody comes in between */
        for (uint32_t i = 0; i < op->to.layout.pieces; i++)
            in_turn(origin, op->to.addr + (uintptr_t)op->to.layout.piece[i].offset,
                    op->to.layout.piece[i].bytes);
        serve_memory(origin, move_perform(op, origin->cpu, serve_now(origin)) - op->combine_s);
        serve_compute(origin, op->combine_s);
    }
    at_s[OP_PERFORMED] = serve_now(origin);
    if (move_fetches(op)) {
        const struct move_side *side = op->trail.kind == OP_GET ? &op->from : &op->result;
        write_side(origin, side, op->bytes,
                   op_writer_id(op->trail.origin, op->trail.call, op->trail.site));
    }
    serve_pay_some(origin);
    move_served(op, serve_now(origin));
    move_complete(op, serve_now(origin));
}

const struct move_carrier move_loadstore = {
    .name = "loadstore",
    .way = "loadstore",
    .doc = "loads and stores by the origin's processor",
    .source = "SMP class: each access through caches and bus",
    .applies = applies,
    .start = start,
    .service = service,
};
