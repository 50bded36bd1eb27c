/* core: processors: how long one waits for what it asked of memory. Members: one file and one line
 * of models.def each.
 */
#ifndef MEM_CORE_CORE_H
#define MEM_CORE_CORE_H

#include "base/base.h"

struct mem_core_model {
    const char *name; /* value of core.model */
    const char *doc;  /* one sentence */
    const char *source;
    /* It goes on behind a load that misses, with up to mem.outstanding of them in flight, until it
     * can go no further without the value (flight.h); else it waits for each access. */
    bool goes_on;
    /* A load that cannot leave yet, because its address is not known or as many are in flight, does
     * not keep back what comes after it. */
    bool overtakes;
};
const struct mem_core_model *mem_core_find(const char *name); /* NULL: none of that name */
const struct mem_core_model *const *mem_core_all(size_t *n);

#endif
