/* core: processors: how long one waits for what it asked of memory. The one place where dates
 * become stall. Members: one file and one line of models.def each.
 */
#ifndef MEM_CORE_CORE_H
#define MEM_CORE_CORE_H

#include "base/base.h"

struct mem_core_model {
    const char *name; /* value of core.model */
    const char *doc;  /* one sentence */
    const char *source;
    /* Ticks of an access that its block's price covers: a hit takes `hit`, and the value of a load
     * is needed `slack` after its issue. Pure; at least hit. */
    int64_t (*covered)(int64_t hit, int64_t slack);
    /* covered is hit: the fast path may charge accesses in place */
    bool waits;
};
/* Ticks the processor waits for an access that began at `begun` and is complete at `done`. */
static inline int64_t mem_stall(int64_t begun, int64_t done, int64_t covered)
{
    return MAX(done - begun - covered, 0);
}
const struct mem_core_model *mem_core_find(const char *name); /* NULL: none of that name */
const struct mem_core_model *const *mem_core_all(size_t *n);

#endif
