/* sidewinder plot: the figures of an experiment, drawn by gnuplot.
 *
 * The same data give the same bytes: gnuplot reads this script alone (no start-up file, no locale),
 * and its own title in the SVG is replaced by a description of the figure, for screen readers. */
#include "cli/common/common.h"
#include "cli/common/options.h"
#include "cli/plot/parts.h"
#include "report/print/print.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

struct options {
    gboolean script, help;
    char *output, *data, *format_name;
    const struct cli_plot_format *format;
};

static const char explanation[] =
    "EXPERIMENT is the experiment's file, or the folder that holds it as experiment.ini. Each "
    "group [plot NAME]\nbecomes NAME.svg beside it, [plot] figure.svg, drawn from its table.\n\n"
    "Keys of a [plot] group:\n"
    "  kind=lines|bars|heat   required\n  x=COLUMN               required. Of lines, numbers (64, "
    "8KiB, 5us) give a scale; words are placed side by side\n  y=COLUMN;...           required. "
    "The values drawn; of a heat map one column, shown as colour\n  series=COLUMN;...      one "
    "line, or bar in each group, for each combination of their "
    "values; of a heat map the rows\n"
    "  panel=COLUMN;...       one panel for each combination of their values, all with the same "
    "scale\n  where=CONDITION;...    only these points: COLUMN=VALUE, COLUMN=VALUE|VALUE, "
    "COLUMN!=VALUE\n"
    "  log=x;y                logarithmic axes (of a heat map y is the scale of colours)\n"
    "  mark=Y                 a line across the panels at that value\n"
    "  data=FILE              the table, a CSV beside the experiment; default: data.csv, which "
    "'sidewinder sweep' writes\n"
    "  title= xlabel= ylabel= serieslabel=   labels, with units; default: the experiment's title, "
    "the columns' names\n                         serieslabel= above the legend "
    "replaces the column's name before its numbers\n\nLines within 1 % of each other are named "
    "below the figure. "

    "A failed point leaves a gap. Where runs were repeated with seeds, the mean is drawn, with a "
    "bar from the least\nto the greatest value.\n\n"
    "Examples:\n"
    "  sidewinder plot results/agents\n"
    "  sidewinder plot --output /tmp results/agents/experiment.ini\n"
    "  sidewinder plot --format pdf --output /tmp results/agents\n"
    "  sidewinder plot --script results/agents > mine.gp      # to edit with gnuplot\n";

/* ---- gnuplot --------------------------------------------------------------------------------- */

/* What gnuplot prints for the script; NULL: *error has gnuplot's message. Free with
 * g_bytes_unref. */
static GBytes *draw(const char *script, GError **error)
{
    g_autoptr(GSubprocessLauncher) launcher =
        g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                  G_SUBPROCESS_FLAGS_STDERR_PIPE);
    g_subprocess_launcher_setenv(launcher, "LC_ALL", "C.UTF-8", TRUE);
    static const char *const own[] = {"GNUTERM", "GNUPLOT_LIB", "GNUFITLOG"};
    for (size_t i = 0; i < G_N_ELEMENTS(own); i++) g_subprocess_launcher_unsetenv(launcher, own[i]);
    GError *why = NULL;
    g_autoptr(GSubprocess) child =
        g_subprocess_launcher_spawn(launcher, &why, "gnuplot", "--default-settings", "-", NULL);
    if (!child) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE,
                    "cannot start gnuplot (Debian: gnuplot-nox): %s; --script prints its script",
                    why->message);
        g_error_free(why);
        return NULL;
    }
    g_autoptr(GBytes) in = g_bytes_new_static(script, strlen(script)), said = NULL;
    GBytes *image = NULL;
    if (!g_subprocess_communicate(child, in, NULL, &image, &said, &why)) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "gnuplot: %s", why->message);
        g_error_free(why);
        return NULL;
    }
    if (g_subprocess_get_successful(child) && g_bytes_get_size(image) > 0) return image;
    gsize length;
    const char *words = g_bytes_get_data(said, &length);
    g_autofree char *message = g_strstrip(g_strndup(words ? words : "", length));
    g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "gnuplot could not draw it: %s",
                *message ? message : "it ended early");
    g_bytes_unref(image);
    return NULL;
}

/* ---- the file -------------------------------------------------------------------------------- */

static char *between(const char *text, const char *from, const char *to)
{
    const char *begin = strstr(text, from), *end = begin ? strstr(begin, to) : NULL;
    return end ? g_strndup(begin, (gsize)(end + strlen(to) - begin)) : NULL;
}

static void replace(GString *text, const char *old, const char *new)
{
    if (old) g_string_replace(text, old, new, 1);
}

/* gnuplot's title and description are its name and version. */
static char *say_what_it_shows(const struct cli_plot_figure *figure, const char *svg)
{
    g_autofree char *description = cli_plot_description(figure);
    g_autofree char *title =
        g_markup_printf_escaped("<title id=\"title\">%s</title>", figure->title);
    g_autofree char *words =
        g_markup_printf_escaped("<desc id=\"description\">%s</desc>", description);
    g_autofree char *old_title = between(svg, "<title>", "</title>"),
                    *old_words = between(svg, "<desc>", "</desc>");
    GString *text = g_string_new(svg);
    replace(text, old_title, title);
    replace(text, old_words, words);
    g_string_replace(text, "<svg ", "<svg role=\"img\" aria-labelledby=\"title description\" ", 1);
    g_string_append_c(text, '\n');
    return g_string_free(text, FALSE);
}

/* ---- the figures of an experiment ------------------------------------------------------------ */

struct drawn {
    char *path;
    GBytes *content;
};

static void free_drawn(gpointer data)
{
    struct drawn *d = data;
    g_free(d->path);
    if (d->content) g_bytes_unref(d->content);
    g_free(d);
}

static bool taken(const GPtrArray *drawn, const char *path)
{
    for (guint i = 0; i < drawn->len; i++)
        if (g_strcmp0(((struct drawn *)drawn->pdata[i])->path, path) == 0) return true;
    return false;
}

static GBytes *content_of(const struct options *o, const struct cli_plot_figure *figure,
                          const char *file, GError **error)
{
    g_autofree char *script = cli_plot_script(figure, o->format, o->script ? file : NULL);
    if (o->script) {
        char *text = g_strdup_printf("# %s: %s\n%s", file, figure->title, script);
        return g_bytes_new_take(text, strlen(text));
    }
    GBytes *image = draw(script, error);
    if (!image || strcmp(o->format->name, "svg") != 0) return image;
    gsize length;
    const char *data = g_bytes_get_data(image, &length);
    g_autofree char *svg = g_strchomp(g_strndup(data, length));
    g_bytes_unref(image);
    if (!g_str_has_suffix(svg, "</svg>")) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE,
                    "gnuplot could not draw it: it ended early");
        return NULL;
    }
    char *text = say_what_it_shows(figure, svg);
    return g_bytes_new_take(text, strlen(text));
}

static char *beside(const char *folder, const char *file)
{
    return strcmp(folder, ".") == 0 ? g_strdup(file) : g_build_filename(folder, file, NULL);
}

static bool fill(const struct options *o, const struct cli_experiment *e,
                 struct cli_plot_figure *figure, GError **error)
{
    g_autofree char *folder = g_path_get_dirname(e->path);
    g_autofree char *data = o->data ? g_strdup(o->data) : beside(folder, figure->data);
    struct cli_plot_table *table = cli_plot_table_read(data, error);
    bool good = table && cli_plot_figure_fill(figure, table, error);
    cli_plot_table_free(table);
    return good;
}

static bool one(const struct options *o, const struct cli_experiment *e, const char *group,
                GPtrArray *drawn, GError **error)
{
    struct cli_plot_figure *figure = cli_plot_figure_read(e, group, error);
    bool good = figure && fill(o, e, figure, error);
    if (good) {
        struct drawn *d = g_new0(struct drawn, 1);
        g_autofree char *base = g_strconcat(figure->name, ".", o->format->name, NULL);
        d->path = g_build_filename(o->output ? o->output : e->folder, base, NULL);
        if (taken(drawn, d->path))
            cli_experiment_refuse(e, group, NULL, error, "%s is already the file of another group",
                                  base);
        else
            d->content = content_of(o, figure, base, error);
        g_ptr_array_add(drawn, d);
        good = d->content != NULL;
    }
    cli_plot_figure_free(figure);
    return good;
}

static bool put_out(const struct options *o, const struct drawn *d, GError **error)
{
    gsize length;
    const char *data = g_bytes_get_data(d->content, &length);
    if (!o->script) return report_put_file(d->path, data, length, error);
    fwrite(data, 1, length, stdout);
    return true;
}

/* All figures are drawn before the first is written: an error leaves the old ones together. */
static bool all(const struct options *o, const struct cli_experiment *e, GError **error)
{
    g_auto(GStrv) groups = g_key_file_get_groups(e->file, NULL);
    g_autoptr(GPtrArray) drawn = g_ptr_array_new_with_free_func(free_drawn);
    bool good = true;
    for (char **group = groups; good && *group; group++)
        if (strcmp(*group, "plot") == 0 || g_str_has_prefix(*group, "plot "))
            good = one(o, e, *group, drawn, error);
    for (guint i = 0; good && i < drawn->len; i++) good = put_out(o, drawn->pdata[i], error);
    if (!good || drawn->len) return good;
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                "%s: there is no group [plot], such as:\n[plot]\nkind=lines\nx=ranks\ny=%s",
                e->path, e->column[0]);
    return false;
}

static bool plot(const struct options *o, const char *name, GError **error)
{
    struct cli_experiment *e = cli_experiment_load(name, error);
    if (!e) return false;
    bool good = all(o, e, error);
    cli_experiment_free(e);
    return good;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int fail(const GError *error, enum cli_exit code)
{
    fprintf(stderr, "sidewinder plot: %s\n", error->message);
    return code;
}

int cli_plot(int argc, char **argv)
{
    struct options o = {0};
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &o.output,
         "Write the figures to FOLDER instead of beside the experiment", "FOLDER"},
        {"data", 0, 0, G_OPTION_ARG_FILENAME, &o.data,
         "Draw this table instead of those that the groups name", "FILE"},
        {"format", 0, 0, G_OPTION_ARG_STRING, &o.format_name,
         "What to draw: svg (the default), pdf or png", "FORMAT"},
        {"script", 0, 0, G_OPTION_ARG_NONE, &o.script,
         "Print the gnuplot script, numbers included, instead of the figure", NULL},
        {"help", 'h', 0, G_OPTION_ARG_NONE, &o.help, "Show this help", NULL},
        G_OPTION_ENTRY_NULL};
    g_autoptr(GError) error = NULL;
    g_autoptr(GOptionContext) context = g_option_context_new("EXPERIMENT");
    g_option_context_set_summary(context, "Draws the figures of an experiment.");
    g_option_context_set_description(context, explanation);
    int code = CLI_USAGE;
    if (!cli_options_read(context, entries, "sidewinder plot", &argc, &argv, &error))
        code = fail(error, CLI_USAGE);
    else if (o.help) {
        cli_print_help(context);
        code = CLI_DONE;
    } else if (argc != 2)
        fputs("sidewinder plot: give one experiment; usage: sidewinder plot FOLDER, or its file\n",
              stderr);
    else if ((o.format = cli_plot_format(o.format_name ? o.format_name : "svg")) == NULL)
        fprintf(stderr, "sidewinder plot: --format %s: accepted are svg, pdf and png\n",
                o.format_name);
    else
        code = plot(&o, argv[1], &error) ? CLI_DONE : fail(error, CLI_FAILED);
    g_free(o.output);
    g_free(o.data);
    g_free(o.format_name);
    return code;
}
