/* Operations in flight, whatever carries them. */
#include "move/carrier/carrier.h"
#include "trace/trace.h"

static const struct move_carrier *const carriers[] = {
#define MOVE_CARRIER(name) &move_##name,
#include "move/carrier/models.def"
#undef MOVE_CARRIER
};

/* ---- life ------------------------------------------------------------------------------------ */

struct move_op *move_op_new(struct move *move, enum op_kind kind, int origin, int target,
                            uint64_t bytes)
{
    uint64_t old = kind == OP_ACCUMULATE || kind == OP_GET_ACCUMULATE ? bytes : 0;
    struct move_op *op = g_malloc(sizeof *op + bytes + old);
    memset(op, 0, sizeof *op);
    op->move = move;
    op->origin = move->proc[origin];
    op->target = move->proc[target];
    op->bytes = (uint8_t *)(op + 1);
    op->old = op->bytes + bytes;
    op->trail.kind = kind;
    op->trail.origin = origin;
    op->trail.target = target;
    op->trail.bytes = bytes;
    for (int step = 0; step < OP_STEPS; step++) op->trail.at_s[step] = -1;
    return op;
}

void move_op_side(struct move_side *side, struct op_piece *inline_piece, const void *addr,
                  const struct op_layout *layout)
{
    side->addr = (uintptr_t)addr;
    side->layout = *layout;
    if (layout->pieces == 1) {
        *inline_piece = layout->piece[0];
        side->layout.piece = inline_piece;
    } else
        side->layout.piece = g_memdup2(layout->piece, layout->pieces * sizeof *layout->piece);
}

static void free_side(struct move_side *side)
{
    if (side->layout.pieces > 1) g_free((void *)side->layout.piece);
}

void move_op_cut(struct move_op *op)
{
    free_side(&op->from);
    free_side(&op->to);
    op->from.layout = op->to.layout = (struct op_layout){0};
}

/* The first of the family that applies, among those the machine asks for if any of them does. */
static const struct move_carrier *choose(const struct move_op *op)
{
    const struct mach *m = op->move->mach;
    const char *way = move_writes(op) ? m->move_put : m->move_get;
    const struct move_carrier *any = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(carriers); i++) {
        if (!carriers[i]->applies(op)) continue;
        if (strcmp(carriers[i]->way, way) == 0) return carriers[i];
        if (!any) any = carriers[i];
    }
    return any;
}

void move_start(struct move_op *op)
{
    if (move_writes(op))
        op->writer = op_writer_id(op->trail.origin, op->trail.call, op->trail.site);
    op->set->outstanding++;
    op->carrier = choose(op);
    op->trail.carrier = op->carrier->name;
    op->carrier->start(op);
}

static void op_free(struct move_op *op)
{
    free_side(&op->from);
    free_side(&op->to);
    free_side(&op->result);
    move_edge_free(op);
    g_free(op);
}

void move_drop(struct move_op *op)
{
    op->set->outstanding--;
    op_free(op);
}

void move_complete(struct move_op *op, double done_s)
{
    struct move_set *set = op->set;
    struct kern_gate *gate = set->origin->gate;
    op->trail.at_s[OP_COMPLETED] = done_s;
    trace_operation(&op->trail);
    set->last_s = fmax(set->last_s, done_s);
    op_free(op);
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
    serve_wait(set->origin, empty, set);
    serve_wait_until(set->origin, set->last_s);
}

static bool sent(void *data)
{
    struct move_set *set = data;
    return set->unread == 0;
}

void move_set_sent(struct move_set *set)
{
    if (set->unread > 0) serve_wait(set->origin, sent, set);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static double gather(struct serve_proc *at, struct mem_cpu *cpu, const struct move_side *side,
                     uint8_t *out, double at_s,
                     double (*read)(struct mem_cpu *cpu, uintptr_t addr, void *out, uint64_t bytes,
                                    double at_s))
{
    double cost_s = 0;
    for (uint32_t i = 0; i < side->layout.pieces; i++) {
        struct op_piece p = side->layout.piece[i];
        if (cpu)
            cost_s += read(cpu, side->addr + p.offset, out, p.bytes, at_s + cost_s);
        else
            mem_ni_read(at->memory, side->addr + p.offset, out, p.bytes, at_s);
        out += p.bytes;
    }
    return cost_s;
}

double move_gather(struct serve_proc *at, struct mem_cpu *cpu, const struct move_side *side,
                   uint8_t *out, double at_s)
{
    return gather(at, cpu, side, out, at_s, mem_cpu_read);
}

double move_scatter(struct serve_proc *at, struct mem_cpu *cpu, const struct move_side *side,
                    const uint8_t *in, uint32_t writer, double at_s)
{
    double cost_s = 0;
    for (uint32_t i = 0; i < side->layout.pieces; i++) {
        struct op_piece p = side->layout.piece[i];
        if (cpu)
            cost_s += mem_cpu_write(cpu, side->addr + p.offset, in, p.bytes, writer, at_s + cost_s);
        else
            mem_ni_write(at->memory, side->addr + p.offset, in, p.bytes, writer, at_s);
        in += p.bytes;
    }
    return cost_s;
}

/* An interface runs no code of the program's: the origin's processor, which holds the lock, does.
 */
static double combine(struct move_op *op, const struct mem_cpu *cpu)
{
    if (op->combine)
        op->combine_s = op->combine(op->bytes, op->old, op->trail.bytes, op->combine_arg);
    if (!cpu) serve_compute(op->origin, op->combine_s);
    return op->combine_s;
}

double move_perform(struct move_op *op, struct mem_cpu *cpu, double at_s)
{
    struct serve_proc *target = op->target;
    double cost_s = 0;
    op->trail.at_s[OP_PERFORMED] = at_s;
    switch (op->trail.kind) {
    case OP_GET: return move_gather(target, cpu, &op->to, op->bytes, at_s);
    case OP_PUT:
        cost_s = move_edge_merge(op, cpu, at_s);
        return cost_s + move_scatter(target, cpu, &op->to, op->bytes, op->writer, at_s + cost_s);
    case OP_ACCUMULATE:
    case OP_GET_ACCUMULATE:
        cost_s = gather(target, cpu, &op->to, op->old, at_s, mem_cpu_read_to_write);
        if (op->trail.kind == OP_GET_ACCUMULATE) {
            /* The origin gets the old values; the sum is made in the bytes it sent. */
            uint8_t *old = g_memdup2(op->old, op->trail.bytes);
            cost_s += combine(op, cpu);
            cost_s += move_scatter(target, cpu, &op->to, op->combine ? op->old : op->bytes,
                                   op->writer, at_s + cost_s);
            memcpy(op->bytes, old, op->trail.bytes);
            g_free(old);
            return cost_s;
        }
        cost_s += combine(op, cpu);
        return cost_s + move_scatter(target, cpu, &op->to, op->combine ? op->old : op->bytes,
                                     op->writer, at_s + cost_s);
    case OP_CONTROL:
    case OP_KINDS: break;
    }
    g_assert_not_reached();
}

double move_land(struct move_op *op, struct mem_cpu *cpu, double at_s)
{
    const struct move_side *side = op->trail.kind == OP_GET ? &op->from : &op->result;
    uint32_t writer = op_writer_id(op->trail.origin, op->trail.call, op->trail.site);
    return move_scatter(op->origin, cpu, side, op->bytes, writer, at_s);
}

/* ---- the object ------------------------------------------------------------------------------ */

struct move *move_new(const struct mach *m, struct net *net, struct serve_proc *const *proc,
                      int ranks)
{
    struct move *move = g_new0(struct move, 1);
    *move = (struct move){.mach = m, .net = net, .proc = proc, .ranks = ranks};
    for (size_t i = 0; i < G_N_ELEMENTS(carriers); i++)
        g_assert(carriers[i]->name && carriers[i]->doc && carriers[i]->applies &&
                 carriers[i]->start && carriers[i]->service);
    return move;
}

void move_free(struct move *move)
{
    if (!move) return;
    move_buffers_free(move);
    move_remembered_free(move);
    if (move->unfed) g_hash_table_unref(move->unfed);
    g_free(move->annex);
    move_edges_free(move->edges);
    g_free(move);
}

double move_barrier(struct move *move, int ranks) { return net_barrier(move->net, ranks); }

double move_total(struct move *move, int ranks)
{
    const struct mach *m = move->mach;
    if (ranks < 2) return 0;
    double overheads_s = move->proc[0]->policy->processor
                             ? m->net_overhead_send + m->net_overhead_receive
                             : m->ni_overhead;
    int there = move->proc[ranks - 1]->node;
    /* each round halves what a process is still responsible for; the way back doubles it again */
    double way_s = 0;
    for (int reached = 2; reached < 2 * ranks; reached *= 2)
        way_s += overheads_s +
                 net_time(move->net, 0, there, sizeof(int32_t) * (uint64_t)MAX(ranks / reached, 1));
    return 2 * way_s;
}

double move_latency(const struct move *move, int from, int to)
{
    return net_latency(move->net, move->proc[from]->node, move->proc[to]->node);
}

bool move_shares_view(const struct move *move) { return move_coherent(move->mach); }

bool move_barrier_network(const struct move *move) { return move->mach->barrier_latency > 0; }
