/* Loads, stores, atomics and their addresses.
 *
 * A loop's addresses: where the machine lacks the form, and the index only counts, its compiler
 * keeps a pointer for each address and advances it once an iteration (strength reduction);
 * elsewhere the address is computed before each access. */
#include "cpu/lower.h"

/* Is the operand known before the loop, or only counted with? */
static bool only_counts(const struct lowering *l, const struct cpu_operand *o)
{
    if (o->where != BLOCK_HERE) return o->where != BLOCK_PREVIOUS;
    if (cpu_is_induction(l, o->k)) return true;
    const struct cpu_op *phi = cpu_op_at(l->object, l->block->first_op + o->k);
    for (uint32_t i = 0; phi->class == BLOCK_PHI && i < phi->operands; i++) {
        const struct cpu_operand *from = cpu_operand_at(l->object, phi->first_operand + i);
        if (from->where == BLOCK_PREVIOUS && cpu_is_induction(l, from->k)) return true;
    }
    return false;
}

static bool reducible(const struct lowering *l, uint32_t first)
{
    if (!l->path->cyclic || !(l->block->flags & BLOCK_LOOP)) return false;
    for (uint32_t i = first; i < l->op->operands; i++)
        if (!only_counts(l, cpu_operand_at(l->object, l->op->first_operand + i))) return false;
    return true;
}

static bool same_operand(const struct cpu_operand *a, const struct cpu_operand *b)
{
    return a->where == b->where && a->k == b->k && a->block == b->block;
}

/* Has an access of the block the address of the one at hand, whose operands from `first` on make
 * it, but for a constant? */
static bool same_address(const struct lowering *l, uint32_t first, const struct cpu_op *op)
{
    uint32_t skip = op->class == BLOCK_STORE;
    if (op->form != l->op->form || op->operands - skip != l->op->operands - first) return false;
    for (uint32_t i = first; i < l->op->operands; i++)
        if (!same_operand(cpu_operand_at(l->object, l->op->first_operand + i),
                          cpu_operand_at(l->object, op->first_operand + i - first + skip)))
            return false;
    return true;
}

/* Has an access before this one in the block the same address but for a constant? */
static bool has_pointer(const struct lowering *l, uint32_t first)
{
    for (uint32_t k = l->k; k-- > 0;) {
        const struct cpu_op *op = cpu_op_at(l->object, l->block->first_op + k);
        bool access = op->class == BLOCK_LOAD || op->class == BLOCK_STORE;
        if (access && same_address(l, first, op)) return true;
    }
    return false;
}

/* The last store of a block before operation k; NULL: there is none. */
static const struct cpu_op *store_before(const struct lowering *l, const struct cpu_block *block,
                                         uint32_t k)
{
    while (k-- > 0) {
        const struct cpu_op *op = cpu_op_at(l->object, block->first_op + k);
        if (op->class == BLOCK_STORE && !(op->flags & BLOCK_REGISTER)) return op;
    }
    return NULL;
}

/* Does the store at hand go to another line than the store before it, of this pass or the last?
 * Addresses that differ by a constant are of a line, and so are those of a loop that counts from
 * one iteration to the next. Left out: lines that begin between them, strides longer than a line.
 */
static bool opens_line(const struct lowering *l)
{
    const struct cpu_path *path = l->path;
    const struct cpu_op *before = store_before(l, l->block, l->k);
    if (before) return !same_address(l, 1, before);
    for (uint32_t back = 1; back <= path->positions; back++) {
        if (back > l->position && !path->cyclic) break;
        uint32_t at = (l->position + path->positions - back) % path->positions;
        const struct cpu_block *block = cpu_block_at(l->object, path->block[at]);
        before = store_before(l, block, block->ops);
        if (before) return block != l->block || !reducible(l, 1) || !same_address(l, 1, before);
    }
    return false;
}

/* The steps that make the address where the machine lacks its form: FREE where it needs none. */
static uint32_t add_address(struct lowering *l, uint32_t first)
{
    const struct mach_lower *lower =
        l->op->form == BLOCK_SCALED    ? &l->path->cpu->lower[LOWER_SCALED_INDEX]
        : l->op->form == BLOCK_INDEXED ? &l->path->cpu->lower[LOWER_INDEXED]
                                       : NULL;
    if (!lower || !lower->steps) return FREE;
    if (reducible(l, first)) {
        bool joined = l->path->joined && l->position > 0; /* one advance for all of them */
        if (joined || has_pointer(l, first)) return FREE;
        uint32_t s = cpu_add_step(l, MACH_INT_ADD);
        cpu_wait_for_step(l, s, 1, MACH_USE_VALUE);
        return FREE;
    }
    for (int i = 0; i < lower->steps; i++) {
        uint32_t s = cpu_add_step(l, lower->step[i]);
        if (i > 0)
            cpu_wait_for_step(l, s - 1, 0, MACH_USE_VALUE);
        else
            cpu_wait_for_operands(l, first, MACH_USE_VALUE);
    }
    return l->path->step->len - 1;
}

/* Makes the step added last wait for its address. */
static void wait_for_address(struct lowering *l, uint32_t address, uint32_t first)
{
    if (address != FREE)
        cpu_wait_for_step(l, address, 0, MACH_USE_ADDRESS);
    else
        cpu_wait_for_operands(l, first, MACH_USE_ADDRESS);
}

/* ---- what addresses have in them ------------------------------------------------------------- */

/* Is an operand of an access its address, and nothing beside it? */
static bool is_plain_address(const struct cpu_op *op, uint32_t i)
{
    const uint32_t first = op->class == BLOCK_STORE;
    return (op->class == BLOCK_LOAD || op->class == BLOCK_STORE) && op->form == BLOCK_BASE &&
           op->operands == first + 1 && i == first && !(op->flags & BLOCK_REGISTER);
}

/* Does the machine make addresses of a base and an index times 2, 4 or 8? */
static bool scales(const struct cpu *cpu)
{
    return !cpu->lower[LOWER_INDEXED].steps && !cpu->lower[LOWER_SCALED_INDEX].steps;
}

static const struct cpu_op *op_here(const struct lowering *l, uint32_t k)
{
    return cpu_op_at(l->object, l->block->first_op + k);
}

static bool has_constant(const struct lowering *l, const struct cpu_op *op)
{
    for (uint32_t i = 0; i < op->operands; i++)
        if (cpu_operand_at(l->object, op->first_operand + i)->where == BLOCK_CONSTANT) return true;
    return false;
}

static bool is_sum(const struct lowering *l, const struct cpu_op *op)
{
    return op->class == BLOCK_ADD && op->operands == 2 && !(op->flags & BLOCK_LIVE) &&
           block_type_bytes(op->type) == 8 && !l->path->cpu->lower[LOWER_INDEXED].steps;
}

/* Of how many accesses is operation k of the block, a sum, the address, if nothing else takes it
 * but (`through`) sums with a register that are such themselves? Else 0. */
static uint32_t addresses_of(const struct lowering *l, uint32_t k, bool through)
{
    uint32_t addresses = 0;
    for (uint32_t user = k + 1; user < l->block->ops; user++) {
        const struct cpu_op *op = op_here(l, user);
        for (uint32_t i = 0; i < op->operands; i++) {
            const struct cpu_operand *o = cpu_operand_at(l->object, op->first_operand + i);
            if (o->where != BLOCK_HERE || o->k != k) continue;
            const bool sum = through && is_sum(l, op) && !has_constant(l, op);
            const uint32_t more = sum ? addresses_of(l, user, false) : is_plain_address(op, i);
            if (more == 0) return 0;
            addresses += more;
        }
    }
    return addresses;
}

/* A sum that nothing but addresses takes is made in them, where the machine's have an index: gcc
 * puts it there when it combines instructions (combine.cc, fwprop.cc); a constant is added there to
 * an index that another sum takes, too. Left out: sums of other blocks. */
static bool is_sum_in_address(const struct lowering *l)
{
    const bool through = has_constant(l, l->op) && scales(l->path->cpu);
    return is_sum(l, l->op) && addresses_of(l, l->k, through) > 0;
}

/* An index times 2, 4 or 8. */
static bool is_scale(const struct cpu_op *op)
{
    return op->class == BLOCK_SHIFT && (op->times == 2 || op->times == 4 || op->times == 8) &&
           block_type_bytes(op->type) == 8 && block_type_lanes(op->type) == 1;
}

/* Is the other operand of a sum such a one too, before operation k? An address has one index. */
static bool another_scales(const struct lowering *l, const struct cpu_op *sum, uint32_t k)
{
    for (uint32_t i = 0; i < sum->operands; i++) {
        const struct cpu_operand *o = cpu_operand_at(l->object, sum->first_operand + i);
        if (o->where == BLOCK_HERE && o->k < k && is_scale(op_here(l, o->k))) return true;
    }
    return false;
}

/* Each sum of it makes the address of one access. Of a sum that several accesses take the
 * multiplication stands for the one instruction (x86: lea). */
static bool is_scale_in_address(const struct lowering *l)
{
    bool takes = false;
    if (!is_scale(l->op) || l->op->flags & BLOCK_LIVE || !scales(l->path->cpu)) return false;
    for (uint32_t user = l->k + 1; user < l->block->ops; user++) {
        const struct cpu_op *op = op_here(l, user);
        for (uint32_t i = 0; i < op->operands; i++) {
            const struct cpu_operand *o = cpu_operand_at(l->object, op->first_operand + i);
            if (o->where != BLOCK_HERE || o->k != l->k) continue;
            if (!is_sum(l, op) || another_scales(l, op, l->k)) return false;
            if (addresses_of(l, user, has_constant(l, op)) != 1) return false;
            takes = true;
        }
    }
    return takes;
}

bool cpu_is_in_address(const struct lowering *l)
{
    return is_sum_in_address(l) || is_scale_in_address(l);
}

/* Is it a number without a sign that an operation of 32 bits has just made? x86-64 and AArch64, the
 * machines whose addresses have a scaled index, set the upper half of its register to 0 (Intel SDM,
 * volume 1, 3.4.1.1). Left out: values of other blocks, which gcc copies to be sure. */
bool cpu_is_extended(const struct lowering *l)
{
    const struct cpu_operand *o =
        l->op->operands == 1 ? cpu_operand_at(l->object, l->op->first_operand) : NULL;
    if (!scales(l->path->cpu) || !o || o->where != BLOCK_HERE) return false;
    const struct cpu_op *made = cpu_op_at(l->object, l->block->first_op + o->k);
    const bool whole = made->class == BLOCK_ADD || made->class == BLOCK_LOGIC ||
                       made->class == BLOCK_SHIFT || made->class == BLOCK_MULTIPLY;
    return whole && l->op->from_type == block_type(4, 1, 0) && block_type_bytes(made->type) == 4 &&
           block_type_lanes(made->type) == 1;
}

/* ---- accesses -------------------------------------------------------------------------------- */

uint32_t cpu_add_load(struct lowering *l)
{
    bool narrow = block_type_bytes(l->op->type) < 4, sign = l->op->type & BLOCK_SIGNED;
    const struct mach_lower *lower =
        &l->path->cpu->lower[sign ? LOWER_SIGNED_BYTE_LOAD : LOWER_BYTE_LOAD];
    uint32_t address = add_address(l, 0), s = FREE;
    if (narrow && lower->steps && block_type_lanes(l->op->type) == 1) {
        for (int i = 0; i < lower->steps; i++) {
            s = cpu_add_step(l, lower->step[i]);
            if (i > 0)
                cpu_wait_for_step(l, s - 1, 0, MACH_USE_VALUE);
            else
                wait_for_address(l, address, 0);
        }
        return s;
    }
    for (uint32_t n = cpu_copies(l); n > 0; n--) {
        s = cpu_add_step(l, narrow && sign ? MACH_LOAD_SIGNED : MACH_LOAD);
        wait_for_address(l, address, 0);
    }
    return s;
}

uint32_t cpu_add_store(struct lowering *l)
{
    bool narrow = block_type_bytes(l->op->type) < 4 && block_type_lanes(l->op->type) == 1;
    const struct mach_lower *lower = &l->path->cpu->lower[LOWER_BYTE_STORE];
    /* a vector's registers are those of floating point */
    bool real = l->op->type & BLOCK_FLOAT ||
                (block_type_lanes(l->op->type) > 1 && l->path->cpu->vector > 0);
    uint32_t address = add_address(l, 1), s = FREE;
    if (narrow && lower->steps) {
        for (int i = 0; i < lower->steps; i++) {
            s = cpu_add_step(l, lower->step[i]);
            if (i > 0) cpu_wait_for_step(l, s - 1, 0, MACH_USE_VALUE);
            if (i == 0) wait_for_address(l, address, 1);
            if (i == lower->steps - 1 && l->op->operands > 0)
                cpu_wait_for_operand(l, l->op, 0, MACH_USE_STORE);
        }
        return s;
    }
    for (uint32_t n = cpu_copies(l); n > 0; n--) {
        bool line = s == FREE && opens_line(l);
        s = cpu_add_step(l, real ? MACH_FP_STORE : MACH_STORE);
        g_array_index(l->path->step, struct cpu_step, s).line = line;
        if (l->op->operands > 0) cpu_wait_for_operand(l, l->op, 0, MACH_USE_STORE);
        wait_for_address(l, address, 1);
    }
    return s;
}

uint32_t cpu_add_atomic(struct lowering *l)
{
    if (l->op->bytes == 0) return FREE; /* a fence: mem's */
    uint32_t s = cpu_add_step(l, MACH_LOAD);
    cpu_wait_for_operands(l, 0, MACH_USE_ADDRESS);
    s = cpu_add_step(l, MACH_STORE);
    cpu_wait_for_step(l, s - 1, 0, MACH_USE_STORE);
    return s - 1;
}
