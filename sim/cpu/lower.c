/* From described operations to steps, operations of the machine.
 *
 * What the machine lacks becomes the steps that its keys cpu.lower.* name, one behind the other.
 * Wide constants are loaded outside of loops.
 *
 * In a loop whose iterations the compiler joined (cpu.unroll) the counting, its comparison and its
 * branch stay once. */
#include "cpu/lower.h"

static uint32_t add_class(struct lowering *l, enum mach_class class)
{
    uint32_t s = cpu_add_step(l, class);
    cpu_wait_for_operands(l, 0, MACH_USE_VALUE);
    return s;
}

/* The steps for what the machine lacks; the first waits for the operands. Returns the last. */
static uint32_t add_lowered(struct lowering *l, const struct mach_lower *lower)
{
    if (lower->cycles) {
        uint32_t s = cpu_add_step(l, MACH_BRANCH);
        g_array_index(l->path->step, struct cpu_step, s).cycles = (uint32_t)lower->cycles;
        cpu_wait_for_operands(l, 0, MACH_USE_VALUE);
        return s;
    }
    for (int i = 0; i < lower->steps; i++) {
        enum mach_class c = lower->step[i];
        uint32_t s = cpu_add_step(l, c);
        bool memory = c == MACH_LOAD || c == MACH_LOAD_SIGNED;
        if (i > 0)
            cpu_wait_for_step(l, s - 1, 0, c == MACH_STORE ? MACH_USE_STORE : MACH_USE_VALUE);
        if (i == 0) cpu_wait_for_operands(l, 0, memory ? MACH_USE_ADDRESS : MACH_USE_VALUE);
    }
    return l->path->step->len - 1;
}

static uint32_t add_or_lower(struct lowering *l, enum cpu_lowering lowering, enum mach_class class)
{
    const struct mach_lower *lower = &l->path->cpu->lower[lowering];
    return lower->steps || lower->cycles ? add_lowered(l, lower) : add_class(l, class);
}

/* ---- branches and calls ---------------------------------------------------------------------- */

/* The comparison that a branch tests; NULL: it is none of this block. */
static const struct cpu_op *tested(const struct lowering *l, const struct cpu_op *branch)
{
    if (branch->class != BLOCK_BRANCH || branch->operands == 0) return NULL;
    const struct cpu_operand *o = cpu_operand_at(l->object, branch->first_operand);
    if (o->where != BLOCK_HERE) return NULL;
    const struct cpu_op *op = cpu_op_at(l->object, l->block->first_op + o->k);
    return op->class == BLOCK_COMPARE || op->class == BLOCK_FP_COMPARE ? op : NULL;
}

/* Is this integer comparison part of the branch at the end of its block? */
static bool in_branch(const struct lowering *l, const struct cpu_op *compare)
{
    if (compare->class != BLOCK_COMPARE || (compare->flags & BLOCK_LIVE)) return false;
    const struct cpu_op *end = cpu_op_at(l->object, l->block->first_op + l->block->ops - 1);
    if (tested(l, end) != compare) return false;
    if (l->path->cpu->compare == COMPARE_FUSED) return true;
    for (uint32_t i = 0; i < compare->operands; i++) {
        const struct cpu_operand *o = cpu_operand_at(l->object, compare->first_operand + i);
        if (o->where == BLOCK_CONSTANT && o->k == 0) return l->path->cpu->compare == COMPARE_ZERO;
    }
    return false;
}

static const struct cpu_op *maker_here(const struct lowering *l, const struct cpu_operand *o)
{
    return o->where == BLOCK_HERE ? cpu_op_at(l->object, l->block->first_op + o->k) : NULL;
}

/* Is an operation's other operand, beside a 0, tested as it is made? Where branches compare, what
 * adds or masks says so itself; a machine without such flags chooses by a register against 0. */
static bool is_tested(const struct lowering *l, const struct cpu_op *op)
{
    for (uint32_t i = 0; i < op->operands && op->operands == 2; i++) {
        const struct cpu_operand *zero = cpu_operand_at(l->object, op->first_operand + i);
        if (zero->where != BLOCK_CONSTANT || zero->k > 0) continue;
        if (l->path->cpu->compare == COMPARE_ZERO) return true;
        const struct cpu_op *made =
            maker_here(l, cpu_operand_at(l->object, op->first_operand + 1 - i));
        if (l->path->cpu->compare != COMPARE_FUSED || !made) return false;
        return made->class == BLOCK_ADD || made->class == BLOCK_LOGIC;
    }
    return false;
}

static uint32_t add_branch(struct lowering *l)
{
    const struct cpu_op *compare = tested(l, l->op);
    bool fp = compare && compare->class == BLOCK_FP_COMPARE;
    uint32_t s = cpu_add_step(l, fp ? MACH_FP_BRANCH : MACH_BRANCH);
    if (!compare || !in_branch(l, compare)) {
        cpu_wait_for_operands(l, 0, MACH_USE_BRANCH);
        return s;
    }
    for (uint32_t i = 0; i < compare->operands; i++)
        cpu_wait_for_operand(l, compare, i, MACH_USE_BRANCH);
    return s;
}

static uint32_t add_switch(struct lowering *l)
{
    if (l->op->flags & BLOCK_ADDRESS) {
        uint32_t jump = cpu_add_step(l, MACH_BRANCH);
        cpu_wait_for_operands(l, 0, MACH_USE_BRANCH);
        return jump;
    }
    uint32_t s = add_class(l, MACH_INT_ADD);
    s = cpu_add_step(l, MACH_LOAD);
    cpu_wait_for_step(l, s - 1, 0, MACH_USE_ADDRESS);
    s = cpu_add_step(l, MACH_BRANCH);
    cpu_wait_for_step(l, s - 1, 0, MACH_USE_BRANCH);
    return s;
}

/* A call ends what is in flight, but not out of order where the object describes the callee, or a
 * table does (library.c), or its target is predicted: then what is made of its result alone waits
 * for it. What the callee computes is in its own blocks. A function of another file is not known to
 * be the program's. */
static uint32_t add_call(struct lowering *l)
{
    uint32_t first = l->path->step->len, s = add_or_lower(l, LOWER_CALL, MACH_BRANCH);
    if (l->op->library) s = cpu_add_library(l, s);
    bool goes_on = l->op->described || l->op->library || l->op->flags & BLOCK_PREDICTED;
    if (goes_on && l->path->cpu->window > 0) return s;
    g_array_index(l->path->step, struct cpu_step, first).barrier = true;
    g_array_index(l->path->step, struct cpu_step, s).barrier = true;
    return s;
}

/* ---- operations ------------------------------------------------------------------------------ */

/* What becomes of a multiplication by a constant. */
static struct cpu_chain chain_of(const struct lowering *l)
{
    if (!l->op->times || l->op->class != BLOCK_MULTIPLY) return (struct cpu_chain){0};
    return cpu_multiple(l->path->cpu, l->op->times, block_type_bytes(l->op->type) <= 4);
}

static uint32_t add_wide_constants(struct lowering *l)
{
    const struct mach_lower *lower = &l->path->cpu->lower[LOWER_WIDE_CONSTANT];
    if (!l->path->cyclic && chain_of(l).steps > 0) return FREE;
    for (uint32_t i = 0; !l->path->cyclic && i < l->op->operands; i++) {
        const struct cpu_operand *o = cpu_operand_at(l->object, l->op->first_operand + i);
        if (o->where != BLOCK_CONSTANT || o->k <= l->path->cpu->constant_bits) continue;
        for (int j = 0; j < lower->steps; j++) {
            uint32_t s = cpu_add_step(l, lower->step[j]);
            if (j > 0) cpu_wait_for_step(l, s - 1, 0, MACH_USE_VALUE);
        }
    }
    return FREE;
}

/* Two words as one number (gcc's *lshrti3_doubleword and such). A shift by a word or more takes the
 * other word, which is in a register already. The upper word of one that was a word without a sign
 * is set to 0, for which nobody waits. */
enum { TWO_WORDS = 16, WORD_SHIFT_BITS = 8 }; /* of a constant from 64 on, with its sign */
static bool takes_other_word(const struct lowering *l)
{
    if (block_type_bytes(l->op->type) != TWO_WORDS || l->op->operands != 2) return false;
    const struct cpu_operand *by = cpu_operand_at(l->object, l->op->first_operand + 1);
    return by->where == BLOCK_CONSTANT && by->k >= WORD_SHIFT_BITS;
}
static bool gets_zero_word(const struct lowering *l)
{
    return block_type_bytes(l->op->type) == TWO_WORDS && !(l->op->from_type & BLOCK_SIGNED);
}

static uint32_t add_convert(struct lowering *l)
{
    bool from = l->op->from_type & BLOCK_FLOAT, to = l->op->type & BLOCK_FLOAT;
    if (from && to) return add_class(l, MACH_FP_ADD);
    if (from) return add_or_lower(l, LOWER_FP_TO_INT, MACH_FP_TO_INT);
    if (to) return add_or_lower(l, LOWER_INT_TO_FP, MACH_INT_TO_FP);
    if (block_type_bytes(l->op->from_type) >= block_type_bytes(l->op->type)) return FREE;
    if (gets_zero_word(l)) {
        cpu_add_step(l, MACH_INT_ADD);
        return FREE;
    }
    const struct cpu_operand *o =
        l->op->operands ? cpu_operand_at(l->object, l->op->first_operand) : NULL;
    bool loaded = o && o->where == BLOCK_HERE &&
                  cpu_op_at(l->object, l->block->first_op + o->k)->class == BLOCK_LOAD;
    if (loaded || cpu_is_extended(l)) return FREE; /* a load extends what it loads */
    return add_class(l, l->op->from_type & BLOCK_SIGNED ? MACH_SHIFT : MACH_INT_ADD);
}

/* The operation of its block that makes a phi node's value of the next iteration; NULL: none. */
static const struct cpu_operand *next_of(const struct lowering *l, const struct cpu_op *phi)
{
    for (uint32_t i = 0; phi->class == BLOCK_PHI && i < phi->operands; i++) {
        const struct cpu_operand *o = cpu_operand_at(l->object, phi->first_operand + i);
        if (o->where == BLOCK_PREVIOUS) return o;
    }
    return NULL;
}

static bool takes(const struct lowering *l, const struct cpu_op *op, uint32_t k)
{
    for (uint32_t i = 0; i < op->operands; i++) {
        const struct cpu_operand *o = cpu_operand_at(l->object, op->first_operand + i);
        if (o->where == BLOCK_HERE && o->k == k) return true;
    }
    return false;
}

/* A variable that a loop of one block carries stays in its register, but what another one had
 * before is copied; and so is what that one gets next, where the variable goes into it:
 * t = a + b, a = b, b = t. Joined iterations rename registers instead. */
static bool is_copied(const struct lowering *l)
{
    const struct cpu_operand *next = next_of(l, l->op);
    if (!next || (l->path->joined && l->position + 1 < l->path->positions)) return false;
    const struct cpu_op *made = cpu_op_at(l->object, l->block->first_op + next->k);
    if (made->class == BLOCK_PHI) return next->k != l->k;
    for (uint32_t k = 0; k < l->block->ops; k++) {
        const struct cpu_operand *from = next_of(l, cpu_op_at(l->object, l->block->first_op + k));
        if (from && from->k == l->k && takes(l, made, k)) return true;
    }
    return false;
}

static uint32_t add_phi(struct lowering *l)
{
    if (!is_copied(l)) return FREE;
    return add_class(l, l->op->type & BLOCK_FLOAT ? MACH_FP_MOVE : MACH_INT_ADD);
}

static uint32_t add_multiply(struct lowering *l)
{
    bool narrow = block_type_bytes(l->op->type) <= 4;
    struct cpu_chain chain = chain_of(l);
    if (chain.steps == 0) return add_class(l, narrow ? MACH_INT_MULTIPLY_32 : MACH_INT_MULTIPLY);
    uint32_t s = add_class(l, chain.step[0]);
    for (uint32_t i = 1; i < chain.steps; i++) {
        s = cpu_add_step(l, chain.step[i]);
        cpu_wait_for_step(l, s - 1, 0, MACH_USE_VALUE);
    }
    return s;
}

/* Of floating point one instruction where there is one, as long as a comparison. */
static uint32_t add_minimum(struct lowering *l)
{
    if (l->op->type & BLOCK_FLOAT) return add_or_lower(l, LOWER_FP_MINIMUM, MACH_FP_COMPARE);
    if (is_tested(l, l->op)) return add_or_lower(l, LOWER_SELECT, MACH_SELECT);
    uint32_t compare = add_class(l, MACH_INT_COMPARE);
    uint32_t s = add_or_lower(l, LOWER_SELECT, MACH_SELECT);
    cpu_wait_for_step(l, compare, 0, MACH_USE_VALUE);
    return s;
}

/* Is every use of the operation at hand, in its block, the condition of a choice? */
static bool only_chooses(const struct lowering *l)
{
    bool chooses = false;
    if (l->op->flags & BLOCK_LIVE) return false;
    for (uint32_t k = l->k + 1; k < l->block->ops; k++) {
        const struct cpu_op *op = cpu_op_at(l->object, l->block->first_op + k);
        for (uint32_t i = 0; i < op->operands; i++) {
            const struct cpu_operand *o = cpu_operand_at(l->object, op->first_operand + i);
            if (o->where != BLOCK_HERE || o->k != l->k) continue;
            if (op->class != BLOCK_SELECT || i > 0) return false;
            chooses = true;
        }
    }
    return chooses;
}

/* Its value as 0 or 1, which neither the branch of its block needs, nor a choice. */
static uint32_t add_truth(struct lowering *l, uint32_t compare)
{
    const struct mach_lower *lower = &l->path->cpu->lower[LOWER_TRUTH];
    const struct cpu_op *end = cpu_op_at(l->object, l->block->first_op + l->block->ops - 1);
    const bool branches = !(l->op->flags & BLOCK_LIVE) && tested(l, end) == l->op,
               mask = block_type_lanes(l->op->type) > 1;
    uint32_t s = compare;
    for (int i = 0; i < lower->steps && !branches && !mask && !only_chooses(l); i++) {
        s = cpu_add_step(l, lower->step[i]);
        cpu_wait_for_step(l, s - 1, 0, MACH_USE_VALUE);
    }
    return s;
}

static uint32_t add_compare(struct lowering *l)
{
    if (in_branch(l, l->op) || (is_tested(l, l->op) && only_chooses(l))) return FREE;
    return add_truth(l, add_class(l, MACH_INT_COMPARE));
}

/* They lie beside each other, and nobody of the function waits for them. */
static uint32_t add_save(struct lowering *l)
{
    uint64_t registers = MIN(l->op->times, l->path->cpu->saved);
    for (uint64_t r = 0; r < registers; r++) {
        uint32_t s = cpu_add_step(l, MACH_STORE);
        g_array_index(l->path->step, struct cpu_step, s).line = r == 0;
        cpu_add_step(l, MACH_LOAD);
    }
    return FREE;
}

static uint32_t add_operation(struct lowering *l)
{
    bool narrow = block_type_bytes(l->op->type) <= 4;
    switch ((enum block_class)l->op->class) {
    case BLOCK_PHI: return add_phi(l);
    case BLOCK_ADD: return cpu_is_in_address(l) ? FREE : add_class(l, MACH_INT_ADD);
    case BLOCK_MOVE:
    case BLOCK_LOGIC: return add_class(l, MACH_INT_ADD);
    case BLOCK_ASM: return l->op->flags & BLOCK_EMPTY ? FREE : add_class(l, MACH_INT_ADD);
    case BLOCK_SHIFT:
        return takes_other_word(l) || cpu_is_in_address(l) ? FREE : add_class(l, MACH_SHIFT);
    case BLOCK_COMPARE: return add_compare(l);
    case BLOCK_SELECT: return add_or_lower(l, LOWER_SELECT, MACH_SELECT);
    case BLOCK_MINIMUM: return add_minimum(l);
    case BLOCK_SAVE: return add_save(l);
    case BLOCK_MULTIPLY: return add_multiply(l);
    case BLOCK_DIVIDE:
        return add_or_lower(l, LOWER_INT_DIVIDE, narrow ? MACH_INT_DIVIDE_32 : MACH_INT_DIVIDE);
    case BLOCK_CONVERT: return add_convert(l);
    case BLOCK_FP_MOVE: return add_class(l, MACH_FP_MOVE);
    case BLOCK_FP_ADD: return add_class(l, MACH_FP_ADD);
    case BLOCK_FP_COMPARE: return add_truth(l, add_class(l, MACH_FP_COMPARE));
    case BLOCK_FP_MULTIPLY: return add_class(l, MACH_FP_MULTIPLY);
    case BLOCK_FP_FMA: return add_or_lower(l, LOWER_FMA, MACH_FP_FMA);
    case BLOCK_FP_DIVIDE: return add_class(l, narrow ? MACH_FP_DIVIDE_32 : MACH_FP_DIVIDE);
    case BLOCK_FP_SQRT: return add_or_lower(l, LOWER_SQRT, narrow ? MACH_FP_SQRT_32 : MACH_FP_SQRT);
    case BLOCK_SHUFFLE: return add_class(l, MACH_SHUFFLE);
    case BLOCK_LOAD: return l->op->flags & BLOCK_REGISTER ? FREE : cpu_add_load(l);
    case BLOCK_STORE: return l->op->flags & BLOCK_REGISTER ? FREE : cpu_add_store(l);
    case BLOCK_ATOMIC: return cpu_add_atomic(l);
    case BLOCK_BRANCH: return add_branch(l);
    case BLOCK_SWITCH: return add_switch(l);
    case BLOCK_CALL: return add_call(l);
    case BLOCK_RETURN: return add_class(l, MACH_BRANCH);
    case BLOCK_CLASSES: break;
    }
    return FREE;
}

static bool ends_block(uint8_t class)
{
    return class == BLOCK_BRANCH || class == BLOCK_SWITCH || class == BLOCK_CALL ||
           class == BLOCK_RETURN || class == BLOCK_ATOMIC || class == BLOCK_ASM;
}

/* In iterations that the compiler joined: does the last alone have it? */
static bool once(const struct lowering *l)
{
    if (l->op->class == BLOCK_BRANCH || cpu_is_induction(l, l->k)) return true;
    const struct cpu_op *end = cpu_op_at(l->object, l->block->first_op + l->block->ops - 1);
    return tested(l, end) == l->op;
}

static uint32_t lower_operation(struct lowering *l)
{
    l->op = cpu_op_at(l->object, l->block->first_op + l->k);
    if (l->path->joined && l->position + 1 < l->path->positions && once(l)) return FREE;
    add_wide_constants(l);
    uint32_t first = l->path->step->len, s = add_operation(l);
    if (s != FREE && !cpu_is_access(l->op) && l->path->step->len == first + 1)
        for (uint32_t n = cpu_copies(l); n > 1; n--) s = add_operation(l);
    bool end = l->k + 1 == l->block->ops && ends_block(l->op->class) &&
               (!l->path->joined || l->position + 1 == l->path->positions);
    for (; end && first < l->path->step->len; first++)
        g_array_index(l->path->step, struct cpu_step, first).last = true;
    return s;
}

void cpu_lower(struct cpu_path *path)
{
    struct lowering l = {.path = path, .object = path->object};
    path->step = g_array_new(FALSE, FALSE, sizeof(struct cpu_step));
    path->dep = g_array_new(FALSE, FALSE, sizeof(struct cpu_dep));
    path->base[0] = 0;
    for (uint32_t p = 0; p < path->positions; p++)
        path->base[p + 1] = path->base[p] + cpu_block_at(path->object, path->block[p])->ops;
    path->result = g_new(uint32_t, path->base[path->positions] + 1);
    for (l.position = 0; l.position < path->positions; l.position++) {
        l.block = cpu_block_at(path->object, path->block[l.position]);
        for (l.k = 0; l.k < l.block->ops; l.k++)
            path->result[path->base[l.position] + l.k] = lower_operation(&l);
    }
    cpu_find_values(path);
}

void cpu_path_clear(struct cpu_path *path)
{
    g_array_unref(path->step);
    g_array_unref(path->dep);
    g_free(path->result);
}
