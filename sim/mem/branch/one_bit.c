/* one_bit: a branch is expected to go where it went last; the first time, where a static guess
 * expects it: the 21064 sets the bit beside an instruction to its displacement's sign when it loads
 * the instruction's line. */
#include "mem/branch/branch.h"

static bool wrong(struct mem_branches *p, uint8_t *entry, struct mem_branch branch)
{
    (void)p;
    bool expected = *entry == mem_branch_quiet(true);
    *entry = mem_branch_quiet(branch.against);
    return expected != branch.against;
}

const struct mem_branch_model mem_branch_one_bit = {
    .name = "one_bit",
    .doc = "A branch is expected to go where it went last.",
    .source = "Digital, Alpha 21064 Hardware Reference Manual; Smith, ISCA 1981",
    .loop_end = 2, /* where it is left, and the first time behind that */
    .wrong = wrong,
};
