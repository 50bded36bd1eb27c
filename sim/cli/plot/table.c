/* sidewinder plot: reading the CSV. */
#include "cli/plot/parts.h"

#include <string.h>

static void free_row(gpointer data)
{
    struct cli_plot_row *row = data;
    g_strfreev(row->cell);
    g_free(row);
}

void cli_plot_table_free(struct cli_plot_table *table)
{
    if (!table) return;
    g_ptr_array_unref(table->column);
    g_ptr_array_unref(table->row);
    g_free(table->file);
    g_free(table);
}

int cli_plot_table_column(const struct cli_plot_table *table, const char *name)
{
    for (guint i = 0; i < table->column->len; i++)
        if (strcmp(table->column->pdata[i], name) == 0) return (int)i;
    return -1;
}

/* One record from *text on, which may run over several lines inside quotes. NULL: a quote does not
 * end. */
static char **next_record(const char **text, int *line)
{
    GPtrArray *cells = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GString) cell = g_string_new(NULL);
    const char *c = *text;
    bool quoted = false;
    for (;; c++) {
        if (quoted && *c == '\0') {
            g_ptr_array_unref(cells);
            return NULL;
        }
        if (*c == '\n') (*line)++;
        if (quoted && c[0] == '"' && c[1] == '"')
            g_string_append_c(cell, *c++);
        else if (*c == '"')
            quoted = !quoted;
        else if (quoted)
            g_string_append_c(cell, *c);
        else if (*c == ',' || *c == '\n' || *c == '\0') {
            g_ptr_array_add(cells, g_strstrip(g_strdup(cell->str)));
            g_string_truncate(cell, 0);
            if (*c != ',') break;
        } else
            g_string_append_c(cell, *c);
    }
    *text = *c ? c + 1 : c;
    g_ptr_array_add(cells, NULL);
    return (char **)g_ptr_array_free(cells, FALSE);
}

static bool skip_line(const char **text, int *line)
{
    if (**text != '#' && **text != '\n' && strncmp(*text, "\r\n", 2) != 0) return false;
    *text += strcspn(*text, "\n");
    if (**text) (*text)++, (*line)++;
    return true;
}

static bool take_header(struct cli_plot_table *table, char **cell, int line, GError **error)
{
    for (char **name = cell; *name; name++) {
        if (!**name || cli_plot_table_column(table, *name) >= 0) {
            g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s:%d: column %td has %s",
                        table->file, line, name - cell + 1,
                        **name ? "the name of another one" : "no name");
            return false;
        }
        g_ptr_array_add(table->column, g_strdup(*name));
    }
    return true;
}

static bool take_row(struct cli_plot_table *table, char **cell, int line, GError **error)
{
    if (g_strv_length(cell) != table->column->len) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "%s:%d: %u values, where the header names %u columns (cut short?)", table->file,
                    line, g_strv_length(cell), table->column->len);
        return false;
    }
    struct cli_plot_row *row = g_new(struct cli_plot_row, 1);
    *row = (struct cli_plot_row){line, g_strdupv(cell)};
    g_ptr_array_add(table->row, row);
    return true;
}

static bool parse(struct cli_plot_table *table, const char *text, GError **error)
{
    for (int line = 1; *text;) {
        if (skip_line(&text, &line)) continue;
        int begin = line;
        g_auto(GStrv) cell = next_record(&text, &line);
        if (!cell) {
            g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                        "%s:%d: a quotation that begins here does not end", table->file, begin);
            return false;
        }
        bool good = table->column->len ? take_row(table, cell, begin, error)
                                       : take_header(table, cell, begin, error);
        if (!good) return false;
    }
    if (table->row->len) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                "%s holds no points: nothing to draw (sidewinder sweep writes them)", table->file);
    return false;
}

struct cli_plot_table *cli_plot_table_read(const char *file, GError **error)
{
    g_autofree char *text = NULL;
    gsize length;
    GError *why = NULL;
    if (!base_read(file, &text, &length, &why)) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "%s (sidewinder sweep writes it)",
                    why->message);
        g_error_free(why);
        return NULL;
    }
    if (strlen(text) != length || !g_utf8_validate(text, -1, NULL)) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s is not text in UTF-8", file);
        return NULL;
    }
    struct cli_plot_table *table = g_new(struct cli_plot_table, 1);
    *table = (struct cli_plot_table){g_strdup(file), g_ptr_array_new_with_free_func(g_free),
                                     g_ptr_array_new_with_free_func(free_row)};
    if (parse(table, text, error)) return table;
    cli_plot_table_free(table);
    return NULL;
}
