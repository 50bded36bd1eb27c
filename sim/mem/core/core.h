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
    /* Ticks the processor waits for an access that began at `begun` and is complete at `done`, not
     * before. Pure; never negative. */
    int64_t (*stall)(int64_t begun, int64_t done);
    /* stall is done - begun: the fast path may charge accesses in place */
    bool waits;
};
static inline int64_t mem_stall(const struct mem_core_model *m, int64_t begun, int64_t done)
{
    return m->waits ? done - begun : m->stall(begun, done);
}
const struct mem_core_model *mem_core_find(const char *name); /* NULL: none of that name */
const struct mem_core_model *const *mem_core_all(size_t *n);

#endif
