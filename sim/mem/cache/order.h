/* order: in which order the ways of each set of a cache came to the front: what a replacement
 * policy chooses from.
 *
 * A way comes to the front when a line is filled into it, or, where the policy says that hits
 * count, used; one that lost its line goes to the back, so that empty ways stand last. Up to 16
 * ways it is a byte a way, its place: 0 is the front. So a way is moved, and one that stands
 * somewhere is found, in all bytes at once. Beyond, it is a list. All zero is the order at the
 * beginning, way 0 last: the memory of a large cache comes into being where it is touched.
 */
#ifndef MEM_CACHE_ORDER_H
#define MEM_CACHE_ORDER_H

#include "base/base.h"

#include <emmintrin.h>

enum { MEM_ORDER_BYTES = 16 }; /* ways that have a byte each */

struct mem_order {
    uint8_t *place; /* `room` a set: a byte a way; NULL: more ways */
    uint16_t *wide; /* `ways` a set, the front first; NULL: bytes are enough */
    uint64_t sets;
    uint32_t ways, room; /* room: 8 or 16 bytes */
    /* the places at the beginning; bytes are stored as what differs from them. Behind the ways
     * there are some that stand nowhere. */
    uint8_t start[MEM_ORDER_BYTES];
};

void mem_order_init(struct mem_order *o, uint64_t sets, uint32_t ways);
void mem_order_clear(struct mem_order *o);

/* order.c: more than 16 ways */
void mem_order_wide_move(const struct mem_order *o, uint64_t set, uint32_t way, bool front);
uint32_t mem_order_wide_at(const struct mem_order *o, uint64_t set, uint32_t position);

/* ---- the bytes of a set ---------------------------------------------------------------------- */

/* Of each number: 16 bytes that are it, and 16 that are all ones, but that one 0. */
struct mem_order_bytes {
    uint8_t all[MEM_ORDER_BYTES][16], but[MEM_ORDER_BYTES][16];
};
extern const struct mem_order_bytes mem_order_bytes
    __attribute__((visibility("hidden"), aligned(16)));
static inline __m128i mem_order_vector(const uint8_t *bytes)
{
    return _mm_load_si128((const __m128i *)(const void *)bytes);
}
/* room: 8 or 16 bytes */
static inline __m128i mem_order_read(const uint8_t *bytes, uint32_t room)
{
    return room == 8 ? _mm_loadl_epi64((const __m128i *)(const void *)bytes)
                     : _mm_loadu_si128((const __m128i *)(const void *)bytes);
}
static inline void mem_order_write(uint8_t *bytes, uint32_t room, __m128i all)
{
    if (room == 8)
        _mm_storel_epi64((__m128i *)(void *)bytes, all);
    else
        _mm_storeu_si128((__m128i *)(void *)bytes, all);
}
/* The way that stands there. */
static inline uint32_t mem_order_way(__m128i places, uint32_t position)
{
    const __m128i is = _mm_cmpeq_epi8(places, mem_order_vector(mem_order_bytes.all[position]));
    return (uint32_t)__builtin_ctz((uint32_t)_mm_movemask_epi8(is));
}
/* The places, once the way, which stands at `position`, has come to the front. */
static inline __m128i mem_order_brought(__m128i places, uint32_t way, uint32_t position)
{
    const __m128i before = _mm_cmplt_epi8(places, mem_order_vector(mem_order_bytes.all[position]));
    return _mm_and_si128(_mm_sub_epi8(places, before), mem_order_vector(mem_order_bytes.but[way]));
}
/* The same where they are stored, as what differs from `start`. False: it stood there already. */
static inline bool mem_order_bring(uint8_t *place, const uint8_t *start, uint32_t room,
                                   uint32_t way)
{
    const uint32_t position = place[way] ^ start[way];
    if (position == 0) return false;
    const __m128i begin = mem_order_read(start, room),
                  places = _mm_xor_si128(mem_order_read(place, room), begin);
    mem_order_write(place, room, _mm_xor_si128(mem_order_brought(places, way, position), begin));
    return true;
}

/* ---- of a set -------------------------------------------------------------------------------- */

static inline __m128i mem_order_places(const struct mem_order *o, uint64_t set)
{
    return _mm_xor_si128(mem_order_read(o->place + set * o->room, o->room),
                         mem_order_read(o->start, o->room));
}
/* The way at a position: 0 is the front. */
static inline uint32_t mem_order_at(const struct mem_order *o, uint64_t set, uint32_t position)
{
    if (!o->place) return mem_order_wide_at(o, set, position);
    return mem_order_way(mem_order_places(o, set), position);
}
static inline uint32_t mem_order_first(const struct mem_order *o, uint64_t set)
{
    return mem_order_at(o, set, 0);
}
static inline uint32_t mem_order_last(const struct mem_order *o, uint64_t set)
{
    return mem_order_at(o, set, o->ways - 1);
}
static inline void mem_order_to_front(const struct mem_order *o, uint64_t set, uint32_t way)
{
    if (o->place)
        mem_order_bring(o->place + set * o->room, o->start, o->room, way);
    else
        mem_order_wide_move(o, set, way, true);
}
void mem_order_to_back(const struct mem_order *o, uint64_t set, uint32_t way);

#endif
