/* sidewinder plot: the points of a figure, each at its panel, series and x. */
#include "cli/plot/parts.h"

#include <math.h>
#include <string.h>

/* The columns a figure uses, and how it uses them. */
struct use {
    const struct cli_plot_table *table;
    int x;
    GArray *y, *series, *panel; /* int */
    GArray *condition;
    /* columns that distinguish points in the figure, or were measured */
    bool *shown;
};
struct condition {
    int column;
    bool not;
    char **value;
};

static void clear_condition(gpointer data) { g_strfreev(((struct condition *)data)->value); }

static const char *cell(const struct use *use, guint row, int column)
{
    return ((struct cli_plot_row *)use->table->row->pdata[row])->cell[column];
}

static int line_of(const struct use *use, guint row)
{
    return ((struct cli_plot_row *)use->table->row->pdata[row])->line;
}

/* ---- columns --------------------------------------------------------------------------------- */

static bool find_column(const struct cli_plot_figure *f, const struct use *use, const char *key,
                        const char *name, int *column, GError **error)
{
    *column = cli_plot_table_column(use->table, name);
    if (*column >= 0) return true;
    g_autoptr(GString) list = g_string_new(NULL);
    for (guint i = 0; i < use->table->column->len; i++)
        g_string_append_printf(list, "%s%s", i ? ", " : "", (char *)use->table->column->pdata[i]);
    return cli_plot_figure_refuse(f, key, error, "%s has no column '%s'; accepted are %s",
                                  use->table->file, name, list->str);
}

static bool find_columns(const struct cli_plot_figure *f, const struct use *use, const char *key,
                         char **name, GArray *columns, GError **error)
{
    for (int column; name && *name; name++) {
        if (!find_column(f, use, key, *name, &column, error)) return false;
        use->shown[column] = true;
        g_array_append_val(columns, column);
    }
    return true;
}

static bool find_conditions(const struct cli_plot_figure *f, const struct use *use, GError **error)
{
    for (char **text = f->where; text && *text; text++) {
        const char *equals = strchr(*text, '=');
        if (!equals || equals == *text)
            return cli_plot_figure_refuse(
                f, "where", error,
                "'%s' is not a condition; accepted are COLUMN=VALUE, COLUMN=VALUE|VALUE and "
                "COLUMN!=VALUE, separated by ;",
                *text);
        struct condition condition = {.not= equals[-1] == '!'};
        g_autofree char *name =
            g_strstrip(g_strndup(*text, (gsize)(equals - *text - condition.not)));
        if (!find_column(f, use, "where", name, &condition.column, error)) return false;
        condition.value = g_strsplit(equals + 1, "|", -1);
        for (char **v = condition.value; *v; v++) g_strstrip(*v);
        g_array_append_val(use->condition, condition);
    }
    return true;
}

static bool find_all(const struct cli_plot_figure *f, struct use *use, GError **error)
{
    for (char **name = f->experiment->column; *name; name++) {
        int column = cli_plot_table_column(use->table, *name);
        if (column >= 0) use->shown[column] = true;
    }
    /* repetitions are drawn as one; failures are gaps */
    static const char *const beside[] = {"seed", "failed"};
    for (size_t i = 0; i < G_N_ELEMENTS(beside); i++) {
        int column = cli_plot_table_column(use->table, beside[i]);
        if (column >= 0) use->shown[column] = true;
    }
    if (!find_column(f, use, "x", f->x, &use->x, error) ||
        !find_columns(f, use, "y", f->y, use->y, error) ||
        !find_columns(f, use, "series", f->series, use->series, error) ||
        !find_columns(f, use, "panel", f->panel, use->panel, error) ||
        !find_conditions(f, use, error))
        return false;
    use->shown[use->x] = true;
    return true;
}

static bool kept(const struct use *use, guint row)
{
    for (guint i = 0; i < use->condition->len; i++) {
        const struct condition *c = &g_array_index(use->condition, struct condition, i);
        if (g_strv_contains((const char *const *)c->value, cell(use, row, c->column)) == c->not)
            return false;
    }
    return true;
}

/* ---- names of places ------------------------------------------------------------------------- */

/* In a legend a number needs its column's name: "ranks = 4". */
static void add_name(GString *text, const char *between, const char *column, const char *value)
{
    if (text->len) g_string_append(text, between);
    if (g_ascii_isdigit(*value) || *value == '-' || *value == '.')
        g_string_append_printf(text, "%s = ", column);
    g_autofree char *quantity = cli_plot_quantity(value);
    g_string_append(text, *value ? quantity : "(none)");
}

static char *series_name(const struct cli_plot_figure *f, const struct use *use, guint row, guint y)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < use->series->len; i++) {
        const char *value = cell(use, row, g_array_index(use->series, int, i));
        /* its axis, or the legend, names the column */
        if (use->series->len == 1 && (f->kind == CLI_PLOT_HEAT || f->serieslabel)) {
            g_autofree char *quantity = cli_plot_quantity(value);
            g_string_append(text, quantity);
        } else
            add_name(text, ", ", f->series[i], value);
    }
    if (use->y->len > 1) g_string_append_printf(text, "%s%s", text->len ? ", " : "", f->y[y]);
    return g_strdup(text->str);
}

/* A panel's title. A word of one of the machine's keys says little without the key. */
static char *panel_name(const struct cli_plot_figure *f, const struct use *use, guint row)
{
    g_autoptr(GString) text = g_string_new(NULL);
    if (use->panel->len == 1 && strchr(f->panel[0], '.')) {
        const char *value = cell(use, row, g_array_index(use->panel, int, 0));
        if (g_ascii_isalpha(*value)) return g_strdup_printf("%s: %s", f->panel[0], value);
    }
    for (guint i = 0; i < use->panel->len; i++)
        add_name(text, ": ", f->panel[i], cell(use, row, g_array_index(use->panel, int, i)));
    return g_strdup(text->str);
}

static guint place(GPtrArray *names, char *name)
{
    guint i = 0;
    while (i < names->len && strcmp(names->pdata[i], name) != 0) i++;
    if (i < names->len)
        g_free(name);
    else
        g_ptr_array_add(names, name);
    return i;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool number(const char *text, double *value)
{
    char *end;
    *value = g_ascii_strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

/* "64", or one kind of quantity throughout: "1us" and "1ms", "64KiB". */
static bool all_numbers(GPtrArray *text, double *value)
{
    static const enum base_unit units[] = {BASE_BYTES, BASE_SECONDS, BASE_CYCLES, BASE_HERTZ,
                                           BASE_BYTES_PER_S};
    guint fine = 0;
    while (fine < text->len && number(text->pdata[fine], &value[fine])) fine++;
    for (size_t unit = 0; fine < text->len && unit < G_N_ELEMENTS(units); unit++)
        for (fine = 0;
             fine < text->len && base_parse(text->pdata[fine], units[unit], 0, &value[fine], NULL);)
            fine++;
    return text->len > 0 && fine == text->len;
}

struct x_value {
    double at;
    char *text;
};

static int by_number(gconstpointer a, gconstpointer b)
{
    double x = ((const struct x_value *)a)->at, y = ((const struct x_value *)b)->at;
    return x < y ? -1 : x > y;
}

/* Words keep the order of the experiment, numbers rise. Only lines stand at their numbers; others
 * side by side. */
static void place_x(struct cli_plot_figure *f)
{
    guint n = f->x_text->len;
    f->x_at = g_new(double, n + 1);
    f->x_is_number = all_numbers(f->x_text, f->x_at);
    if (f->x_is_number) {
        g_autofree struct x_value *sorted = g_new(struct x_value, n);
        for (guint i = 0; i < n; i++) sorted[i] = (struct x_value){f->x_at[i], f->x_text->pdata[i]};
        qsort(sorted, n, sizeof *sorted, by_number);
        for (guint i = 0; i < n; i++)
            f->x_at[i] = sorted[i].at, f->x_text->pdata[i] = sorted[i].text;
    }
    if (f->kind != CLI_PLOT_LINES) f->x_is_number = false;
    for (guint i = 0; i < n && !f->x_is_number; i++) f->x_at[i] = i + 1;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Two rows at one place differ in something the figure does not show, or are seeds of one point. */
static bool same_point(const struct cli_plot_figure *f, const struct use *use, guint row,
                       guint other, GError **error)
{
    for (guint column = 0; column < use->table->column->len; column++) {
        const char *a = cell(use, other, (int)column), *b = cell(use, row, (int)column);
        if (use->shown[column] || strcmp(a, b) == 0) continue;
        const char *name = use->table->column->pdata[column];
        return cli_plot_figure_refuse(
            f, "series", error,
            "lines %d and %d of %s are drawn at one point: they differ in %s (%s and %s), which "
            "is neither x, series nor panel. Add it there, or choose one with where=%s=%s",
            line_of(use, other), line_of(use, row), use->table->file, name, a, b, name, a);
    }
    if (cli_plot_table_column(use->table, "seed") >= 0) return true;
    return cli_plot_figure_refuse(f, "series", error, "lines %d and %d of %s are the same point",
                                  line_of(use, other), line_of(use, row), use->table->file);
}

static bool take(struct cli_plot_figure *f, const struct use *use, guint row, guint y,
                 GError **error)
{
    int column = g_array_index(use->y, int, y);
    const char *text = cell(use, row, column);
    struct cli_plot_value *value =
        cli_plot_value(f, place(f->panel_text, panel_name(f, use, row)),
                       place(f->series_text, series_name(f, use, row, y)),
                       place(f->x_text, g_strdup(cell(use, row, use->x))));
    double n;
    if (value->planned && !same_point(f, use, row, (guint)value->row, error)) return false;
    if (!value->planned) value->row = (int)row;
    value->planned = true;
    if (!*text) return true;
    if (!number(text, &n))
        return cli_plot_figure_refuse(f, "y", error, "%s:%d: '%s' in column %s is not a number",
                                      use->table->file, line_of(use, row), text, f->y[y]);
    if (f->log_y && n <= 0)
        return cli_plot_figure_refuse(
            f, "log", error,
            "y cannot be logarithmic: %s:%d has %s in column %s (leave such points out with "
            "where, or take y out of log)",
            use->table->file, line_of(use, row), text, f->y[y]);
    value->min = value->count ? MIN(value->min, n) : n;
    value->max = value->count ? MAX(value->max, n) : n;
    value->sum += n;
    value->count++;
    return true;
}

static bool few_enough(const struct cli_plot_figure *f, GError **error)
{
    guint series_max = f->kind == CLI_PLOT_BARS    ? CLI_PLOT_BARS_MAX
                       : f->kind == CLI_PLOT_LINES ? CLI_PLOT_SERIES_MAX
                                                   : 64;
    if (f->series_text->len > series_max)
        return cli_plot_figure_refuse(f, "series", error,
                                      "%u series, more than the %u that can be distinguished; "
                                      "choose some with where, or use panel",
                                      f->series_text->len, series_max);
    if (f->panel_text->len > CLI_PLOT_PANELS_MAX)
        return cli_plot_figure_refuse(f, "panel", error,
                                      "%u panels, more than %d; choose some with where",
                                      f->panel_text->len, CLI_PLOT_PANELS_MAX);
    if (f->kind != CLI_PLOT_LINES && f->x_text->len > 64)
        return cli_plot_figure_refuse(f, "x", error,
                                      "%u values side by side, more than 64; kind=lines shows more",
                                      f->x_text->len);
    for (guint i = 0; f->log_x && i < f->x_text->len; i++)
        if (!f->x_is_number || f->x_at[i] <= 0)
            return cli_plot_figure_refuse(
                f, "log", error,
                "x cannot be logarithmic: column %s has '%s' (leave it out with where=%s!=%s, or "
                "take x out of log)",
                f->x, (char *)f->x_text->pdata[i], f->x, (char *)f->x_text->pdata[i]);
    return true;
}

static bool fill(struct cli_plot_figure *f, struct use *use, GError **error)
{
    guint rows = use->table->row->len, used = 0, values = 0;
    for (guint row = 0; row < rows; row++) {
        if (!kept(use, row)) continue;
        used++;
        place(f->panel_text, panel_name(f, use, row));
        place(f->x_text, g_strdup(cell(use, row, use->x)));
        for (guint y = 0; y < use->y->len; y++) place(f->series_text, series_name(f, use, row, y));
    }
    if (used == 0)
        return cli_plot_figure_refuse(f, "where", error, "none of the %u points of %s matches",
                                      rows, use->table->file);
    place_x(f);
    if (!few_enough(f, error)) return false;
    guint places = f->panel_text->len * f->series_text->len * f->x_text->len;
    f->value = g_new0(struct cli_plot_value, places);
    for (guint row = 0; row < rows; row++)
        for (guint y = 0; kept(use, row) && y < use->y->len; y++)
            if (!take(f, use, row, y, error)) return false;
    for (guint i = 0; i < places; i++) values += f->value[i].count > 0;
    if (values) return true;
    return cli_plot_figure_refuse(f, "y", error, "no value in %s: nothing to draw",
                                  use->table->file);
}

bool cli_plot_figure_fill(struct cli_plot_figure *f, const struct cli_plot_table *table,
                          GError **error)
{
    f->x_text = g_ptr_array_new_with_free_func(g_free);
    f->series_text = g_ptr_array_new_with_free_func(g_free);
    f->panel_text = g_ptr_array_new_with_free_func(g_free);
    struct use use = {.table = table,
                      .y = g_array_new(FALSE, FALSE, sizeof(int)),
                      .series = g_array_new(FALSE, FALSE, sizeof(int)),
                      .panel = g_array_new(FALSE, FALSE, sizeof(int)),
                      .condition = g_array_new(FALSE, FALSE, sizeof(struct condition)),
                      .shown = g_new0(bool, table->column->len)};
    g_array_set_clear_func(use.condition, clear_condition);
    bool good = find_all(f, &use, error) && fill(f, &use, error);
    g_array_unref(use.y), g_array_unref(use.series), g_array_unref(use.panel);
    g_array_unref(use.condition);
    g_free(use.shown);
    return good;
}
