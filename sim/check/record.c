/* The bytes of a page that a record has touched: a bit each. Most have touched few, which take a
 * word or two; who touches many has the whole page's, so that strided accesses cost what
 * contiguous ones do. */
#include "check/parts.h"

#include <string.h>

enum { MANY = 8, HEAP = 16 /* what the host's heap takes beside a block */ };

static size_t bytes_of(uint32_t words)
{
    const bool few = words <= G_N_ELEMENTS(((struct check_record *)NULL)->few);
    return sizeof(struct check_record) + HEAP + (few ? 0 : words * sizeof(uint64_t) + HEAP);
}

size_t check_record_bytes(const struct check_record *record) { return bytes_of(record->words); }

/* Its words, were it to have those up to `last` as well; *low: the first. */
static uint32_t reach(const struct check_record *record, uint32_t first, uint32_t last,
                      uint32_t *low)
{
    const uint32_t words = record->words;
    *low = words ? MIN(record->low, first) : first;
    const uint32_t end = words ? MAX(record->low + words, last + 1) : last + 1;
    if (end - *low <= MANY) return end - *low;
    *low = 0;
    return CHECK_WORDS;
}

static uint32_t last_of(uint32_t from, uint32_t bytes) { return (from + MAX(bytes, 1) - 1) / 64; }

size_t check_record_growth(const struct check_record *record, uint32_t from, uint32_t bytes)
{
    uint32_t low;
    return bytes_of(reach(record, from / 64, last_of(from, bytes), &low)) -
           check_record_bytes(record);
}

static void grow(struct check_record *record, uint32_t first, uint32_t last)
{
    uint32_t low;
    const uint32_t words = reach(record, first, last, &low);
    if (words == record->words) return;
    uint64_t old[CHECK_WORDS] = {0};
    for (uint32_t i = 0; i < record->words; i++) old[record->low - low + i] = record->touched[i];
    if (record->touched != record->few) g_free(record->touched);
    record->touched = words <= G_N_ELEMENTS(record->few) ? record->few : g_new(uint64_t, words);
    memcpy(record->touched, old, words * sizeof *old);
    record->low = (uint16_t)low;
    record->words = (uint16_t)words;
}

void check_record_set(struct check_record *record, uint32_t from, uint32_t bytes)
{
    grow(record, from / 64, last_of(from, bytes));
    for (uint32_t w = from / 64, to = from + bytes; w * 64 < to; w++)
        record->touched[w - record->low] |= check_mask(w, from, to);
}

void check_record_join(struct check_record *record, const struct check_record *other)
{
    if (other->words == 0) return;
    grow(record, other->low, other->low + other->words - 1u);
    for (uint32_t i = 0; i < other->words; i++)
        record->touched[other->low - record->low + i] |= other->touched[i];
}

bool check_record_has(const struct check_record *record, uint32_t from, uint32_t bytes)
{
    for (uint32_t w = from / 64, to = from + bytes; w * 64 < to; w++) {
        uint64_t bits = check_mask(w, from, to);
        if ((check_record_word(record, w) & bits) != bits) return false;
    }
    return true;
}

uint32_t check_record_overlap(const struct check_record *record, uint32_t from, uint32_t bytes,
                              uint32_t *first)
{
    uint32_t n = 0;
    for (uint32_t w = from / 64, to = from + bytes; w * 64 < to; w++) {
        uint64_t both = check_record_word(record, w) & check_mask(w, from, to);
        if (both && n == 0) *first = w * 64 + (uint32_t)__builtin_ctzll(both);
        if (both) n += (uint32_t)__builtin_popcountll(both);
    }
    return n;
}

static bool empty(const struct check_record *record)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < record->words; i++) any |= record->touched[i];
    return any == 0;
}

bool check_record_without(struct check_record *record, const struct check_record *other)
{
    for (uint32_t i = 0; i < record->words; i++)
        record->touched[i] &= ~check_record_word(other, record->low + i);
    return empty(record);
}

bool check_record_cut(struct check_record *record, uint32_t from, uint32_t bytes)
{
    uint64_t any = 0;
    for (uint32_t i = 0, to = from + bytes; i < record->words; i++) {
        const uint32_t w = record->low + i;
        if ((w + 1) * 64 <= from || w * 64 >= to) continue;
        any |= record->touched[i] & check_mask(w, from, to);
        record->touched[i] &= ~check_mask(w, from, to);
    }
    return any != 0 && empty(record);
}
