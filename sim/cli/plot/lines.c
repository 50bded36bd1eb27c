/* sidewinder plot: lines and bars.
 *
 * Colours: Okabe and Ito, "Color Universal Design", 2008, without yellow, which is too light for a
 * line. In grey print dashes and points, or the pattern of a bar and its place in the group,
 * replace the colours. */
#include "cli/plot/parts.h"

#include <math.h>

enum { SAMPLE = 40, SPACE = 18, LINE = 18, CROWDED = 40 };

static const struct style {
    const char *colour, *dash;
    int point;
} style[CLI_PLOT_SERIES_MAX] = {
    {"#0072b2", "solid", 7},       {"#d55e00", "(10,4)", 5}, {"#009e73", "(3,3)", 9},
    {"#cc79a7", "(12,3,3,3)", 13}, {"#e69f00", "(6,2)", 11}, {"#56b4e9", "(12,3,3,3,3,3)", 6},
    {"#000000", "solid", 4},       {"#0072b2", "(3,3)", 8},  {"#d55e00", "solid", 12},
    {"#009e73", "(12,3,3,3)", 10}, {"#cc79a7", "solid", 2},  {"#e69f00", "(12,3,3,3,3,3)", 1},
    {"#56b4e9", "solid", 3},       {"#000000", "(3,3)", 14},
};
/* The full ones are of different darkness, the others of different patterns; with its edge yellow
 * is no longer too light. */
static const struct {
    const char *colour, *fill;
} bar[CLI_PLOT_BARS_MAX] = {
    {"#0072b2", "solid 1"},   {"#e69f00", "solid 1"},   {"#009e73", "pattern 2"},
    {"#f0e442", "solid 1"},   {"#000000", "solid 1"},   {"#d55e00", "pattern 4"},
    {"#56b4e9", "pattern 5"}, {"#cc79a7", "pattern 1"},
};

/* ---- the legend ------------------------------------------------------------------------------ */

/* The column of a legend's numbers, with its unit, above them. */
static double heading(const struct cli_plot_figure *f) { return f->serieslabel ? LINE : 0; }

static guint legend_columns(const struct cli_plot_figure *f, double width)
{
    double widest = 0;
    for (guint i = 0; i < f->series_text->len; i++)
        widest = MAX(widest, cli_plot_width(f->series_text->pdata[i]));
    return (guint)CLAMP(width / (SAMPLE + widest + SPACE), 1, f->series_text->len);
}

static double legend_height(const struct cli_plot_figure *f, double width)
{
    if (f->series_text->len == 1 && !*(char *)f->series_text->pdata[0]) return 0;
    guint columns = legend_columns(f, width);
    return LINE * ((f->series_text->len + columns - 1) / columns) + 4 + heading(f);
}

static void line_sample(struct cli_plot_page *page, guint series, double x, double y)
{
    const struct style *s = &style[series];
    g_autofree char *from = cli_plot_at(page, x, y), *to = cli_plot_at(page, x + SAMPLE - 8, y),
                    *middle = cli_plot_at(page, x + SAMPLE / 2.0 - 4, y);
    g_string_append_printf(page->out, "set arrow from %s to %s nohead lw 2 lc rgb '%s' dt %s\n",
                           from, to, s->colour, s->dash);
    g_string_append_printf(page->out, "set label '' at %s point pt %d ps 0.7 lc rgb '%s'\n", middle,
                           s->point, s->colour);
}

static void bar_sample(struct cli_plot_page *page, guint series, double x, double y)
{
    g_autofree char *from = cli_plot_at(page, x, y + 6),
                    *to = cli_plot_at(page, x + SAMPLE - 8, y - 6);
    g_string_append_printf(
        page->out,
        "set object rectangle from %s to %s fc rgb '%s' fs %s border lc rgb '#404040' lw 0.5\n",
        from, to, bar[series].colour, bar[series].fill);
}

static void legend(struct cli_plot_page *page, struct cli_plot_box below, struct cli_plot_box aside)
{
    (void)aside;
    const struct cli_plot_figure *f = page->figure;
    if (below.height == 0) return;
    guint n = f->series_text->len, columns = legend_columns(f, below.width),
          rows = (n + columns - 1) / columns;
    double widest = 0;
    for (guint i = 0; i < n; i++) widest = MAX(widest, cli_plot_width(f->series_text->pdata[i]));
    if (f->serieslabel)
        cli_plot_text(page, below.left + below.width / 2, below.top + 4 + LINE / 2.0, 'c', "",
                      f->serieslabel);
    double step = SAMPLE + widest + SPACE,
           left = below.left + (below.width - step * ((n + rows - 1) / rows) + SPACE) / 2;
    for (guint i = 0; i < n; i++) {
        double x = left + step * (i / rows),
               y = below.top + heading(f) + 4 + LINE * (i % rows + 0.5);
        if (f->kind == CLI_PLOT_LINES)
            line_sample(page, i, x, y);
        else
            bar_sample(page, i, x, y);
        cli_plot_text(page, x + SAMPLE, y, 'l', "", f->series_text->pdata[i]);
    }
}

/* ---- the panels ------------------------------------------------------------------------------ */

/* A point that failed interrupts its line; one that the experiment leaves out does so only among
 * words. */
static guint lines_data(struct cli_plot_page *page, guint panel, guint series, bool *spread)
{
    const struct cli_plot_figure *f = page->figure;
    guint points = 0;
    g_string_append_printf(page->out, "$panel%u_series%u << END\n", panel + 1, series + 1);
    for (guint x = 0; x < f->x_text->len; x++) {
        const struct cli_plot_value *v = cli_plot_value(f, panel, series, x);
        if (v->count)
            g_string_append_printf(page->out, "%.10g %.10g %.10g %.10g\n", f->x_at[x],
                                   cli_plot_mean(v), v->min, v->max);
        else if (v->planned || !f->x_is_number)
            g_string_append_c(page->out, '\n');
        points += v->count > 0;
        *spread = *spread || (v->count && v->min < v->max);
    }
    g_string_append(page->out, "END\n");
    return points;
}

/* What to plot, joined: one of them at least, for gnuplot draws the frame with it. */
static void finish(struct cli_plot_page *page, const GString *plots)
{
    g_string_append_printf(page->out, "plot %s\n", plots->len ? plots->str : "NaN notitle");
}

static void lines_panel(struct cli_plot_page *page, guint panel, struct cli_plot_box box)
{
    (void)box;
    const struct cli_plot_figure *f = page->figure;
    g_autoptr(GString) plots = g_string_new(NULL);
    for (guint i = 0; i < f->series_text->len; i++) {
        const struct style *s = &style[i];
        bool spread = false;
        guint points = lines_data(page, panel, i, &spread);
        if (!points) continue;
        g_string_append_printf(plots,
                               "%s$panel%u_series%u using 1:2 with linespoints lw 2 lc rgb '%s' dt "
                               "%s pt %d ps 0.7 pointinterval %u title ",
                               plots->len ? ", \\\n     " : "", panel + 1, i + 1, s->colour,
                               s->dash, s->point, 1 + points / CROWDED);
        cli_plot_quote(plots, f->series_text->pdata[i]);
        if (spread)
            g_string_append_printf(plots,
                                   ", \\\n     $panel%u_series%u using 1:2:3:4 with yerrorbars lw "
                                   "1 lc rgb '%s' dt solid ps 0 notitle",
                                   panel + 1, i + 1, s->colour);
    }
    finish(page, plots);
}

/* Series that the experiment has at this x, of the first `series` ones. */
static guint planned(const struct cli_plot_figure *f, guint panel, guint series, guint x)
{
    guint n = 0;
    for (guint i = 0; i < series; i++) n += cli_plot_value(f, panel, i, x)->planned;
    return n;
}

static double bar_width(const struct cli_plot_figure *f)
{
    guint most = 1;
    for (guint panel = 0; panel < f->panel_text->len; panel++)
        for (guint x = 0; x < f->x_text->len; x++)
            most = MAX(most, planned(f, panel, f->series_text->len, x));
    return MIN(0.8 / most, 0.4);
}

/* The bars of a group stand around its x; one that failed leaves its place, one that was never
 * meant to be there has none. */
static void bars_data(struct cli_plot_page *page, guint panel, guint series, guint *points,
                      bool *spread)
{
    const struct cli_plot_figure *f = page->figure;
    double width = bar_width(f);
    g_string_append_printf(page->out, "$panel%u_series%u << END\n", panel + 1, series + 1);
    for (guint x = 0; x < f->x_text->len; x++) {
        const struct cli_plot_value *v = cli_plot_value(f, panel, series, x);
        double place =
            planned(f, panel, series, x) + 0.5 - planned(f, panel, f->series_text->len, x) / 2.0;
        if (!v->count) continue;
        g_string_append_printf(page->out, "%.10g %.10g %.10g %.10g %.10g\n",
                               f->x_at[x] + place * width, cli_plot_mean(v), v->min, v->max, width);
        (*points)++;
        *spread = *spread || v->min < v->max;
    }
    g_string_append(page->out, "END\n");
}

static void bars_panel(struct cli_plot_page *page, guint panel, struct cli_plot_box box)
{
    (void)box;
    const struct cli_plot_figure *f = page->figure;
    g_autoptr(GString) plots = g_string_new(NULL);
    for (guint i = 0; i < f->series_text->len; i++) {
        bool spread = false;
        guint points = 0;
        bars_data(page, panel, i, &points, &spread);
        if (!points) continue;
        g_string_append_printf(plots,
                               "%s$panel%u_series%u using 1:2:5 with boxes lw 0.5 fc rgb '%s' fs "
                               "%s border lc rgb '#404040' title ",
                               plots->len ? ", \\\n     " : "", panel + 1, i + 1, bar[i].colour,
                               bar[i].fill);
        cli_plot_quote(plots, f->series_text->pdata[i]);
        if (spread)
            g_string_append_printf(plots,
                                   ", \\\n     $panel%u_series%u using 1:2:3:4 with yerrorbars lw "
                                   "1 lc rgb 'black' ps 0 notitle",
                                   panel + 1, i + 1);
    }
    finish(page, plots);
}

static struct cli_plot_axis *lines_axis(const struct cli_plot_page *page)
{
    return cli_plot_axis_round(page->min, page->max, page->figure->log_y, false);
}

/* On a logarithmic scale a bar has no natural foot; the lowest one still shows. */
static struct cli_plot_axis *bars_axis(const struct cli_plot_page *page)
{
    bool log = page->figure->log_y;
    return cli_plot_axis_round(log ? page->min / 2 : page->min, page->max, log, true);
}

const struct cli_plot_drawer cli_plot_lines = {"Line chart",  0,      lines_axis,
                                               legend_height, legend, lines_panel};
const struct cli_plot_drawer cli_plot_bars = {"Bar chart",   0,      bars_axis,
                                              legend_height, legend, bars_panel};
