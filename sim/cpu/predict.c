/* Branch prediction, as far as the price of a block has it: branches of which the compiler is
 * (nearly) certain. How often one goes elsewhere than predicted, if its outcomes are independent
 * and each has the probability that the compiler gives it. Branches in doubt are predicted as the
 * program runs (mem/branch), as are the end of a loop that counts and where switches and calls
 * through pointers go (mem/target): none of them costs anything here.
 *
 * Where a branch goes when taken: backward if it can; else where it is less likely to go, since
 * compilers let the likelier successor follow. Calls and returns are predicted right. */
#include "cpu/parts.h"

#include <string.h>

enum { ONE = BLOCK_PROBABILITY };

struct branch {
    uint32_t taken; /* probability */
    bool backward;  /* when taken */
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
static uint32_t likelier_outcome(struct branch b) { return MIN(b.taken, ONE - b.taken); }

/* Those that do worse than to expect the likelier outcome, as others of the family (mem/branch) do.
 */
static const struct predictor {
    const char *name;
    uint32_t (*mispredicted)(struct branch b);
    bool goes_back; /* it knows that a loop that counts goes round */
} predictor[] = {
    {"none", not_taken, false},
    {"static", backward_taken, true},
    {"one_bit", last_outcome, true},
    {"two_bit", two_bit_counter, true},
};

static uint32_t successor(const struct cpu_object *object, const struct cpu_block *block,
                          uint32_t i, uint32_t *probability)
{
    const struct cpu_successor *s =
        &g_array_index(object->successor, struct cpu_successor, block->first_successor + i);
    *probability = s->probability;
    return s->block;
}

static uint32_t of_branch(const struct cpu *cpu, struct branch b, bool counted)
{
    for (size_t i = 0; i < G_N_ELEMENTS(predictor); i++)
        if (strcmp(cpu->predictor, predictor[i].name) == 0)
            return counted && predictor[i].goes_back ? 0 : predictor[i].mispredicted(b);
    return counted ? 0 : likelier_outcome(b);
}

uint32_t cpu_mispredicted(const struct cpu *cpu, const struct cpu_object *object, uint32_t block)
{
    const struct cpu_block *b = cpu_block_at(object, block);
    if (b->successors < 2 || b->ops == 0) return 0;
    const struct cpu_op *end = cpu_op_at(object, b->first_op + b->ops - 1);
    uint32_t most = 0, least = ONE, probability;
    struct branch branch = {.taken = ONE};
    for (uint32_t i = 0; i < b->successors; i++) {
        bool backward = successor(object, b, i, &probability) <= block;
        if (backward && !branch.backward) branch = (struct branch){probability, true};
        most = MAX(most, probability);
        least = MIN(least, probability);
    }
    if (end->flags & BLOCK_PREDICTED) return 0;
    if (end->class == BLOCK_SWITCH) return ONE - most;
    if (end->class != BLOCK_BRANCH) return 0;
    if (!branch.backward) branch.taken = least;
    return of_branch(cpu, branch, end->flags & BLOCK_COUNTED);
}
