/* banks: the node's memory has dram.banks of them, each with a page open, whoever opened it. Pages
 * follow each other from bank to bank, so streams in different banks leave each other's pages open
 * and processors of one node close each other's. Left out: the time until a bank that is busy takes
 * the next request. */
#include "mem/dram/pages.h"

static void init(struct mem_dram_port *port, const struct mach *m, uint32_t line_shift,
                 const struct mem_dram_port *first)
{
    mem_dram_pages_init(port, m, line_shift, (uint32_t)m->dram_banks, first);
}

const struct mem_dram mem_dram_banks = {
    .name = "banks",
    .doc = "Each bank of the node's memory has one page open, for all its processors.",
    .source = "Jacob, Ng and Wang, Memory Systems: Cache, DRAM, Disk, 2007, ch. 10",
    .init = init,
    .read = mem_dram_pages_read,
    .far = mem_dram_pages_far,
    .in_place = true,
};
