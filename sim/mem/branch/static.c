/* static: backward branches are expected to be taken, forward ones not. */
#include "mem/branch/branch.h"

static bool wrong(struct mem_branches *p, uint8_t *entry, struct mem_branch branch)
{
    (void)p;
    if (!branch.against) *entry = mem_branch_quiet(false);
    return branch.against;
}

const struct mem_branch_model mem_branch_static = {
    .name = "static",
    .doc = "Backward branches are expected to be taken, forward ones not.",
    .source = "Smith, A Study of Branch Prediction Strategies, ISCA 1981",
    .loop_end = 1,
    .wrong = wrong,
};
