/* sidewinder plot: reads a [plot] group. */
#include "cli/plot/parts.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static const char *const kind_name[CLI_PLOT_KINDS] = {"lines", "bars", "heat"};
static const char *const known[] = {"kind",        "x",     "y",      "series", "panel",
                                    "where",       "title", "xlabel", "ylabel", "log",
                                    "serieslabel", "mark",  "data"};

bool cli_plot_figure_refuse(const struct cli_plot_figure *figure, const char *key, GError **error,
                            const char *format, ...)
{
    va_list words;
    va_start(words, format);
    g_autofree char *what = g_strdup_vprintf(format, words);
    va_end(words);
    bool there = g_key_file_has_key(figure->experiment->file, figure->group, key, NULL);
    if (there)
        cli_experiment_refuse(figure->experiment, figure->group, key, error, "%s", what);
    else
        cli_experiment_refuse(figure->experiment, figure->group, NULL, error, "%s: %s", key, what);
    return false;
}

void cli_plot_figure_free(struct cli_plot_figure *f)
{
    if (!f) return;
    char *text[] = {f->name, f->x, f->title, f->xlabel, f->ylabel, f->serieslabel, f->data};
    for (size_t i = 0; i < G_N_ELEMENTS(text); i++) g_free(text[i]);
    g_strfreev(f->y), g_strfreev(f->series), g_strfreev(f->panel), g_strfreev(f->where);
    GPtrArray *place[] = {f->x_text, f->series_text, f->panel_text};
    for (size_t i = 0; i < G_N_ELEMENTS(place); i++)
        if (place[i]) g_ptr_array_unref(place[i]);
    g_free(f->x_at);
    g_free(f->value);
    g_free(f);
}

/* ---- one key after the other ----------------------------------------------------------------- */

static char *word(const struct cli_plot_figure *f, const char *key)
{
    char *text = cli_experiment_get(f->experiment, f->group, key);
    if (text && *text) return text;
    g_free(text);
    return NULL;
}

/* Without the empty ones: "a;b;" has two. NULL: none. */
static char **words(const struct cli_plot_figure *f, const char *key)
{
    g_autofree char *text = word(f, key);
    g_auto(GStrv) list = g_strsplit(text ? text : "", ";", -1);
    GPtrArray *kept = g_ptr_array_new();
    for (char **w = list; w && *w; w++)
        if (*g_strstrip(*w)) g_ptr_array_add(kept, g_strdup(*w));
    g_ptr_array_add(kept, NULL);
    if (kept->len > 1) return (char **)g_ptr_array_free(kept, FALSE);
    g_ptr_array_unref(kept);
    return NULL;
}

static bool only_known(const struct cli_plot_figure *f, GError **error)
{
    g_auto(GStrv) names = g_key_file_get_keys(f->experiment->file, f->group, NULL, NULL);
    g_autoptr(GString) list = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        g_string_append_printf(list, "%s%s", i ? ", " : "", known[i]);
    for (char **name = names; name && *name; name++) {
        bool fine = false;
        for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
            fine = fine || strcmp(*name, known[i]) == 0;
        if (fine) continue;
        if (strcmp(*name, "z") == 0)
            return cli_plot_figure_refuse(
                f, *name, error,
                "unknown key: in a heat map, series gives the rows and y the value");
        const char *near = base_nearest(*name, known, G_N_ELEMENTS(known));
        return cli_plot_figure_refuse(f, *name, error, "unknown key%s%s%s; accepted are %s",
                                      near ? " (did you mean " : "", near ? near : "",
                                      near ? "?)" : "", list->str);
    }
    return true;
}

static bool read_kind(struct cli_plot_figure *f, GError **error)
{
    g_autofree char *kind = word(f, "kind");
    if (!kind)
        return cli_plot_figure_refuse(f, "kind", error,
                                      "is missing; accepted are lines, bars and heat");
    for (int i = 0; i < CLI_PLOT_KINDS; i++)
        if (strcmp(kind, kind_name[i]) == 0) {
            f->kind = i;
            return true;
        }
    return cli_plot_figure_refuse(f, "kind", error,
                                  "unknown kind %s; accepted are lines, bars and heat", kind);
}

static bool read_mark(struct cli_plot_figure *f, GError **error)
{
    g_autofree char *text = word(f, "mark");
    char *end;
    f->mark = NAN;
    if (!text) return true;
    f->mark = g_ascii_strtod(text, &end);
    if (end == text || *end || !isfinite(f->mark))
        return cli_plot_figure_refuse(f, "mark", error, "%s is not a number", text);
    if (f->kind == CLI_PLOT_HEAT)
        return cli_plot_figure_refuse(f, "mark", error, "a heat map has no y axis of values");
    if (f->log_y && f->mark <= 0)
        return cli_plot_figure_refuse(f, "mark", error, "%s is not on a logarithmic axis", text);
    return true;
}

static bool read_log(struct cli_plot_figure *f, GError **error)
{
    g_auto(GStrv) axes = words(f, "log");
    for (char **axis = axes; axis && *axis; axis++) {
        if (strcmp(*axis, "x") == 0)
            f->log_x = true;
        else if (strcmp(*axis, "y") == 0)
            f->log_y = true;
        else
            return cli_plot_figure_refuse(f, "log", error,
                                          "%s is not an axis; accepted are x, y, or x;y", *axis);
    }
    if (f->log_x && f->kind != CLI_PLOT_LINES)
        return cli_plot_figure_refuse(f, "log", error,
                                      "the x values of %s have no scale; only y can be logarithmic",
                                      kind_name[f->kind]);
    return true;
}

/* The rest of [plot NAME]; it becomes the name of a file. */
static bool read_name(struct cli_plot_figure *f, GError **error)
{
    f->name = strcmp(f->group, "plot") == 0 ? g_strdup("figure")
                                            : g_strstrip(g_strdup(f->group + strlen("plot")));
    bool plain = *f->name && *f->name != '.' && *f->name != '-';
    for (const char *c = f->name; *c; c++)
        plain = plain && (g_ascii_isalnum(*c) || strchr("_-.", *c));
    if (plain) return true;
    cli_experiment_refuse(
        f->experiment, f->group, NULL, error,
        "'%s' is not a valid figure name; accepted are letters, digits, _, - and .", f->name);
    return false;
}

struct cli_plot_figure *cli_plot_figure_read(const struct cli_experiment *experiment,
                                             const char *group, GError **error)
{
    struct cli_plot_figure *f = g_new0(struct cli_plot_figure, 1);
    f->experiment = experiment;
    f->group = group;
    f->x = word(f, "x");
    f->y = words(f, "y");
    f->series = words(f, "series");
    f->panel = words(f, "panel");
    f->where = words(f, "where");
    f->title = word(f, "title");
    if (!f->title) f->title = g_strdup(experiment->title);
    f->xlabel = word(f, "xlabel");
    f->ylabel = word(f, "ylabel");
    f->serieslabel = word(f, "serieslabel");
    f->data = word(f, "data");
    if (!f->data) f->data = g_strdup("data.csv");
    bool good = read_name(f, error) && only_known(f, error) && read_kind(f, error) &&
                read_log(f, error) && read_mark(f, error);
    if (good && !f->x) good = cli_plot_figure_refuse(f, "x", error, "is missing; give a column");
    if (good && !f->y)
        good = cli_plot_figure_refuse(f, "y", error, "is missing; give one or more columns");
    if (good && f->kind == CLI_PLOT_HEAT && g_strv_length(f->y) > 1)
        good = cli_plot_figure_refuse(f, "y", error, "a heat map shows one column");
    if (good && f->kind == CLI_PLOT_HEAT && !f->series)
        good = cli_plot_figure_refuse(f, "series", error,
                                      "is missing; give the column of the heat map's rows");
    if (good) return f;
    cli_plot_figure_free(f);
    return NULL;
}
