/* Branch prediction: how often a branch goes elsewhere than predicted, if its outcomes are
 * independent and each has the probability that the compiler gives it. The end of a loop that only
 * counts is not independent of them: a history of outcomes finds it where the loop is short, and
 * where it is long it is rare (Seznec and Michaud, TAGE, JILP 2006); the compiler, which does not
 * know the count, gives it the same probability whatever it is.
 *
 * Where a branch goes when taken: backward if it can; else where it is less likely to go, since
 * compilers let the likelier successor follow. Left out: correlation between branches, aliasing of
 * predictors' entries, targets (calls, returns and jumps are predicted right). */
#include "cpu/parts.h"

#include <string.h>

enum { ONE = BLOCK_PROBABILITY };

struct branch {
    uint32_t taken; /* probability */
    bool backward;  /* when taken */
    bool counted;   /* backward, until a number is reached */
};

static uint32_t not_taken(struct branch b) { return b.taken; }
static uint32_t backward_taken(struct branch b) { return b.backward ? ONE - b.taken : b.taken; }
static uint32_t last_outcome(struct branch b) { return 2 * b.taken * (ONE - b.taken) / ONE; }
/* The stationary state of a saturating counter of four states: pq / (1 - 2pq). */
static uint32_t two_bit_counter(struct branch b)
{
    uint64_t pq = (uint64_t)b.taken * (ONE - b.taken);
    return (uint32_t)(pq * ONE / ((uint64_t)ONE * ONE - 2 * pq));
}
static uint32_t likelier_outcome(struct branch b)
{
    return b.counted ? 0 : MIN(b.taken, ONE - b.taken);
}

static const struct predictor {
    const char *name;
    uint32_t (*mispredicted)(struct branch b);
} predictor[] = {
    {"none", not_taken},          {"static", backward_taken},    {"one_bit", last_outcome},
    {"two_bit", two_bit_counter}, {"history", likelier_outcome},
};

static uint32_t successor(const struct cpu_object *object, const struct cpu_block *block,
                          uint32_t i, uint32_t *probability)
{
    const struct cpu_successor *s =
        &g_array_index(object->successor, struct cpu_successor, block->first_successor + i);
    *probability = s->probability;
    return s->block;
}

/* ---- loops that count ------------------------------------------------------------------------ */

/* The operation of the object that makes an operand; UINT32_MAX: none does. */
static uint32_t maker(const struct cpu_object *object, uint32_t block, const struct cpu_operand *o)
{
    if (o->where == BLOCK_OUTSIDE || o->where == BLOCK_CONSTANT) return UINT32_MAX;
    return cpu_block_at(object, o->where == BLOCK_THERE ? o->block : block)->first_op + o->k;
}

/* The block of that operation is `block`, or the one that the operand names. */
static uint32_t block_of(uint32_t block, const struct cpu_operand *o)
{
    return o->where == BLOCK_THERE ? o->block : block;
}

/* Is it what an addition of a constant made of a phi node that takes its result? */
static bool counts(const struct cpu_object *object, uint32_t block, const struct cpu_operand *o)
{
    uint32_t at = maker(object, block, o), home = block_of(block, o);
    if (at == UINT32_MAX || cpu_op_at(object, at)->class != BLOCK_ADD) return false;
    const struct cpu_op *add = cpu_op_at(object, at);
    if (add->operands != 2) return false;
    const struct cpu_operand *from = cpu_operand_at(object, add->first_operand);
    if (cpu_operand_at(object, add->first_operand + 1)->where != BLOCK_CONSTANT) return false;
    uint32_t phi_at = maker(object, home, from), phi_home = block_of(home, from);
    if (phi_at == UINT32_MAX || cpu_op_at(object, phi_at)->class != BLOCK_PHI) return false;
    const struct cpu_op *phi = cpu_op_at(object, phi_at);
    for (uint32_t i = 0; i < phi->operands; i++)
        if (maker(object, phi_home, cpu_operand_at(object, phi->first_operand + i)) == at)
            return true;
    return false;
}

/* Does the branch at the block's end compare such a number with one that the block does not make?
 */
static bool ends_count(const struct cpu_object *object, uint32_t block)
{
    const struct cpu_block *b = cpu_block_at(object, block);
    const struct cpu_op *end = cpu_op_at(object, b->first_op + b->ops - 1);
    if (end->operands == 0) return false;
    uint32_t at = maker(object, block, cpu_operand_at(object, end->first_operand));
    if (at == UINT32_MAX || cpu_op_at(object, at)->class != BLOCK_COMPARE) return false;
    const struct cpu_op *compare = cpu_op_at(object, at);
    if (compare->operands != 2) return false;
    for (uint32_t i = 0; i < 2; i++) {
        const struct cpu_operand *number = cpu_operand_at(object, compare->first_operand + i),
                                 *other = cpu_operand_at(object, compare->first_operand + 1 - i);
        bool made_here = other->where == BLOCK_HERE || other->where == BLOCK_PREVIOUS;
        if (!made_here && counts(object, block, number)) return true;
    }
    return false;
}

/* ---- branches -------------------------------------------------------------------------------- */

static uint32_t of_branch(const struct cpu *cpu, struct branch b)
{
    for (size_t i = 0; i < G_N_ELEMENTS(predictor); i++)
        if (strcmp(cpu->predictor, predictor[i].name) == 0) return predictor[i].mispredicted(b);
    return 0;
}

uint32_t cpu_mispredicted(const struct cpu *cpu, const struct cpu_object *object, uint32_t block)
{
    const struct cpu_block *b = cpu_block_at(object, block);
    if (b->successors < 2 || b->ops == 0) return 0;
    uint8_t end = cpu_op_at(object, b->first_op + b->ops - 1)->class;
    uint32_t most = 0, least = ONE, probability;
    struct branch branch = {.taken = ONE};
    for (uint32_t i = 0; i < b->successors; i++) {
        bool backward = successor(object, b, i, &probability) <= block;
        if (backward && !branch.backward) branch = (struct branch){probability, true, false};
        most = MAX(most, probability);
        least = MIN(least, probability);
    }
    if (end == BLOCK_SWITCH) return ONE - most;
    if (end != BLOCK_BRANCH) return 0;
    if (branch.backward)
        branch.counted = ends_count(object, block);
    else
        branch.taken = least;
    return of_branch(cpu, branch);
}
