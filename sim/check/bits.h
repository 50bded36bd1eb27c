/* check, inside: which bytes of a page. Not a door. */
#ifndef CHECK_BITS_H
#define CHECK_BITS_H

#include "check/check.h"

enum { CHECK_PAGE_BITS = 12, CHECK_PAGE = 1 << CHECK_PAGE_BITS, CHECK_WORDS = CHECK_PAGE / 64 };

/* A bit for each byte, in words of 64: `words` of the page's, from low on. All 0: none. */
struct check_bits {
    uint16_t low, words;
    union {
        uint64_t one;   /* of one word */
        uint64_t *many; /* of more, on the heap */
    };
};
static inline const uint64_t *check_bits_touched(const struct check_bits *bits)
{
    return bits->words > 1 ? bits->many : &bits->one;
}
static inline uint64_t check_bits_word(const struct check_bits *bits, uint32_t word)
{
    return word - bits->low < bits->words ? check_bits_touched(bits)[word - bits->low] : 0;
}
static inline uint64_t check_mask(uint32_t word, uint32_t from, uint32_t to)
{
    uint64_t bits = ~UINT64_C(0);
    if (from > word * 64) bits &= ~UINT64_C(0) << (from - word * 64);
    if (to < word * 64 + 64) bits &= ~UINT64_C(0) >> (word * 64 + 64 - to);
    return bits;
}
void check_bits_clear(struct check_bits *bits);
/* What they take on the heap, and how much more it would be with those as well. */
size_t check_bits_heap(const struct check_bits *bits);
size_t check_bits_growth_by(const struct check_bits *bits, uint32_t from, uint32_t bytes);
void check_bits_set_all(struct check_bits *bits, uint32_t from, uint32_t bytes);
void check_bits_join(struct check_bits *bits, const struct check_bits *other);
/* Takes what the other has; or those bytes, of which there were some. True: nothing is left. */
bool check_bits_without(struct check_bits *bits, const struct check_bits *other);
bool check_bits_cut(struct check_bits *bits, uint32_t from, uint32_t bytes);
/* Bytes of the range that are there; first: the first of them. */
uint32_t check_bits_overlap(const struct check_bits *bits, uint32_t from, uint32_t bytes,
                            uint32_t *first);
bool check_bits_have_all(const struct check_bits *bits, uint32_t from, uint32_t bytes);

/* Most accesses are of a few bytes of one word: of those at once. */
static inline bool check_bits_of_word(uint32_t from, uint32_t bytes)
{
    return from % 64 + bytes - 1 < 64;
}
static inline uint64_t check_bits_mask(uint32_t from, uint32_t bytes)
{
    return ~UINT64_C(0) >> (64 - bytes) << from % 64;
}
/* None of them is there. False: one may be. */
static inline bool check_bits_apart(const struct check_bits *bits, uint32_t from, uint32_t bytes)
{
    return check_bits_of_word(from, bytes) &&
           (check_bits_word(bits, from / 64) & check_bits_mask(from, bytes)) == 0;
}
static inline bool check_bits_none(const struct check_bits *bits, uint32_t from, uint32_t bytes)
{
    uint32_t first;
    return check_bits_apart(bits, from, bytes) ||
           (!check_bits_of_word(from, bytes) && check_bits_overlap(bits, from, bytes, &first) == 0);
}
static inline bool check_bits_have(const struct check_bits *bits, uint32_t from, uint32_t bytes)
{
    return check_bits_of_word(from, bytes)
               ? (~check_bits_word(bits, from / 64) & check_bits_mask(from, bytes)) == 0
               : check_bits_have_all(bits, from, bytes);
}
/* There are bits of their word. */
static inline bool check_bits_at_hand(const struct check_bits *bits, uint32_t from, uint32_t bytes)
{
    return check_bits_of_word(from, bytes) && from / 64 - bits->low < bits->words;
}
static inline size_t check_bits_growth(const struct check_bits *bits, uint32_t from, uint32_t bytes)
{
    return check_bits_at_hand(bits, from, bytes) ? 0 : check_bits_growth_by(bits, from, bytes);
}
static inline void check_bits_set(struct check_bits *bits, uint32_t from, uint32_t bytes)
{
    if (check_bits_at_hand(bits, from, bytes))
        (bits->words > 1 ? bits->many : &bits->one)[from / 64 - bits->low] |=
            check_bits_mask(from, bytes);
    else
        check_bits_set_all(bits, from, bytes);
}

#endif
