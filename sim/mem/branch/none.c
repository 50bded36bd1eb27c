/* none: the pipeline goes on behind a branch as if it were not taken. */
#include "mem/branch/branch.h"

static bool wrong(struct mem_branches *p, uint8_t *entry, struct mem_branch branch)
{
    (void)p;
    bool taken = branch.against != branch.backward;
    if (!taken) *entry = mem_branch_quiet(branch.against);
    return taken;
}

const struct mem_branch_model mem_branch_none = {
    .name = "none",
    .doc = "No branch is expected to be taken.",
    .source = "Hennessy and Patterson, Computer Architecture, app. C: predict not taken",
    .wrong = wrong,
};
