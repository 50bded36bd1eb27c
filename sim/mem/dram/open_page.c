/* open_page: a DRAM keeps one page open; a line from it costs same_page, another page must be
 * opened first, and what a prefetcher has read ahead costs less. Left out: refresh, banks, and that
 * writes open pages too (they are the write buffer's: retire_cycles whatever the page). */
#include "mem/dram/dram.h"

static uint32_t log2_of(uint64_t n) { return (uint32_t)g_bit_storage(n) - 1; }

static void init(struct mem_dram_port *port, const struct mach *m, uint32_t line_shift)
{
    g_assert((m->dram_page & (m->dram_page - 1)) == 0);
    int64_t line = mem_cycles(m->dram_line_cycles);
    port->page_shift = m->dram_page >> line_shift ? log2_of(m->dram_page) - line_shift : 0;
    port->same_page = line + mem_cycles(m->dram_same_page_cycles);
    port->other_page = line + mem_cycles(m->dram_other_page_cycles);
    port->ahead = line + mem_cycles(m->dram_readahead_cycles);
}

static int64_t read_line(struct mem_dram_port *port, uint64_t line, int64_t now)
{
    bool open = !((line ^ port->last) >> port->page_shift);
    int64_t ticks = mem_prefetch_has(port->prefetch, port->last, line) ? port->ahead
                    : open                                             ? port->same_page
                                                                       : port->other_page;
    port->last = line;
    return now + ticks;
}

static int64_t far_line(const struct mem_dram_port *port, int64_t now)
{
    return now + port->other_page;
}

const struct mem_dram mem_dram_open_page = {
    .name = "open_page",
    .doc = "One page is open; another must be opened first.",
    .source = "Grassl, STREAM mail, January 1995",
    .init = init,
    .read = read_line,
    .far = far_line,
    .in_place = true,
};
