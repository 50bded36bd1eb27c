/* order: its memory, and sets of more than 16 ways: see order.h. */
#include "mem/cache/order.h"
#include "mem/zeroed/zeroed.h"

#include <string.h>

#define ALL(n) {n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n}
#define EACH(of)                                                                                   \
    of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7), of(8), of(9), of(10), of(11), of(12),  \
        of(13), of(14), of(15)
#define BYTE(n, i) ((n) == (i) ? 0 : 255)
#define BUT(n)                                                                                     \
    {BYTE(n, 0),  BYTE(n, 1),  BYTE(n, 2),  BYTE(n, 3), BYTE(n, 4),  BYTE(n, 5),                   \
     BYTE(n, 6),  BYTE(n, 7),  BYTE(n, 8),  BYTE(n, 9), BYTE(n, 10), BYTE(n, 11),                  \
     BYTE(n, 12), BYTE(n, 13), BYTE(n, 14), BYTE(n, 15)}
const struct mem_order_bytes mem_order_bytes = {.all = {EACH(ALL)}, .but = {EACH(BUT)}};

enum { NOWHERE = 64 }; /* behind each place, and not below 0 */

void mem_order_init(struct mem_order *o, uint64_t sets, uint32_t ways)
{
    *o = (struct mem_order){.sets = sets, .ways = ways, .room = ways > 8 ? 16 : 8};
    if (ways > MEM_ORDER_BYTES) {
        o->wide = mem_zeroed(sets * ways * sizeof *o->wide);
        return;
    }
    o->place = mem_zeroed(sets * o->room);
    for (uint32_t way = 0; way < MEM_ORDER_BYTES; way++)
        o->start[way] = (uint8_t)(way < ways ? ways - 1 - way : NOWHERE);
}

void mem_order_clear(struct mem_order *o)
{
    if (o->place) mem_zeroed_free(o->place, o->sets * o->room);
    if (o->wide) mem_zeroed_free(o->wide, o->sets * o->ways * sizeof *o->wide);
}

void mem_order_to_back(const struct mem_order *o, uint64_t set, uint32_t way)
{
    if (!o->place) {
        mem_order_wide_move(o, set, way, false);
        return;
    }
    uint8_t *place = o->place + set * o->room;
    const uint32_t from = place[way] ^ o->start[way];
    for (uint32_t i = 0; i < o->ways; i++) {
        const uint32_t at = place[i] ^ o->start[i];
        if (at > from) place[i] = (uint8_t)((at - 1) ^ o->start[i]);
    }
    place[way] = (uint8_t)((o->ways - 1) ^ o->start[way]);
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
