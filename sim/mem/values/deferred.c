/* deferred: the store that has not happened yet.
 *
 * A store's hook runs before the store, so what waits for its bytes (entries of the write buffer,
 * posted writes) is late, and gets them from the view at the processor's next event. Until then its
 * bytes in the view are older than memory may be, and still must not be overwritten.
 */
#include "mem/values/values.h"

void mem_deferred_fetch(struct mem_own *own)
{
    struct mem_deferred *d = &own->deferred;
    d->late = false;
    mem_posted_fetch(own);
    if (d->buffered && d->buffered->late) mem_buffered_fetch(own, d->buffered);
    for (uint32_t i = 0; d->several && i < own->entries; i++)
        if (own->buffered[i].late) mem_buffered_fetch(own, &own->buffered[i]);
    d->buffered = NULL;
    d->several = false;
}

void mem_deferred_commit_all(const struct mem_values *v)
{
    for (int i = 0; i < v->processors; i++) mem_deferred_commit(v->own[i]);
}
