#include "base/copies/copies.h"

#include <glib.h>

struct place {
    uintptr_t base, end;
    uintptr_t first; /* where the first copy begins */
};

static GHashTable *file_of;  /* path of a copy -> of its file */
static GHashTable *first_of; /* path of a file -> where its first copy begins */
static GArray *places;       /* by base */

void base_copies_add(const char *copy, const char *file)
{
    if (!file_of) file_of = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_hash_table_insert(file_of, g_strdup(copy), (gpointer)g_intern_string(file));
}

const char *base_copies_file(const char *path)
{
    const char *file = file_of && path ? g_hash_table_lookup(file_of, path) : NULL;
    return file ? file : path;
}

/* How many begin at or before the address. */
static guint up_to(uintptr_t address)
{
    guint from = 0, to = places ? places->len : 0;
    while (from < to) {
        const guint middle = from + (to - from) / 2;
        if (g_array_index(places, struct place, middle).base <= address)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* What was unloaded left its place to others. */
static void clear(uintptr_t base, uintptr_t end)
{
    for (guint i = places->len; i-- > 0;) {
        const struct place *p = &g_array_index(places, struct place, i);
        if (p->base < end && p->end > base) g_array_remove_index(places, i);
    }
}

void base_copies_loaded(const char *copy, uintptr_t base, uintptr_t end)
{
    const char *file = file_of ? g_hash_table_lookup(file_of, copy) : NULL;
    if (!file) return;
    if (!places) {
        places = g_array_new(FALSE, FALSE, sizeof(struct place));
        first_of = g_hash_table_new(g_str_hash, g_str_equal);
    }
    clear(base, end);
    gpointer first = g_hash_table_lookup(first_of, file);
    if (!first) g_hash_table_insert(first_of, (gpointer)file, first = (gpointer)base);
    const struct place its = {.base = base, .end = end, .first = (uintptr_t)first};
    g_array_insert_val(places, up_to(base), its);
}

uintptr_t base_copies_place(uintptr_t address)
{
    const guint after = up_to(address);
    if (after == 0) return address;
    const struct place *p = &g_array_index(places, struct place, after - 1);
    return address < p->end ? address - p->base + p->first : address;
}
