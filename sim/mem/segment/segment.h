/* segment: which memory of a node is a segment, lies in the pool, or may be cached by all. A door
 * of mem, for move and sync. */
#ifndef MEM_SEGMENT_SEGMENT_H
#define MEM_SEGMENT_SEGMENT_H

#include "base/base.h"

struct mem_cpu;
struct mem_node;

/* Gives [addr, addr+bytes) an image, filled from the view. `id` comes from op_segment_add. Ranges
 * may overlap: one piece of memory has one image. remove publishes nothing: call mem_publish
 * before; bytes that leave the last segment over them become what memory holds. It returns what
 * mem_segment_restore would. A registration belongs to the rank op_segment says. */
void mem_segment_add(struct mem_node *node, int id, uintptr_t addr, uint64_t bytes);
double mem_segment_remove(struct mem_node *node, int id);
/* The segment that has the byte; -1: none. Of several, any. */
int mem_segment_at(const struct mem_node *node, uintptr_t addr);
/* Cuts [*from, *to), which has addr, down to bytes around it with the same answer. */
void mem_segment_around(const struct mem_node *node, uintptr_t addr, uintptr_t *from,
                        uintptr_t *to);
/* Where a store of less than a word puts the rest of the word back (cpu.subword), one beside the
 * segment would spoil what others write into its first or last word meanwhile: from now on it does
 * not, if the machine says so (cpu.subword_restore). What was about to be spoiled is reported, and
 * written again: that takes the seconds that restore returns, asked at the next call that makes
 * memory and the rank's loads agree; 0: nothing was. */
void mem_segment_protect(struct mem_node *node, int id);
double mem_segment_restore(const struct mem_node *node, int id);
/* Its rank's program, or a call for it, stores to the bytes; it has done so, last at that place in
 * the program's memory, since the call that made memory and its loads agree; 0: it has not, as far
 * as is known: not of memory that other segments have as well. */
void mem_segment_stored_to(struct mem_node *node, int rank, uintptr_t addr, uint64_t bytes,
                           uintptr_t pc);
void mem_segment_synchronised(struct mem_node *node, int id);
uintptr_t mem_segment_stored(const struct mem_node *node, int id);
/* These whole pages of that processor's rank lie in the memory pool, if the machine has one, as
 * segments do; or no longer. */
void mem_pool(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, bool there);
/* All processors of the node may have lines of that range, which is that rank's, in their caches,
 * as those of a segment; but nobody asks what memory holds, and it has no image. Whole pages. */
void mem_share(struct mem_node *node, int rank, uintptr_t addr, uint64_t bytes);

#endif
