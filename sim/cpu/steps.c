/* Steps, and what they wait for. */
#include "cpu/lower.h"

enum { VECTOR_MAX = 256 };

/* Flags have a file of their own, large enough. What a library's call takes is said for all of it.
 */
static enum cpu_file written(const struct lowering *l, enum mach_class class)
{
    const bool floating = l->op->type & BLOCK_FLOAT || block_type_lanes(l->op->type) > 1;
    switch (class) {
    case MACH_INT_COMPARE:
    case MACH_FP_COMPARE:
    case MACH_STORE:
    case MACH_FP_STORE:
    case MACH_BRANCH:
    case MACH_FP_BRANCH: return CPU_FILES;
    case MACH_FP_TO_INT: return CPU_FILE_INTEGER;
    default: break;
    }
    if (l->op->library) return CPU_FILES;
    const bool computes = class >= MACH_INT_TO_FP && class <= MACH_SHUFFLE;
    return computes || floating ? CPU_FILE_FLOATING : CPU_FILE_INTEGER;
}

/* Loads and stores wait elsewhere, and so does floating point, of which more may wait. */
static bool is_queued(const struct lowering *l, enum mach_class class)
{
    return (class <= MACH_INT_DIVIDE || class == MACH_BRANCH) && !l->op->library;
}

uint32_t cpu_add_step(struct lowering *l, enum mach_class class)
{
    struct cpu_step step = {.class = class,
                            .op = l->block->first_op + l->k,
                            .position = l->position,
                            .first_dep = l->path->dep->len,
                            .writes = written(l, class),
                            .queued = is_queued(l, class)};
    g_array_append_val(l->path->step, step);
    return l->path->step->len - 1;
}

/* For the step added last. */
static void add_dep(struct lowering *l, struct cpu_dep dep)
{
    g_array_append_val(l->path->dep, dep);
    g_array_index(l->path->step, struct cpu_step, l->path->step->len - 1).deps++;
}

void cpu_wait_for_step(struct lowering *l, uint32_t step, uint32_t distance, enum mach_use use)
{
    add_dep(l, (struct cpu_dep){.step = step, .distance = distance, .use = use});
}

void cpu_wait_for_operand(struct lowering *l, const struct cpu_op *op, uint32_t i,
                          enum mach_use use)
{
    const struct cpu_operand *o = cpu_operand_at(l->object, op->first_operand + i);
    if (cpu_is_made(o))
        add_dep(l, (struct cpu_dep){
                       .step = CPU_NO_STEP, .operand = op->first_operand + i + 1, .use = use});
}

void cpu_wait_for_operands(struct lowering *l, uint32_t first, enum mach_use use)
{
    for (uint32_t i = first; i < l->op->operands; i++) cpu_wait_for_operand(l, l->op, i, use);
}

static bool is_constant(const struct cpu_object *object, const struct cpu_op *op, uint32_t i)
{
    return cpu_operand_at(object, op->first_operand + i)->where == BLOCK_CONSTANT;
}

/* Does operation k of a block carry its own value of the iteration before? */
static bool carries_itself(const struct cpu_object *object, const struct cpu_block *block,
                           const struct cpu_operand *o, uint32_t k)
{
    if (o->where == BLOCK_PREVIOUS) return o->k == k;
    if (o->where != BLOCK_HERE) return false;
    const struct cpu_op *phi = cpu_op_at(object, block->first_op + o->k);
    for (uint32_t i = 0; phi->class == BLOCK_PHI && i < phi->operands; i++) {
        const struct cpu_operand *from = cpu_operand_at(object, phi->first_operand + i);
        if (from->where == BLOCK_PREVIOUS && from->k == k) return true;
    }
    return false;
}

bool cpu_is_induction(const struct lowering *l, uint32_t k)
{
    const struct cpu_object *object = l->object;
    const struct cpu_op *op = cpu_op_at(object, l->block->first_op + k);
    if (op->class != BLOCK_ADD || op->operands != 2) return false;
    for (uint32_t i = 0; i < 2; i++)
        if (is_constant(object, op, 1 - i) &&
            carries_itself(object, l->block, cpu_operand_at(object, op->first_operand + i), k))
            return true;
    return false;
}

uint32_t cpu_copies(const struct lowering *l)
{
    uint32_t bytes = block_type_bytes(l->op->type), lanes = block_type_lanes(l->op->type);
    if (lanes == 1) return bytes > 8 && !(l->op->type & BLOCK_FLOAT) ? 2 : 1;
    uint32_t vector = l->path->cpu->vector;
    uint32_t n = vector ? (bytes * lanes + vector - 1) / vector : lanes;
    return CLAMP(n, 1, VECTOR_MAX);
}
