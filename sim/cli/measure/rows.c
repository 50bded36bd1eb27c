/* The rows of the machine file, each with how its number was obtained. */
#include "cli/measure/parts.h"

#include <string.h>

void cli_row_add(struct cli_bench *b, const char *key, double spread, const char *value,
                 const char *how, ...)
{
    va_list args;
    va_start(args, how);
    g_autofree char *text = g_strdup_vprintf(how, args);
    va_end(args);
    struct cli_row row = {g_strdup(key), g_strdup(value), NULL};
    row.source =
        spread < 0 ? g_strdup(text) : g_strdup_printf("%s; spread %.1f %%", text, 100 * spread);
    g_array_append_val(b->row, row);
    if (spread <= b->spread) return;
    b->spread = spread;
    g_free(b->of);
    b->of = g_strdup(key);
}

const struct cli_row *cli_row_find(const struct cli_bench *b, const char *key)
{
    for (guint i = 0; i < b->row->len; i++) {
        const struct cli_row *row = &g_array_index(b->row, struct cli_row, i);
        if (strcmp(row->key, key) == 0) return row;
    }
    return NULL;
}

void cli_rows_clear(struct cli_bench *b)
{
    for (guint i = 0; i < b->row->len; i++) {
        struct cli_row *row = &g_array_index(b->row, struct cli_row, i);
        g_free(row->key);
        g_free(row->value);
        g_free(row->source);
    }
    g_array_free(b->row, TRUE);
    g_free(b->of);
}

double cli_row_number(const struct cli_bench *b, const char *key)
{
    const struct cli_row *row = cli_row_find(b, key);
    return row ? g_ascii_strtod(row->value, NULL) : 0;
}
