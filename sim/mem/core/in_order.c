/* in_order: the processor goes on behind a load that misses until the value is needed, with up to
 * mem.outstanding loads in flight; the next one that misses waits for the oldest. What it waits is
 * paid at the load's issue. Left out: a hit on a line that is still on its way; stores, which the
 * write buffer or the walk hides. */
#include "mem/core/core.h"

static int64_t covered(int64_t hit, int64_t slack) { return MAX(hit, slack); }

const struct mem_core_model mem_core_in_order = {
    .name = "in_order",
    .doc = "Waits where the value of a load is needed first.",
    .source = "Digital, Alpha 21064 Hardware Reference Manual; Sun, UltraSPARC-I User's Manual",
    .covered = covered,
    .waits = false,
};
