/* two_bit: a counter of four states a branch; two wrong predictions in a row turn it. */
#include "mem/branch/branch.h"

/* The counter in an entry: below 2, a static guess is followed. Its ends are quiet; 1 and 2 stand
 * for themselves. */
static int counter(uint8_t entry)
{
    return entry == mem_branch_quiet(true) ? 3 : entry == mem_branch_quiet(false) ? 0 : entry;
}

static bool wrong(struct mem_branches *p, uint8_t *entry, struct mem_branch branch)
{
    (void)p;
    int before = counter(*entry), after = before + (branch.against ? 1 : -1);
    *entry = after <= 0   ? mem_branch_quiet(false)
             : after >= 3 ? mem_branch_quiet(true)
                          : (uint8_t)after;
    return (before >= 2) != branch.against;
}

const struct mem_branch_model mem_branch_two_bit = {
    .name = "two_bit",
    .doc = "A saturating counter of two bits a branch says where it goes.",
    .source = "Sun, UltraSPARC-I User's Manual; Smith, ISCA 1981",
    .loop_end = 1,
    .wrong = wrong,
};
