/* What values carry: bytes written by an atomic, or by a small put, are what its writer had done
 * before; whoever gets any of them by an atomic, or by a load and then MPI_Win_sync, is behind it.
 * Bytes that several atomics changed carry what all of them had done; those beside them in their
 * word nothing of it. */
#include "check/touch.h"

enum { WORD = 8 };

/* What bytes of a word carry: bit i of mask: byte i. */
struct value {
    unsigned mask;
    struct check_clock *clock;
};
static GHashTable *cells; /* address / WORD -> GArray of struct value, their masks apart */

static void value_clear(void *data) { check_clock_unref(((struct value *)data)->clock); }

void check_cells_open(void)
{
    cells = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
}

void check_cells_close(void) { g_clear_pointer(&cells, g_hash_table_unref); }

static gpointer key_of(uintptr_t word) { return GSIZE_TO_POINTER(word / WORD); }

/* Those of [addr, end) that lie in the word, as bits. */
static unsigned bits(uintptr_t word, uintptr_t addr, uintptr_t end)
{
    unsigned from = addr > word ? (unsigned)(addr - word) : 0,
             to = end < word + WORD ? (unsigned)(end - word) : WORD;
    return (1u << to) - (1u << from);
}

static void write_word(uintptr_t word, unsigned mask, const struct check_clock *clock,
                       bool replaces)
{
    GArray *values = g_hash_table_lookup(cells, key_of(word));
    if (!values) {
        values = g_array_new(FALSE, FALSE, sizeof(struct value));
        g_array_set_clear_func(values, value_clear);
        g_hash_table_insert(cells, key_of(word), values);
    }
    struct value fresh = {.mask = mask};
    for (guint i = values->len; i-- > 0;) {
        struct value *old = &g_array_index(values, struct value, i);
        if (!(old->mask & mask)) continue;
        if (!replaces) check_clock_merge(&fresh.clock, old->clock);
        old->mask &= ~mask;
        if (!old->mask) g_array_remove_index_fast(values, i);
    }
    check_clock_merge(&fresh.clock, clock);
    g_array_append_val(values, fresh);
}

void check_cells_write(uintptr_t addr, uint64_t bytes, const struct check_clock *clock,
                       bool replaces)
{
    const uintptr_t end = addr + bytes;
    for (uintptr_t word = addr & ~(uintptr_t)(WORD - 1); word < end; word += WORD) {
        write_word(word, bits(word, addr, end), clock, replaces);
        check_page_make(word)->cells = true;
    }
}

void check_cells_read(uintptr_t addr, uint64_t bytes, struct check_clock **behind)
{
    const uintptr_t end = addr + bytes;
    for (uintptr_t word = addr & ~(uintptr_t)(WORD - 1); word < end; word += WORD) {
        const GArray *values = g_hash_table_lookup(cells, key_of(word));
        const unsigned mask = bits(word, addr, end);
        for (guint i = 0; values && i < values->len; i++) {
            const struct value *value = &g_array_index(values, struct value, i);
            if (value->mask & mask) check_clock_merge(behind, value->clock);
        }
    }
}
