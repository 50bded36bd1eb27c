/* pages: what the members have in common whose banks keep a page open each. */
#ifndef MEM_DRAM_PAGES_H
#define MEM_DRAM_PAGES_H

#include "mem/dram/dram.h"

/* `first`: its pages are this requester's too; NULL: it has its own. banks: a power of two. */
void mem_dram_pages_init(struct mem_dram_port *port, const struct mach *m, uint32_t line_shift,
                         uint32_t banks, const struct mem_dram_port *first);
int64_t mem_dram_pages_read(struct mem_dram_port *port, uint64_t line, int64_t now);
int64_t mem_dram_pages_far(const struct mem_dram_port *port, int64_t now);

#endif
