/* order: in which order the ways of each set of a cache came to the front: what a replacement
 * policy chooses from.
 *
 * A way comes to the front when a line is filled into it, or, where the policy says that hits
 * count, used; one that lost its line goes to the back, so that empty ways stand last. Up to 16
 * ways it is a permutation in one word, 4 bits a way, which moves a way without a loop; beyond, an
 * array. All zero is the order at the beginning, way 0 last: the memory of a large cache comes into
 * being where it is touched.
 */
#ifndef MEM_CACHE_ORDER_H
#define MEM_CACHE_ORDER_H

#include "base/base.h"

enum { MEM_ORDER_WORD = 16 }; /* ways in a word */

struct mem_order {
    uint64_t *word; /* one a set: the way at the front in the lowest 4 bits; NULL: more ways */
    uint16_t *wide; /* `ways` a set, the front first; NULL: a word is enough */
    uint64_t start; /* the permutation at the beginning; words are stored as what differs from it */
    uint64_t sets;
    uint32_t ways;
};

void mem_order_init(struct mem_order *o, uint64_t sets, uint32_t ways);
void mem_order_clear(struct mem_order *o);

/* order.c: more than 16 ways */
void mem_order_wide_move(const struct mem_order *o, uint64_t set, uint32_t way, bool front);
uint32_t mem_order_wide_at(const struct mem_order *o, uint64_t set, uint32_t position);

/* The way at a position: 0 is the front. */
static inline uint32_t mem_order_at(const struct mem_order *o, uint64_t set, uint32_t position)
{
    if (!o->word) return mem_order_wide_at(o, set, position);
    return (uint32_t)((o->word[set] ^ o->start) >> 4 * position & 15);
}
static inline uint32_t mem_order_first(const struct mem_order *o, uint64_t set)
{
    return mem_order_at(o, set, 0);
}
static inline uint32_t mem_order_last(const struct mem_order *o, uint64_t set)
{
    return mem_order_at(o, set, o->ways - 1);
}

/* 4 times the position of the way: its nibble is the lowest that is zero in the difference. */
static inline uint32_t mem_order_shift(uint64_t word, uint32_t way)
{
    const uint64_t ones = UINT64_C(0x1111111111111111);
    uint64_t differs = word ^ way * ones;
    return (uint32_t)__builtin_ctzll((differs - ones) & ~differs & ones << 3) & ~3u;
}
/* The permutation with the first two in turn. */
static inline uint64_t mem_order_swapped(uint64_t word)
{
    return (word & ~UINT64_C(255)) | (word & 15) << 4 | (word >> 4 & 15);
}
/* The permutation with the way in front. */
static inline uint64_t mem_order_brought(uint64_t word, uint32_t way)
{
    uint64_t behind = ~UINT64_C(15) << 4; /* of lines used in turn, the second */
    if ((word >> 4 & 15) != way) behind = ~UINT64_C(15) << mem_order_shift(word, way);
    return (word & behind) | ((word & ~behind) << 4 & ~behind) | way;
}
/* The same of the one that stands last. */
static inline uint64_t mem_order_rotated(uint64_t word, uint32_t ways, uint64_t last)
{
    const uint64_t all = ~UINT64_C(0) >> (64 - 4 * ways);
    return (word & ~all) | (word << 4 & all) | last;
}
static inline void mem_order_to_front(const struct mem_order *o, uint64_t set, uint32_t way)
{
    if (!o->word) {
        mem_order_wide_move(o, set, way, true);
        return;
    }
    o->word[set] = mem_order_brought(o->word[set] ^ o->start, way) ^ o->start;
}
static inline void mem_order_to_back(const struct mem_order *o, uint64_t set, uint32_t way)
{
    if (!o->word) {
        mem_order_wide_move(o, set, way, false);
        return;
    }
    uint64_t word = o->word[set] ^ o->start;
    uint32_t at = mem_order_shift(word, way), last = 4 * (o->ways - 1);
    uint64_t before = (UINT64_C(1) << at) - 1, upto = ~UINT64_C(0) >> (60 - last);
    word = (word & (before | ~upto)) | ((word & upto & ~before) >> 4 & ~before) |
           (uint64_t)way << last;
    o->word[set] = word ^ o->start;
}

#endif
