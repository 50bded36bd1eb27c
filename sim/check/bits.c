/* The bytes of a page that a line of code has touched: a bit each. Most have touched few, which
 * take a word; who touches many has the whole page's, so that strided accesses cost what
 * contiguous ones do. */
#include "check/bits.h"

#include <string.h>

enum { MANY = 8, HEAP = 16 /* what the host's heap takes beside a block */ };

static size_t heap(uint32_t words) { return words > 1 ? words * sizeof(uint64_t) + HEAP : 0; }

size_t check_bits_heap(const struct check_bits *bits) { return heap(bits->words); }

void check_bits_clear(struct check_bits *bits)
{
    if (bits->words > 1) g_free(bits->many);
    *bits = (struct check_bits){0};
}

static uint64_t *touched(struct check_bits *bits)
{
    return bits->words > 1 ? bits->many : &bits->one;
}

/* Its words, were it to have those up to `last` as well; *low: the first. */
static uint32_t reach(const struct check_bits *bits, uint32_t first, uint32_t last, uint32_t *low)
{
    const uint32_t words = bits->words;
    *low = words ? MIN(bits->low, first) : first;
    const uint32_t end = words ? MAX(bits->low + words, last + 1) : last + 1;
    if (end - *low <= MANY) return end - *low;
    *low = 0;
    return CHECK_WORDS;
}

static uint32_t last_of(uint32_t from, uint32_t bytes) { return (from + MAX(bytes, 1) - 1) / 64; }

size_t check_bits_growth_by(const struct check_bits *bits, uint32_t from, uint32_t bytes)
{
    uint32_t low;
    return heap(reach(bits, from / 64, last_of(from, bytes), &low)) - heap(bits->words);
}

static void grow(struct check_bits *bits, uint32_t first, uint32_t last)
{
    uint32_t low;
    const uint32_t words = reach(bits, first, last, &low);
    if (words == bits->words) return;
    uint64_t old[CHECK_WORDS] = {0};
    for (uint32_t i = 0; i < bits->words; i++) old[bits->low - low + i] = touched(bits)[i];
    check_bits_clear(bits);
    bits->low = (uint16_t)low;
    bits->words = (uint16_t)words;
    if (words > 1) bits->many = g_new(uint64_t, words);
    memcpy(touched(bits), old, words * sizeof *old);
}

void check_bits_set_all(struct check_bits *bits, uint32_t from, uint32_t bytes)
{
    grow(bits, from / 64, last_of(from, bytes));
    for (uint32_t w = from / 64, to = from + bytes; w * 64 < to; w++)
        touched(bits)[w - bits->low] |= check_mask(w, from, to);
}

void check_bits_join(struct check_bits *bits, const struct check_bits *other)
{
    if (other->words == 0) return;
    grow(bits, other->low, other->low + other->words - 1u);
    for (uint32_t i = 0; i < other->words; i++)
        touched(bits)[other->low - bits->low + i] |= check_bits_touched(other)[i];
}

bool check_bits_have_all(const struct check_bits *bits, uint32_t from, uint32_t bytes)
{
    for (uint32_t w = from / 64, to = from + bytes; w * 64 < to; w++) {
        uint64_t mask = check_mask(w, from, to);
        if ((check_bits_word(bits, w) & mask) != mask) return false;
    }
    return true;
}

uint32_t check_bits_overlap(const struct check_bits *bits, uint32_t from, uint32_t bytes,
                            uint32_t *first)
{
    uint32_t n = 0;
    for (uint32_t w = from / 64, to = from + bytes; w * 64 < to; w++) {
        uint64_t both = check_bits_word(bits, w) & check_mask(w, from, to);
        if (both && n == 0) *first = w * 64 + (uint32_t)__builtin_ctzll(both);
        if (both) n += (uint32_t)__builtin_popcountll(both);
    }
    return n;
}

static bool empty(const struct check_bits *bits)
{
    for (uint32_t i = 0; i < bits->words; i++)
        if (check_bits_touched(bits)[i]) return false;
    return true;
}

bool check_bits_without(struct check_bits *bits, const struct check_bits *other)
{
    for (uint32_t i = 0; i < bits->words; i++)
        touched(bits)[i] &= ~check_bits_word(other, bits->low + i);
    return empty(bits);
}

bool check_bits_cut(struct check_bits *bits, uint32_t from, uint32_t bytes)
{
    uint64_t any = 0;
    const uint32_t to = from + bytes, end = MIN((to + 63) / 64, (uint32_t)bits->low + bits->words);
    for (uint32_t w = MAX(from / 64, bits->low); w < end; w++) {
        any |= touched(bits)[w - bits->low] & check_mask(w, from, to);
        touched(bits)[w - bits->low] &= ~check_mask(w, from, to);
    }
    return any != 0 && empty(bits);
}
