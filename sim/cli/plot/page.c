/* What all kinds of figures write with: quoted text, places on the page, labels. */
#include "cli/plot/parts.h"

#include <string.h>

void cli_plot_quote(GString *out, const char *text)
{
    g_string_append_c(out, '\'');
    for (const char *c = text; *c; c++) {
        if (*c == '\'') g_string_append_c(out, '\'');
        g_string_append_c(out, g_ascii_iscntrl(*c) ? ' ' : *c);
    }
    g_string_append_c(out, '\'');
}

char *cli_plot_at(const struct cli_plot_page *page, double x, double y)
{
    return g_strdup_printf("screen %.5f,%.5f", x / page->width, 1 - y / page->height);
}

void cli_plot_text(struct cli_plot_page *page, double x, double y, char side, const char *style,
                   const char *text)
{
    g_autofree char *at = cli_plot_at(page, x, y);
    g_string_append(page->out, "set label ");
    cli_plot_quote(page->out, text);
    g_string_append_printf(page->out, " at %s %s %s\n", at,
                           side == 'l'   ? "left"
                           : side == 'r' ? "right"
                                         : "center",
                           style);
}

char *cli_plot_quantity(const char *text)
{
    char *end;
    g_ascii_strtod(text, &end);
    if (end == text || strcmp(end, "us") != 0) return g_strdup(text);
    return g_strdup_printf("%.*s µs", (int)(end - text), text);
}

/* "time_us": "time (µs)". A machine's key stays as it is. */
static char *column_label(const char *column)
{
    if (strchr(column, '.')) return g_strdup(column);
    static const struct {
        const char *suffix, *unit;
    } unit[] = {{"_us", "µs"},       {"_ns", "ns"},         {"_ms", "ms"},     {"_s", "s"},
                {"_bytes", "bytes"}, {"_cycles", "cycles"}, {"_percent", "%"}, {"_MBps", "MB/s"}};
    g_autofree char *name = g_strdup(column), *blank = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(unit); i++) {
        if (!g_str_has_suffix(name, unit[i].suffix)) continue;
        name[strlen(name) - strlen(unit[i].suffix)] = '\0';
        return g_strdup_printf("%s (%s)", g_strdelimit(name, "_", ' '), unit[i].unit);
    }
    return g_strdup(g_strdelimit(name, "_", ' '));
}

char *cli_plot_label(const char *given, char *const *columns)
{
    if (given) return g_strdup(given);
    g_autoptr(GString) text = g_string_new(NULL);
    for (char *const *column = columns; column && *column; column++) {
        g_autofree char *one = column_label(*column);
        g_string_append_printf(text, "%s%s", text->len ? ", " : "", one);
    }
    return g_strdup(text->str);
}

char *cli_plot_y_label(const struct cli_plot_figure *f) { return cli_plot_label(f->ylabel, f->y); }
