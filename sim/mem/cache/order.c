/* order: its memory, and sets of more than 16 ways: see order.h. */
#include "mem/cache/order.h"
#include "mem/zeroed/zeroed.h"

#include <string.h>

void mem_order_init(struct mem_order *o, uint64_t sets, uint32_t ways)
{
    *o = (struct mem_order){.sets = sets, .ways = ways};
    if (ways > MEM_ORDER_WORD) {
        o->wide = mem_zeroed(sets * ways * sizeof *o->wide);
        return;
    }
    o->word = mem_zeroed(sets * sizeof *o->word);
    for (uint32_t position = 0; position < MEM_ORDER_WORD; position++) {
        uint64_t way = position < ways ? ways - 1 - position : position;
        o->start |= way << 4 * position;
    }
}

void mem_order_clear(struct mem_order *o)
{
    if (o->word) mem_zeroed_free(o->word, o->sets * sizeof *o->word);
    if (o->wide) mem_zeroed_free(o->wide, o->sets * o->ways * sizeof *o->wide);
}

/* Stored as what differs from the order at the beginning. */
static uint16_t at_start(const struct mem_order *o, uint32_t position)
{
    return (uint16_t)(o->ways - 1 - position);
}

uint32_t mem_order_wide_at(const struct mem_order *o, uint64_t set, uint32_t position)
{
    return o->wide[set * o->ways + position] ^ at_start(o, position);
}

void mem_order_wide_move(const struct mem_order *o, uint64_t set, uint32_t way, bool front)
{
    uint16_t *entry = o->wide + set * o->ways;
    uint32_t at = 0, end = front ? 0 : o->ways - 1;
    while (mem_order_wide_at(o, set, at) != way) at++;
    for (; at != end; at += front ? UINT32_MAX : 1) {
        uint32_t from = front ? at - 1 : at + 1;
        entry[at] = (uint16_t)(mem_order_wide_at(o, set, from) ^ at_start(o, at));
    }
    entry[end] = (uint16_t)(way ^ at_start(o, end));
}
