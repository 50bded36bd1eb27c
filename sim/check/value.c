/* What values carry: bytes written by an atomic, or by a small put, are what its writer had done
 * before; whoever gets any of them by an atomic, or by a load and then MPI_Win_sync, is behind it.
 * Bytes that several atomics changed carry what all of them had done; those beside them in their
 * word nothing of it. */
#include "check/room.h"
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
    struct check_clock *common; /* all of them carry it, and nothing else; NULL: no */
};
static GHashTable *lines; /* address / (WORD * WORDS) -> struct line */
enum {
    HEAP = 16,  /* what the host's heap takes beside a block */
    ENTRY = 24, /* and the table for a line */
    LINE_BYTES = sizeof(struct line) + HEAP + ENTRY,
    MORE_BYTES = sizeof(struct more) + HEAP
};

static void line_clear(struct line *line)
{
    for (int i = 0; i < WORDS; i++) check_clock_unref(line->value[i].clock);
    for (struct more *m = line->more, *next; m; m = next) {
        next = m->next;
        check_clock_unref(m->value.clock);
        g_free(m);
    }
    check_clock_unref(line->common);
    *line = (struct line){0};
}

static void line_free(void *data)
{
    line_clear(data);
    g_free(data);
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

static void put(struct check_page *page, struct line *line, uint32_t word,
                const struct value *value)
{
    if (value->clock && value->clock != page->lately) {
        page->values += check_clock_bytes();
        check_clock_unref(page->lately);
        page->lately = check_clock_ref(value->clock);
    }
    check_clock_ref(value->clock);
    if (line->value[word].mask == 0) {
        line->value[word] = *value;
        return;
    }
    page->values += MORE_BYTES;
    struct more *more = g_new(struct more, 1);
    *more = (struct more){line->more, word, *value};
    line->more = more;
}

static void write_word(struct check_page *page, uintptr_t at, unsigned mask,
                       const struct check_stamp *stamp, bool replaces)
{
    struct line *line = g_hash_table_lookup(lines, key_of(at));
    struct check_clock *sum = NULL;
    const uint32_t word = within(at);
    if (!line) {
        g_hash_table_insert(lines, key_of(at), line = g_new0(struct line, 1));
        page->values += LINE_BYTES;
    }
    if (line->common) {
        check_clock_raise(line->common, stamp);
        return;
    }
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
    put(page, line, word, &fresh);
    check_clock_unref(sum);
}

/* ---- too many -------------------------------------------------------------------------------- */

/* Everybody is behind what it carries: nobody learns anything from it. */
static bool old(const struct value *value)
{
    return value->rank == NOBODY ? check_clock_old(value->clock)
                                 : value->own <= check_clock_known(value->rank);
}

static void forget_old(struct value *value)
{
    if (!value->mask || !value->clock || !old(value)) return;
    value->mask = 0;
    check_clock_unref(g_steal_pointer(&value->clock));
}

static void count(struct check_page *page, const struct value *value, GHashTable *clocks)
{
    if (value->mask && value->clock && g_hash_table_add(clocks, value->clock))
        page->values += check_clock_bytes();
}

static uintptr_t nth(const struct check_page *page, uint32_t i)
{
    return (page->number << CHECK_PAGE_BITS) + i * WORD * WORDS;
}

static struct line *line_of(const struct check_page *page, uint32_t i)
{
    return page->cells >> i & 1 ? g_hash_table_lookup(lines, key_of(nth(page, i))) : NULL;
}

/* Values that are over go; what the others take is counted, each clock once. */
static void tidy(struct check_page *page)
{
    GHashTable *clocks = g_hash_table_new(NULL, NULL);
    check_clock_unref(g_steal_pointer(&page->lately));
    page->values = 0;
    for (uint32_t i = 0; i < CHECK_WORDS; i++) {
        struct line *line = line_of(page, i);
        if (!line) continue;
        page->values += LINE_BYTES;
        if (line->common && check_clock_old(line->common))
            check_clock_unref(g_steal_pointer(&line->common));
        if (line->common) page->values += check_clock_bytes();
        for (int k = 0; k < WORDS; k++) {
            forget_old(&line->value[k]);
            count(page, &line->value[k], clocks);
        }
        for (struct more **link = &line->more, *m; (m = *link);) {
            forget_old(&m->value);
            if (m->value.mask) {
                page->values += MORE_BYTES;
                count(page, &m->value, clocks);
                link = &m->next;
            } else {
                *link = m->next;
                g_free(m);
            }
        }
    }
    g_hash_table_unref(clocks);
}

/* Every value of a line carries what any of them carried. */
static void make_lines_common(struct check_page *page)
{
    check_page_folded(page);
    for (uint32_t i = 0; i < CHECK_WORDS; i++) {
        struct line *line = line_of(page, i);
        struct check_clock *all = NULL;
        if (!line || line->common) continue;
        check_cells_read(nth(page, i), WORD * WORDS, &all);
        line_clear(line);
        line->common = all;
    }
}

/* Every value of the page does. */
static void make_common(struct check_page *page)
{
    struct check_clock *all = NULL;
    for (uint32_t i = 0; i < CHECK_WORDS; i++) {
        if (page->cells >> i & 1) check_cells_read(nth(page, i), WORD * WORDS, &all);
        g_hash_table_remove(lines, key_of(nth(page, i)));
    }
    page->common = all;
    page->values = page->common ? check_clock_bytes() : 0;
    page->common_met = check_clock_meetings();
}

static void lessen(struct check_page *page)
{
    const size_t enough = check_room_values(page) / 2;
    tidy(page);
    if (page->values <= enough) return;
    make_lines_common(page);
    tidy(page);
    if (page->values > enough) make_common(page);
}

/* ... until everybody is behind that. */
static void end_common(struct check_page *page)
{
    if (page->common_met == check_clock_meetings() || !check_clock_old(page->common)) return;
    check_clock_unref(g_steal_pointer(&page->common));
    page->values = 0;
}

/* ---------------------------------------------------------------------------------------------- */

void check_cells_write(uintptr_t addr, uint64_t bytes, const struct check_stamp *stamp,
                       bool replaces)
{
    const uintptr_t end = addr + bytes;
    for (uintptr_t word = addr & ~(uintptr_t)(WORD - 1); word < end; word += WORD) {
        struct check_page *page = check_page_make(word);
        if (page->common) end_common(page);
        if (page->common)
            check_clock_raise(page->common, stamp);
        else
            write_word(page, word, bits(word, addr, end), stamp, replaces);
        const uint64_t cell = UINT64_C(1) << word % CHECK_PAGE / (WORD * WORDS);
        if (!(page->cells & cell)) check_page_changed(page);
        page->cells |= cell;
        if (page->values > CHECK_PAGE && page->values > check_room_values(page)) lessen(page);
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
        const struct check_page *page = check_page_find(word);
        if (page && page->common) check_clock_merge(behind, page->common);
        const struct line *line = g_hash_table_lookup(lines, key_of(word));
        if (line && line->common) check_clock_merge(behind, line->common);
        const unsigned mask = bits(word, addr, end);
        if (line) carry(&line->value[within(word)], mask, behind);
        for (const struct more *m = line ? line->more : NULL; m; m = m->next)
            if (m->word == within(word)) carry(&m->value, mask, behind);
    }
}
