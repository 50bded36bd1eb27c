/* Whose value the address of a load, or a branch's condition, is made of: back from the address,
 * through what computes it, to a load; and which loads share a line. Left out: values that go
 * through memory, but for the stack's; structures of several lines. */
#include "cpu/parts.h"

enum { VISITS = 32 }; /* operations that one address is followed through */

struct trace {
    const struct cpu_object *object;
    const struct cpu_path *loop; /* NULL: in none */
    uint32_t seen[VISITS], visits;
    bool unknown; /* a value that no operation of the function makes */
};

static uint32_t op_of(const struct cpu_object *object, uint32_t block, uint32_t k)
{
    return cpu_block_at(object, block)->first_op + k;
}

static bool first_visit(struct trace *t, uint32_t op)
{
    for (uint32_t i = 0; i < t->visits; i++)
        if (t->seen[i] == op) return false;
    if (t->visits == VISITS) return false;
    t->seen[t->visits++] = op;
    return true;
}

/* The operation that makes an operand of one of a block; NULL: a constant, or none of the function,
 * as far as addresses go: what a call returns comes from the callee's operations. */
static const struct cpu_op *maker_of(const struct cpu_object *object, uint32_t block,
                                     const struct cpu_operand *o)
{
    if (o->where == BLOCK_OUTSIDE || o->where == BLOCK_CONSTANT) return NULL;
    uint32_t home = o->where == BLOCK_THERE ? o->block : block;
    const struct cpu_op *maker = cpu_op_at(object, op_of(object, home, o->k));
    return maker->class == BLOCK_CALL ? NULL : maker;
}

/* Does a loop bring the phi's value, and no operation of the function makes it? A call returned it.
 */
static bool is_returned(const struct trace *t, uint32_t block, const struct cpu_op *phi)
{
    bool outside = false;
    for (uint32_t i = 0; i < phi->operands; i++) {
        const struct cpu_operand *o = cpu_operand_at(t->object, phi->first_operand + i);
        if (maker_of(t->object, block, o)) return false;
        outside |= o->where != BLOCK_CONSTANT;
    }
    return outside;
}

/* A load before the loop has come by the time that the loop goes round. */
static bool was_before(const struct trace *t, uint32_t block)
{
    for (uint32_t p = 0; t->loop && p < t->loop->positions; p++)
        if (t->loop->block[p] == block) return false;
    return t->loop != NULL;
}

/* The load among what makes the operands from the first on; CPU_AFTER_NONE: there is none. */
static uint32_t find_load(struct trace *t, uint32_t block, const struct cpu_op *op, uint32_t first)
{
    for (uint32_t i = first; i < op->operands; i++) {
        const struct cpu_operand *o = cpu_operand_at(t->object, op->first_operand + i);
        const struct cpu_op *maker = maker_of(t->object, block, o);
        t->unknown |= !maker && o->where != BLOCK_CONSTANT;
        if (!maker) continue;
        uint32_t home = o->where == BLOCK_THERE ? o->block : block;
        uint32_t at = op_of(t->object, home, o->k);
        if (!first_visit(t, at)) continue;
        if (maker->class == BLOCK_PHI && is_returned(t, home, maker)) return CPU_AFTER_YOUNGEST;
        if (cpu_is_access(maker) && was_before(t, home)) continue;
        if (cpu_is_access(maker)) return maker->form == BLOCK_STACK ? CPU_AFTER_YOUNGEST : at;
        uint32_t found = find_load(t, home, maker, 0);
        if (found != CPU_AFTER_NONE) return found;
    }
    return CPU_AFTER_NONE;
}

uint32_t cpu_address_after(const struct cpu_path *path, uint32_t block, const struct cpu_op *op)
{
    struct trace t = {.object = path->object, .loop = path->cyclic ? path : NULL};
    bool valued = op->class == BLOCK_STORE || op->class == BLOCK_ATOMIC;
    bool called = op->class == BLOCK_CALL && op->operands > 0; /* the pointer is the last */
    uint32_t found = find_load(&t, block, op, called ? op->operands - 1 : valued ? 1 : 0);
    return found == CPU_AFTER_NONE && t.unknown && !t.loop ? CPU_AFTER_YOUNGEST : found;
}

/* ---- one line ----------------------------------------------------------------------------------
 */

/* The operation of the object that makes the pointer of a load, in this pass; CPU_AFTER_NONE: it
 * has an index, or its maker is not known. */
static uint32_t pointer_of(const struct cpu_object *object, uint32_t block, const struct cpu_op *op)
{
    if (op->class != BLOCK_LOAD || op->form != BLOCK_BASE || op->operands != 1)
        return CPU_AFTER_NONE;
    const struct cpu_operand *o = cpu_operand_at(object, op->first_operand);
    if (o->where == BLOCK_HERE) return op_of(object, block, o->k);
    return o->where == BLOCK_THERE ? op_of(object, o->block, o->k) : CPU_AFTER_NONE;
}

uint32_t cpu_beside(const struct cpu_path *path, uint32_t position, uint32_t k)
{
    const struct cpu_object *object = path->object;
    const uint32_t last = op_of(object, path->block[position], k),
                   pointer = pointer_of(object, path->block[position], cpu_op_at(object, last));
    for (uint32_t p = 0; pointer != CPU_AFTER_NONE && p <= position; p++) {
        const struct cpu_block *block = cpu_block_at(object, path->block[p]);
        for (uint32_t i = block->first_op; i < block->first_op + block->ops && i != last; i++)
            if (pointer_of(object, path->block[p], cpu_op_at(object, i)) == pointer) return i;
    }
    return CPU_AFTER_NONE;
}
