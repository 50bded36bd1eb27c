/* Aligned columns and wrapped paragraphs. Widths are counted in characters: "µ" is one column, two
 * bytes. */
#include "report/print/print.h"

#include <string.h>

struct report_table {
    char *columns;
    GPtrArray *cell;
};

struct report_table *report_table_new(const char *columns)
{
    struct report_table *table = g_new(struct report_table, 1);
    table->columns = g_strdup(columns);
    table->cell = g_ptr_array_new_with_free_func(g_free);
    return table;
}

void report_table_cell(struct report_table *table, char *text)
{
    g_ptr_array_add(table->cell, text);
}

void report_table_words(struct report_table *table, const char *text)
{
    report_table_cell(table, g_strdup(text));
}

static int width_of(const char *text) { return (int)g_utf8_strlen(text, -1); }

void report_table_print(struct report_table *table, FILE *out)
{
    guint columns = (guint)strlen(table->columns);
    g_assert(table->cell->len % columns == 0);
    g_autofree int *width = g_new0(int, columns);
    for (guint i = 0; i < table->cell->len; i++)
        width[i % columns] = MAX(width[i % columns], width_of(table->cell->pdata[i]));
    for (guint i = 0; i < table->cell->len; i += columns) {
        GString *line = g_string_new("  ");
        for (guint c = 0; c < columns; c++) {
            const char *text = table->cell->pdata[i + c];
            char kind = table->columns[c];
            int blanks = width[c] - width_of(text);
            if (c > 0) g_string_append(line, g_ascii_isupper(kind) ? "   " : " ");
            if (g_ascii_tolower(kind) == 'r')
                g_string_append_printf(line, "%*s%s", blanks, "", text);
            else
                g_string_append_printf(line, "%s%*s", text, blanks, "");
        }
        g_strchomp(line->str);
        fprintf(out, "%s\n", line->str);
        g_string_free(line, TRUE);
    }
    g_ptr_array_free(table->cell, TRUE);
    g_free(table->columns);
    g_free(table);
}

/* "12.3 µs" and "4 bytes" stay on one line. */
static bool sticks(const char *previous, const char *word)
{
    static const char *const unit[] = {"s", "ms", "µs", "ns", "ps", "%", "byte", "bytes", "times"};
    if (!g_ascii_isdigit(previous[0])) return false;
    for (size_t i = 0; i < G_N_ELEMENTS(unit); i++) {
        size_t n = strlen(unit[i]);
        if (strncmp(word, unit[i], n) == 0 && !g_ascii_isalnum(word[n])) return true;
    }
    return false;
}

void report_wrap(FILE *out, int indent, int column, const char *text)
{
    enum { COLUMNS = 96 };
    g_auto(GStrv) word = g_strsplit(text, " ", -1);
    int at = column;
    bool first = true;
    for (char **w = word; *w; w++) {
        int width = width_of(*w);
        bool pair = w[1] && sticks(w[0], w[1]);
        if (!first && at + 1 + width + (pair ? 1 + width_of(w[1]) : 0) > COLUMNS) {
            fprintf(out, "\n%*s", indent, "");
            at = indent;
            first = true;
        }
        fprintf(out, "%s%s", first ? "" : " ", *w);
        at += width + (first ? 0 : 1);
        first = false;
    }
    fputc('\n', out);
}

const struct report_ink *report_ink(bool colour)
{
    static const struct report_ink none = {"", "", "", ""};
    /* ECMA-48 SGR */
    static const struct report_ink ansi = {"\033[1m", "\033[1;31m", "\033[2m", "\033[0m"};
    return colour ? &ansi : &none;
}

void report_heading(FILE *out, const struct report_ink *ink, const char *text, const char *gloss)
{
    fprintf(out, "\n%s%s%s", ink->strong, text, ink->plain);
    if (gloss) fprintf(out, "  %s%s%s", ink->faint, gloss, ink->plain);
    fputc('\n', out);
}
