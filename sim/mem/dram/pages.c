/* pages: a line from a bank's open page costs same_page; another page must be opened first, and
 * what a prefetcher has read ahead costs less. Left out: refresh, and that writes open pages too
 * (they are the write buffer's: retire_cycles whatever the page). */
#include "mem/dram/pages.h"

static uint32_t log2_of(uint64_t n) { return (uint32_t)g_bit_storage(n) - 1; }

void mem_dram_pages_init(struct mem_dram_port *port, const struct mach *m, uint32_t line_shift,
                         uint32_t banks, const struct mem_dram_port *first)
{
    g_assert((m->dram_page & (m->dram_page - 1)) == 0 && (banks & (banks - 1)) == 0);
    int64_t line = mem_cycles(m->dram_line_cycles);
    port->page_shift = m->dram_page >> line_shift ? log2_of(m->dram_page) - line_shift : 0;
    port->same_page = line + mem_cycles(m->dram_same_page_cycles);
    port->other_page = line + mem_cycles(m->dram_other_page_cycles);
    port->ahead = line + mem_cycles(m->dram_readahead_cycles);
    port->bank_mask = banks - 1;
    if (!first) {
        port->own = g_new(uint64_t, banks);
        for (uint32_t i = 0; i < banks; i++) port->own[i] = MEM_PREFETCH_NOTHING;
    }
    port->open = first ? first->open : port->own;
}

/* Asked for then, it waits until one of those on their way has come. */
static int64_t when_it_leaves(struct mem_dram_queue *q, int64_t asked, int64_t ticks)
{
    if (!q->places) return asked;
    int64_t leaves = MAX(asked, q->there[q->place]);
    q->there[q->place] = leaves + ticks;
    if (++q->place == q->places) q->place = 0;
    return leaves;
}

int64_t mem_dram_pages_read(struct mem_dram_port *port, uint64_t line, int64_t now)
{
    int64_t ticks = mem_dram_page(port, line), there;
    bool ahead = mem_prefetch_read(&port->prefetch, line, now, ticks, &there);
    int64_t leaves = when_it_leaves(&port->queue, ahead ? there - ticks : now, ticks);
    if (!ahead) return leaves + ticks;
    return MIN(MAX(leaves + ticks, now) + port->ahead, MAX(leaves, now) + MAX(ticks, port->ahead));
}

int64_t mem_dram_pages_far(const struct mem_dram_port *port, int64_t now)
{
    return now + MAX(port->other_page, port->ahead);
}
