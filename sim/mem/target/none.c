/* none: what is behind it is fetched when the target is known. */
#include "mem/target/target.h"

static bool wrong(struct mem_targets *t, uint32_t *entry, struct mem_target target)
{
    (void)t, (void)entry, (void)target;
    return true;
}

const struct mem_target_model mem_target_none = {
    .name = "none",
    .doc = "The processor waits for each target.",
    .source =
        "Sun, UltraSPARC User's Manual, 16.2.10: but returns, JMPL finds no target of its own",
    .wrong = wrong,
};
