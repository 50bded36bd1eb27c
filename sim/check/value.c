/* What values carry: bytes written by an atomic, or by a small put, are what its writer had done
 * before; whoever gets any of them by an atomic, or by a load and then MPI_Win_sync, is behind it.
 * Bytes that several atomics changed carry what all of them had done; those beside them in their
 * word nothing of it. */
#include "check/touch.h"

enum { WORD = 8, WORDS = 8, NOBODY = -1 };

/* What some bytes of a word carry: a stamp, packed; bit i of mask: byte i. mask 0: nothing. */
struct value {
    struct check_clock *clock;
    uint32_t own;
    int rank : 24;
    unsigned mask : 8;
};
/* More values of a line's words, whose masks are apart. */
struct more {
    struct more *next;
    uint32_t word;
    struct value value;
};
struct line {
    struct value value[WORDS];
    struct more *more;
};
static GHashTable *lines; /* address / (WORD * WORDS) -> struct line */

static void line_free(void *data)
{
    struct line *line = data;
    for (int i = 0; i < WORDS; i++) check_clock_unref(line->value[i].clock);
    for (struct more *m = line->more, *next; m; m = next) {
        next = m->next;
        check_clock_unref(m->value.clock);
        g_free(m);
    }
    g_free(line);
}

void check_cells_open(void) { lines = g_hash_table_new_full(NULL, NULL, NULL, line_free); }

void check_cells_close(void) { g_clear_pointer(&lines, g_hash_table_unref); }

static gpointer key_of(uintptr_t word) { return GSIZE_TO_POINTER(word / (WORD * WORDS)); }
static uint32_t within(uintptr_t word) { return word / WORD % WORDS; }

/* Those of [addr, end) that lie in the word, as bits. */
static unsigned bits(uintptr_t word, uintptr_t addr, uintptr_t end)
{
    unsigned from = addr > word ? (unsigned)(addr - word) : 0,
             to = end < word + WORD ? (unsigned)(end - word) : WORD;
    return (1u << to) - (1u << from);
}

static struct check_stamp stamp_of(const struct value *value)
{
    return (struct check_stamp){value->clock, value->rank, value->own};
}

/* The bytes carry it no more. sum: but this carries it too; NULL: nothing does. */
static void take(struct value *value, unsigned mask, struct check_clock **sum)
{
    const struct check_stamp stamp = stamp_of(value);
    if (!(value->mask & mask)) return;
    if (sum) check_clock_merge_stamp(sum, &stamp);
    value->mask &= ~mask;
    if (!value->mask) check_clock_unref(g_steal_pointer(&value->clock));
}

static void put(struct line *line, uint32_t word, const struct value *value)
{
    check_clock_ref(value->clock);
    if (line->value[word].mask == 0) {
        line->value[word] = *value;
        return;
    }
    struct more *more = g_new(struct more, 1);
    *more = (struct more){line->more, word, *value};
    line->more = more;
}

static void write_word(uintptr_t at, unsigned mask, const struct check_stamp *stamp, bool replaces)
{
    struct line *line = g_hash_table_lookup(lines, key_of(at));
    struct check_clock *sum = NULL;
    const uint32_t word = within(at);
    if (!line) g_hash_table_insert(lines, key_of(at), line = g_new0(struct line, 1));
    take(&line->value[word], mask, replaces ? NULL : &sum);
    for (struct more **link = &line->more, *m; (m = *link);) {
        if (m->word == word) take(&m->value, mask, replaces ? NULL : &sum);
        if (m->value.mask) {
            link = &m->next;
        } else {
            *link = m->next;
            g_free(m);
        }
    }
    struct value fresh = {stamp->clock, stamp->own, stamp->rank, mask};
    if (sum) {
        check_clock_merge_stamp(&sum, stamp);
        fresh = (struct value){sum, 0, NOBODY, mask};
    }
    put(line, word, &fresh);
    check_clock_unref(sum);
}

void check_cells_write(uintptr_t addr, uint64_t bytes, const struct check_stamp *stamp,
                       bool replaces)
{
    const uintptr_t end = addr + bytes;
    for (uintptr_t word = addr & ~(uintptr_t)(WORD - 1); word < end; word += WORD) {
        write_word(word, bits(word, addr, end), stamp, replaces);
        struct check_page *page = check_page_make(word);
        const uint64_t cell = UINT64_C(1) << word % CHECK_PAGE / (WORD * WORDS);
        if (!(page->cells & cell)) check_page_changed(page);
        page->cells |= cell;
    }
}

static void carry(const struct value *value, unsigned mask, struct check_clock **behind)
{
    const struct check_stamp stamp = stamp_of(value);
    if (value->mask & mask) check_clock_merge_stamp(behind, &stamp);
}

void check_cells_read(uintptr_t addr, uint64_t bytes, struct check_clock **behind)
{
    const uintptr_t end = addr + bytes;
    for (uintptr_t word = addr & ~(uintptr_t)(WORD - 1); word < end; word += WORD) {
        const struct line *line = g_hash_table_lookup(lines, key_of(word));
        const unsigned mask = bits(word, addr, end);
        if (line) carry(&line->value[within(word)], mask, behind);
        for (const struct more *m = line ? line->more : NULL; m; m = m->next)
            if (m->word == within(word)) carry(&m->value, mask, behind);
    }
}
