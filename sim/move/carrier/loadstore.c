/* loadstore: put and get are loads and stores by the origin's processor, which can reach the
 * target's memory (an SMP, or its own memory anywhere coherent). Cost: what the caches, the
 * protocol and the bus make of them (numbers and their sources: the machine's file). The target
 * does nothing. */
#include "serve/request/request.h"
#include "check/check.h"
#include "mem/agent/agent.h"
#include "move/carrier/carrier.h"

/* Bytes between two looks at the clock: other ranks must be able to come in between. */
enum { STRIDE_BYTES = 256 };
/* A copy of so many bytes goes on where nobody else can act before it has come to a date: its
 * memory is there, and the clock follows at the end. */
enum { LONG_BYTES = 4096 };

static bool applies(const struct move_transfer *t)
{
    if (!move_coherent(t->move->mach) || t->move->mach->pool_latency > 0) return false;
    /* An interface that combines on its own is not atomic with the processor: all accumulates go
     * through it, on one node too where it does what others must wait for. */
    if (move_combines(t) && (t->move->mach->nodes > 1 || t->target->delayed) &&
        !t->target->policy->processor)
        return false;
    if (t->origin == t->target) return true;
    return t->origin->node == t->target->node && !t->origin->policy->processor &&
           !t->target->delayed;
}

/* Where processors write one line in turn, each must come at its date. */
static void in_turn(struct serve_proc *origin, uintptr_t addr, uint64_t bytes)
{
    if (mem_contended(origin->cpu, addr, bytes)) serve_pay(origin);
}

/* A copy of so many bytes goes on, by strides. Returns the date that memory has come to. */
static double go_on(struct serve_proc *origin, uint64_t bytes, double paid_s)
{
    paid_s = fmax(paid_s, kern_now());
    if (serve_now(origin) - paid_s <= origin->mach->quantum) return paid_s;
    if (bytes < LONG_BYTES || !serve_alone(origin, 0)) {
        serve_pay(origin);
        return kern_now();
    }
    serve_ahead(origin, 0);
    return serve_now(origin);
}

/* The next bytes of a piece are read, for a copy of so many. */
static double read_stride(const struct move_transfer *t, struct serve_proc *origin,
                          struct serve_proc *owner, uintptr_t addr, uint8_t *out, uint64_t n,
                          uint64_t bytes, double paid_s)
{
    in_turn(origin, addr, n);
    serve_access(origin, mem_cpu_read(origin->cpu, addr, out, n, serve_now(origin)));
    paid_s = go_on(origin, bytes, paid_s);
    /* Another rank may have stored ahead of the clock into its view: memory has what is true then.
     */
    if (owner != origin) {
        mem_peek(owner->memory, NULL, addr, out, n, paid_s);
        move_note_missed(t, addr, n, paid_s);
    }
    return paid_s;
}

static void read_side(const struct move_transfer *t, struct serve_proc *origin,
                      struct serve_proc *owner, const struct move_side *side, uint8_t *out)
{
    double paid_s = kern_now();
    for (uint32_t i = 0; i < side->layout.pieces; i++) {
        struct op_piece p = side->layout.piece[i];
        for (uint64_t done = 0, n; done < p.bytes; done += n, out += n) {
            n = MIN(p.bytes - done, STRIDE_BYTES);
            paid_s = read_stride(t, origin, owner, side->addr + p.offset + done, out, n,
                                 side->layout.bytes, paid_s);
        }
    }
    serve_pay_until(origin, paid_s);
}

/* The next bytes of that piece are written. */
static double write_stride(struct serve_proc *origin, const struct move_side *side,
                           const struct op_piece *p, uint64_t done, const uint8_t *in, uint64_t n,
                           uint32_t writer, double paid_s)
{
    const uintptr_t begin = side->addr + (uintptr_t)p->offset, addr = begin + done;
    in_turn(origin, addr, n);
    mem_copy_begin(origin->cpu, begin, p->bytes);
    serve_access(origin, mem_cpu_write(origin->cpu, addr, in, n, writer, serve_now(origin)));
    mem_copy_end(origin->cpu);
    return go_on(origin, side->layout.bytes, paid_s);
}

static void write_side(struct serve_proc *origin, const struct move_side *side, const uint8_t *in,
                       uint32_t writer)
{
    double paid_s = kern_now();
    for (uint32_t i = 0; i < side->layout.pieces; i++) {
        const struct op_piece p = side->layout.piece[i];
        for (uint64_t done = 0, n; done < p.bytes; done += n, in += n) {
            n = MIN(p.bytes - done, STRIDE_BYTES);
            paid_s = write_stride(origin, side, &p, done, in, n, writer, paid_s);
        }
    }
    serve_pay_until(origin, paid_s);
}

static bool one_piece(const struct move_side *side) { return side->layout.pieces == 1; }

/* From one piece to one: what has been read is written before more is, as memcpy does. */
static void copy_piece(const struct move_transfer *t, struct serve_proc *owner,
                       const struct move_side *from, const struct move_side *to, uint8_t *bytes,
                       uint32_t writer)
{
    struct serve_proc *origin = t->origin;
    const struct op_piece f = from->layout.piece[0], p = to->layout.piece[0];
    double paid_s = kern_now();
    for (uint64_t done = 0, n; done < p.bytes; done += n) {
        n = MIN(p.bytes - done, STRIDE_BYTES);
        paid_s = read_stride(t, origin, owner, from->addr + (uintptr_t)f.offset + done,
                             bytes + done, n, p.bytes, paid_s);
        paid_s = write_stride(origin, to, &p, done, bytes + done, n, writer, paid_s);
    }
    serve_pay_until(origin, paid_s);
}

/* ---- with a servicer (PUT/ACCEPT): requests and servicers meet in a queue in shared memory --- */

/* The servicer came after the request: its processor does all of it. */
static double copy(void *data, double begin_s)
{
    struct move_transfer *t = data;
    struct mem_cpu *cpu = t->target->cpu;
    t->trail.at_s[OP_SERVICED] = begin_s;
    double cost_s = 0;
    if (t->staged)
        cost_s = move_unstage(t, cpu, begin_s);
    else if (move_writes(t))
        cost_s = move_took(t, move_gather(t->origin, cpu, &t->op.from, t->bytes, begin_s));
    cost_s += move_took(t, move_perform(t, cpu, begin_s + cost_s));
    if (move_fetches(t)) cost_s += move_took(t, move_land(t, cpu, begin_s + cost_s));
    return cost_s;
}

static void copied(void *data, double done_s)
{
    struct move_transfer *t = data;
    move_served(t, done_s);
    move_complete(t, done_s);
}

static void service(struct move_transfer *t, double at_s)
{
    t->job = (struct serve_job){
        .target = t->target, .processor = true, .work = copy, .done = copied, .data = t};
    serve_request(&t->job, at_s);
}

/* Enters the request in the target's queue. False: no servicer is there; it waits. */
static bool enqueue(struct move_transfer *t)
{
    struct serve_proc *origin = t->origin;
    const struct mach *m = t->move->mach;
    double line_s = m->bus_cache_to_cache > 0
                        ? m->bus_cache_to_cache
                        : move_cycles(m, m->dram_line_cycles + m->dram_other_page_cycles);
    serve_memory(origin, line_s);
    serve_pay(origin); /* nobody may find it before its time */
    if (move_placed(t, serve_now(origin))) return true;
    if (move_brings(t)) {
        const struct op_piece all = {0, t->trail.bytes};
        const struct move_side place = {move_stage_place(t),
                                        {&all, 1, all.bytes, 0, (int64_t)all.bytes}};
        read_side(t, origin, origin, &t->op.from, t->bytes);
        write_side(origin, &place, t->bytes, t->writer);
        serve_pay(origin);
    }
    t->trail.at_s[OP_DEPARTED] = t->trail.at_s[OP_ARRIVED] = serve_now(origin);
    move_waits(t, serve_now(origin));
    return false;
}

static void start(struct move_transfer *t)
{
    struct serve_proc *origin = t->origin;
    double *at_s = t->trail.at_s;
    if (t->place && !enqueue(t)) return;
    const bool in_pieces = one_piece(&t->op.from) && one_piece(&t->op.to) &&
                           t->op.from.layout.bytes == t->op.to.layout.bytes;
    const bool puts = in_pieces && t->trail.kind == OP_PUT && !t->chunk,
               gets = in_pieces && t->trail.kind == OP_GET;
    if (move_writes(t) && !puts) read_side(t, origin, origin, &t->op.from, t->bytes);
    at_s[OP_DEPARTED] = at_s[OP_ARRIVED] = at_s[OP_SERVICED] = serve_now(origin);
    switch (t->trail.kind) {
    case OP_PUT:
        if (move_chunk_early(t)) move_chunk_load(t);
        serve_access(origin, move_chunk_merge(t, origin->cpu, serve_now(origin)));
        if (puts)
            copy_piece(t, origin, &t->op.from, &t->op.to, t->bytes, t->writer);
        else
            write_side(origin, &t->op.to, t->bytes, t->writer);
        if (t->op.number) check_performed(t->op.number);
        move_chunk_written(t, serve_now(origin));
        break;
    case OP_GET:
        if (gets)
            copy_piece(t, t->target, &t->op.to, &t->op.from, t->bytes,
                       op_writer_id(t->trail.origin, t->trail.call, t->trail.site));
        else
            read_side(t, origin, t->target, &t->op.to, t->bytes);
        if (t->op.number) check_performed(t->op.number);
        break;
    default: /* an accumulate holds the lines it changes: nobody comes in between */
        for (uint32_t i = 0; i < t->op.to.layout.pieces; i++)
            in_turn(origin, t->op.to.addr + (uintptr_t)t->op.to.layout.piece[i].offset,
                    t->op.to.layout.piece[i].bytes);
        serve_access(origin, move_perform(t, origin->cpu, serve_now(origin)));
    }
    at_s[OP_PERFORMED] = serve_now(origin);
    if (move_fetches(t) && !gets) {
        const struct move_side *side = t->trail.kind == OP_GET ? &t->op.from : &t->op.result;
        write_side(origin, side, t->bytes,
                   op_writer_id(t->trail.origin, t->trail.call, t->trail.site));
    }
    serve_pay_some(origin);
    move_served(t, serve_now(origin));
    move_complete(t, serve_now(origin));
}

const struct move_carrier move_loadstore = {
    .name = "loadstore",
    .selector = "loadstore",
    .doc = "loads and stores by the origin's processor",
    .source = "SMP class: each access through caches and bus",
    .applies = applies,
    .start = start,
    .service = service,
};
