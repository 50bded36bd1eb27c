/* free and realloc of the whole process: a block of a rank's heap may be freed by a library the
 * program calls (getline grows its buffer, libstdc++ frees strings), and such calls do not come
 * through the program object. libsidewinder stands before C's library in the order of symbols, so
 * they come here, and one comparison sends them on. */
#include "probe/allocate.h"
#include "probe/access.h"
#include "probe/heap.h"

#include <stdlib.h>

PROBE_EXPORT void free(void *p)
{
    if (G_UNLIKELY(probe_heap_owns(p)))
        probe_release(p, PROBE_CALLER);
    else
        __libc_free(p);
}

PROBE_EXPORT void *realloc(void *p, size_t n)
{
    if (G_LIKELY(!probe_heap_owns(p))) return __libc_realloc(p, n);
    if (n > 0) return probe_resize(p, n, PROBE_CALLER);
    probe_release(p, PROBE_CALLER);
    return NULL;
}
