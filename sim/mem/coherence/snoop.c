/* snoop: what the other processors of the node do when one of them, or the network interface, asks
 * for a line. */
#include "mem/coherence/coherence.h"

unsigned mem_snoop(const struct mem_domain *d, const struct mem_peer *asker, uint64_t where,
                   uint64_t model, enum coh_event event, int64_t now)
{
    const uint64_t *word = mem_sharers(d, where, model);
    /* Private lines have one holder at most, and then only the network interface asks others than
     * it. */
    uint64_t sharers = word ? *word : asker ? 0 : ~UINT64_C(0);
    unsigned answered = 0;
    for (int i = mem_sharer_next(d, sharers, -1); i < d->processors;
         i = mem_sharer_next(d, sharers, i)) {
        struct mem_peer *other = d->peer[i];
        struct mem_line *e = other == asker ? NULL : mem_peer_line(other, model);
        if (!e) continue;
        struct coh_step step = coh_step(d->protocol, mem_line_state(e), event);
        g_assert(!(step.actions & COH_ILLEGAL));
        answered |= step.actions;
        if (step.actions & COH_WRITE_BACK) other->levels.last->count.write_backs++;
        if (step.next == COH_I) {
            mem_sharer_clear(other, where, model);
            mem_line_drop(other, e, MEM_DROP_KILLED, true, now);
        } else {
            if (step.next != COH_M) mem_cache_clean(&other->levels, e);
            e->key = (e->key & ~(uint64_t)MEM_LINE_STATE) | step.next;
        }
    }
    return answered;
}
