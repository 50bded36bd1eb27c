/* open_page: one page is open for each requester, whatever the others of the node read. */
#include "mem/dram/pages.h"

static void init(struct mem_dram_port *port, const struct mach *m, uint32_t line_shift,
                 const struct mem_dram_port *first)
{
    (void)first; /* nothing is shared */
    mem_dram_pages_init(port, m, line_shift, 1, NULL);
}

const struct mem_dram mem_dram_open_page = {
    .name = "open_page",
    .doc = "One page is open for each processor; another must be opened first.",
    .source = "Grassl, STREAM mail, January 1995",
    .init = init,
    .read = mem_dram_pages_read,
    .far = mem_dram_pages_far,
    .in_place = true,
};
