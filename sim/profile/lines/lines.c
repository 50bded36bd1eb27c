/* Rows by function, file and line. */
#include "profile/lines/lines.h"

static GPtrArray *list;
static GHashTable *by_place; /* the rows again */

static guint place_hash(gconstpointer data)
{
    const struct profile_line *row = data;
    return g_direct_hash(row->function) * 31 + g_direct_hash(row->file) * 17 + row->line;
}

static gboolean place_equal(gconstpointer a, gconstpointer b)
{
    const struct profile_line *x = a, *y = b;
    return x->function == y->function && x->file == y->file && x->line == y->line;
}

void profile_line(const struct profile_line *line)
{
    if (!list) {
        list = g_ptr_array_new_with_free_func(g_free);
        by_place = g_hash_table_new(place_hash, place_equal);
    }
    struct profile_line *row = g_hash_table_lookup(by_place, line);
    if (!row) {
        row = g_memdup2(line, sizeof *line);
        g_ptr_array_add(list, row);
        g_hash_table_add(by_place, row);
        return;
    }
    row->executions = MAX(row->executions, line->executions);
    row->loads += line->loads;
    row->stores += line->stores;
    row->ticks += line->ticks;
    row->divided += line->divided;
}

size_t profile_lines(void) { return list ? list->len : 0; }

const struct profile_line *profile_line_at(size_t i) { return list->pdata[i]; }

void profile_lines_clear(void)
{
    if (!list) return;
    g_hash_table_unref(by_place);
    g_ptr_array_unref(list);
    list = NULL;
    by_place = NULL;
}
