/* lend: pages of segments that are played as private ones for a while. Private to mem/access.
 *
 * While nobody but this processor's rank acts (mem_unobserved), a segment's memory is as good as
 * private: what it holds cannot change but by this processor's own stores, and nobody asks by which
 * date memory has them. So a page of which every byte is a segment's is lent: its loads, and on a
 * node with coherence its stores, take the paths of private pages, and cost what those do. They
 * take no more time and count no other way. Where somebody may look again, memory gets the pages
 * that were stored to, whole, and all are given back.
 *
 * A page is lent when view and memory agree in it: for its loads, but for bytes of the processor's
 * own that are on their way (on a node with coherence the view is what counts in any case); for its
 * stores altogether, so that nothing else goes along, as of a line (quiet.h): what a library has
 * stored unseen is found by where they differ. Before a library is called they go to memory.
 * Without coherence stores are not lent: they wait in a write buffer, and memory keeps who wrote.
 * Nothing is where caches without coherence keep stores: what leaves them has dates of its own.
 */
#ifndef MEM_ACCESS_LEND_H
#define MEM_ACCESS_LEND_H

#include "mem/access/access.h"

/* Is the page of that address, which has bytes of a segment, lent, or can it be now? */
bool mem_lend(struct mem_core *core, uintptr_t addr, uint64_t where, bool stores);
/* What was stored is in memory, and no page is lent any more. */
void mem_lend_end(struct mem_core *core);

#endif
