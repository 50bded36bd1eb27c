/* The bytes of a transfer: read at the origin, read, written or combined at the target, stored
 * where they go; each by a processor through its caches, or by a network interface. */
#include "check/check.h"
#include "findings/findings.h"
#include "mem/agent/agent.h"
#include "move/transfer/chunk.h"

static struct {
    const struct move_transfer *transfer;
    int memory_of;
} in_hand;

const struct move_transfer *move_in_hand(int *memory_of)
{
    *memory_of = in_hand.memory_of;
    return in_hand.transfer;
}

static struct mem_charge gather(struct serve_proc *at, struct mem_cpu *cpu,
                                const struct move_side *side, uint8_t *out, double at_s,
                                struct mem_charge (*read)(struct mem_cpu *cpu, uintptr_t addr,
                                                          void *out, uint64_t bytes, double at_s))
{
    struct mem_charge cost = {0};
    for (uint32_t i = 0; i < side->layout.pieces; i++) {
        struct op_piece p = side->layout.piece[i];
        if (cpu)
            mem_charge_more(
                &cost, read(cpu, side->addr + p.offset, out, p.bytes, at_s + mem_charge_s(cost)));
        else
            mem_ni_read(at->memory, side->addr + p.offset, out, p.bytes, at_s);
        out += p.bytes;
    }
    return cost;
}

struct mem_charge move_gather(struct serve_proc *at, struct mem_cpu *cpu,
                              const struct move_side *side, uint8_t *out, double at_s)
{
    return gather(at, cpu, side, out, at_s, mem_cpu_read);
}

struct mem_charge move_scatter(struct serve_proc *at, struct mem_cpu *cpu,
                               const struct move_side *side, const uint8_t *in, uint32_t writer,
                               double at_s)
{
    struct mem_charge cost = {0};
    for (uint32_t i = 0; i < side->layout.pieces; i++) {
        struct op_piece p = side->layout.piece[i];
        if (cpu) {
            mem_copy_begin(cpu, side->addr + (uintptr_t)p.offset, p.bytes);
            mem_charge_more(&cost, mem_cpu_write(cpu, side->addr + p.offset, in, p.bytes, writer,
                                                 at_s + mem_charge_s(cost)));
            mem_copy_end(cpu);
        } else
            mem_ni_write(at->memory, side->addr + p.offset, in, p.bytes, writer, at_s);
        in += p.bytes;
    }
    return cost;
}

/* An interface runs no code of the program's: the origin's processor, which holds the lock, does.
 */
static struct mem_charge combine(struct move_transfer *t, const struct mem_cpu *cpu)
{
    if (t->op.combine)
        t->combine_s = t->op.combine(t->bytes, t->old, t->trail.bytes, t->op.combine_arg);
    if (!cpu) serve_compute(t->origin, t->combine_s);
    return (struct mem_charge){.compute_s = t->combine_s};
}

void move_note_missed(const struct move_transfer *t, uintptr_t addr, uint64_t bytes, double at_s)
{
    struct findings_note note = {.kind = FINDINGS_NOTE_UNPUBLISHED,
                                 .rank = t->trail.origin,
                                 .time_s = at_s,
                                 .site = t->trail.site,
                                 .call = t->trail.call};
    if (mem_ni_missed(t->target->memory, addr, bytes, at_s, &note)) findings_note(&note);
}

static struct mem_charge get(struct move_transfer *t, struct mem_cpu *cpu, double at_s)
{
    for (uint32_t i = 0; !cpu && i < t->op.to.layout.pieces; i++) {
        struct op_piece p = t->op.to.layout.piece[i];
        move_note_missed(t, t->op.to.addr + (uintptr_t)p.offset, p.bytes, at_s);
    }
    return move_gather(t->target, cpu, &t->op.to, t->bytes, at_s);
}

static void fetched(const struct move_transfer *t, bool changed)
{
    if (!changed) check_unchanged(t->op.number);
    check_performed(t->op.number);
}

static struct mem_charge scatter(struct move_transfer *t, struct mem_cpu *cpu,
                                 struct mem_charge cost, const uint8_t *in, double at_s)
{
    mem_charge_more(
        &cost, move_scatter(t->target, cpu, &t->op.to, in, t->writer, at_s + mem_charge_s(cost)));
    return cost;
}

static struct mem_charge perform(struct move_transfer *t, struct mem_cpu *cpu, double at_s)
{
    struct mem_charge cost = {0};
    t->trail.at_s[OP_PERFORMED] = at_s;
    if (t->op.number && t->trail.kind != OP_GET_ACCUMULATE) check_performed(t->op.number);
    switch (t->trail.kind) {
    case OP_GET: return get(t, cpu, at_s);
    case OP_PUT:
        cost = move_chunk_merge(t, cpu, at_s);
        return scatter(t, cpu, cost, t->bytes, at_s);
    case OP_ACCUMULATE:
    case OP_GET_ACCUMULATE:
        cost = gather(t->target, cpu, &t->op.to, t->old, at_s, mem_cpu_read_to_write);
        if (t->trail.kind == OP_GET_ACCUMULATE) {
            /* The origin gets the old values; the sum is made in the bytes it sent. */
            uint8_t *old = g_memdup2(t->old, t->trail.bytes);
            mem_charge_more(&cost, combine(t, cpu));
            const uint8_t *fresh = t->op.combine ? t->old : t->bytes;
            if (t->op.number) fetched(t, memcmp(old, fresh, t->trail.bytes) != 0);
            cost = scatter(t, cpu, cost, fresh, at_s);
            memcpy(t->bytes, old, t->trail.bytes);
            g_free(old);
            return cost;
        }
        mem_charge_more(&cost, combine(t, cpu));
        return scatter(t, cpu, cost, t->op.combine ? t->old : t->bytes, at_s);
    case OP_CONTROL:
    case OP_KINDS: break;
    }
    g_assert_not_reached();
}

struct mem_charge move_perform(struct move_transfer *t, struct mem_cpu *cpu, double at_s)
{
    in_hand.transfer = t;
    in_hand.memory_of = t->trail.target;
    const struct mem_charge cost = perform(t, cpu, at_s);
    in_hand.transfer = NULL;
    return cost;
}

struct mem_charge move_land(struct move_transfer *t, struct mem_cpu *cpu, double at_s)
{
    const struct move_side *side = t->trail.kind == OP_GET ? &t->op.from : &t->op.result;
    uint32_t writer = op_writer_id(t->trail.origin, t->trail.call, t->trail.site);
    in_hand.transfer = t;
    in_hand.memory_of = t->trail.origin;
    const struct mem_charge cost = move_scatter(t->origin, cpu, side, t->bytes, writer, at_s);
    in_hand.transfer = NULL;
    return cost;
}

double move_took(const struct move_transfer *t, struct mem_charge charge)
{
    kern_parts_note(&t->move->mach->cpu_clock, charge.compute_s);
    return mem_charge_s(charge);
}
