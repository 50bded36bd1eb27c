/* Operations that wait at the target for a servicer (PUT/ACCEPT): bytes that come before it lie in a buffer there, at the price of one
 * copy more; those of more than move.eager_bytes stay at the origin until they are asked for.
 *
 * A rank's buffer has a fixed place, so that what the copies cost does not depend on the host's heap; the bytes themselves
 * travel in the operation.
 */
#include "move/carrier.h"

#include <stdlib.h>

/* The request is settling from its arrival on, until its carrier says that it waits. */
bool move_placed(struct move_op *op, double at_s)
{
    if (!op->place || op->placed) return true;
    if (op->settling) return false;
    op->settling = true;
    op->placed = op->place(op, at_s);
    if (op->placed) op->settling = false;
    return op->placed;
}

void move_waits(struct move_op *op, double at_s)
{
    op->settling = false;
    if (op->called) op->carrier->service(op, at_s);
}

void move_service(struct move_op *op, double at_s)
{
    op->placed = true;
    if (op->settling) op->called = true;
    else op->carrier->service(op, at_s);
}

void move_served(struct move_op *op, double at_s)
{
    if (op->served) op->served(op, at_s);
}

bool move_brings(const struct move_op *op)
{
    return op->trail.kind == OP_PUT && op->trail.bytes <= (uint64_t)op->move->mach->move_eager_bytes;
}

enum { PAGE_BYTES = 4096 };

/* It begins on a page, as the interface's buffer would. */
uintptr_t move_stage_of(struct move *move, int rank)
{
    if (!move->stage) move->stage = g_new0(uint8_t *, move->ranks);
    if (!move->stage[rank]) move->stage[rank] = aligned_alloc(PAGE_BYTES, MOVE_STAGE_BYTES);
    if (!move->stage[rank]) g_error("no memory for a buffer of %d bytes", MOVE_STAGE_BYTES);
    return (uintptr_t)move->stage[rank];
}

double move_stage(struct move_op *op, struct mem_cpu *cpu, double at_s)
{
    double cost_s = 0;
    if (!move_brings(op)) return 0;
    op->staged = true;
    for (uint64_t done = 0, n; cpu && done < op->trail.bytes; done += n) {
        n = MIN(op->trail.bytes - done, MOVE_STAGE_BYTES);
        cost_s += mem_cpu_write(cpu, move_stage_of(op->move, op->target->rank), op->bytes + done, n, op->writer, at_s + cost_s);
    }
    return cost_s;
}

double move_unstage(struct move_op *op, struct mem_cpu *cpu, double at_s)
{
    static uint8_t nowhere[MOVE_STAGE_BYTES];   /* the bytes themselves are in the operation */
    double cost_s = 0;
    for (uint64_t done = 0, n; op->staged && done < op->trail.bytes; done += n) {
        n = MIN(op->trail.bytes - done, MOVE_STAGE_BYTES);
        cost_s += mem_cpu_read(cpu, move_stage_of(op->move, op->target->rank), nowhere, n, at_s + cost_s);
    }
    return cost_s;
}

/* What the processor has just written for one request must not reach memory after what the interface writes for the next. */
double move_perform_late(struct move_op *op, double at_s)
{
    struct mem_cpu *cpu = op->target->cpu;
    double cost_s = move_perform(op, cpu, at_s);
    for (uint32_t i = 0; move_writes(op) && i < op->to.layout.pieces; i++) {
        struct op_piece p = op->to.layout.piece[i];
        cost_s += mem_publish(cpu, op->to.addr + p.offset, p.bytes, at_s + cost_s);
    }
    return cost_s;
}
