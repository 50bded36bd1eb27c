/* cli, inside: the pieces of `sidewinder plot`. Not a door.
 *
 * A table (what the runs gave) and a [plot] group become a figure: every value at its panel, series
 * and x. A figure becomes a gnuplot script, which contains its numbers and nothing that depends on
 * the host.
 */
#ifndef CLI_PLOT_PARTS_H
#define CLI_PLOT_PARTS_H

#include "cli/plot/plot.h"

#include "cli/experiment/experiment.h"

/* ---- the data (table.c) ---------------------------------------------------------------------- */

struct cli_plot_row {
    int line;    /* in the file */
    char **cell; /* one for each column; "" is no value */
};
struct cli_plot_table {
    char *file;
    GPtrArray *column; /* names */
    GPtrArray *row;    /* struct cli_plot_row */
};
/* Reads a CSV (RFC 4180; lines that begin with # are comments). NULL: *error has file and line. */
struct cli_plot_table *cli_plot_table_read(const char *file, GError **error);
void cli_plot_table_free(struct cli_plot_table *table);
/* -1: none of that name */
int cli_plot_table_column(const struct cli_plot_table *table, const char *name);

/* ---- the figure (figure.c, points.c) --------------------------------------------------------- */

enum cli_plot_kind { CLI_PLOT_LINES, CLI_PLOT_BARS, CLI_PLOT_HEAT, CLI_PLOT_KINDS };
enum { CLI_PLOT_SERIES_MAX = 14, CLI_PLOT_BARS_MAX = 8, CLI_PLOT_PANELS_MAX = 12 };

/* What the values at one place of a figure are: several where repetitions have seeds. */
struct cli_plot_value {
    bool planned; /* the experiment has such a point; it may have failed */
    int count;    /* 0: a gap */
    double sum, min, max;
    int row; /* of the table, the first */
};

/* The group as it was written. Strings may be NULL where a key was left out. */
struct cli_plot_figure {
    const struct cli_experiment *experiment;
    const char *group; /* "plot", "plot NAME" */
    char *name;        /* of the SVG, without .svg */
    enum cli_plot_kind kind;
    char *x, *title, *xlabel, *ylabel, *serieslabel; /* title is there always */
    char *data;                                      /* the table, from the experiment's folder */
    char **y, **series, **panel, **where;
    bool log_x, log_y;
    double mark; /* y of a line across the panels; NAN: none */

    /* What the table gives: the places in their order. */
    /* panel_text: one empty one where there are no panels */
    GPtrArray *x_text, *series_text, *panel_text;
    bool x_is_number;
    double *x_at;                 /* numbers, or 1, 2, 3 ... */
    struct cli_plot_value *value; /* see cli_plot_value */
};
/* Reads group [plot] or [plot NAME]; NULL: *error names file, line, group and key. Experiment and
 * group must outlive it. */
struct cli_plot_figure *cli_plot_figure_read(const struct cli_experiment *experiment,
                                             const char *group, GError **error);
/* Finds the figure's values in what the experiment gave. */
bool cli_plot_figure_fill(struct cli_plot_figure *figure, const struct cli_plot_table *table,
                          GError **error);
void cli_plot_figure_free(struct cli_plot_figure *figure);
/* As cli_experiment_refuse for a key of the figure's group; false, so that it can be returned. */
bool cli_plot_figure_refuse(const struct cli_plot_figure *figure, const char *key, GError **error,
                            const char *format, ...) G_GNUC_PRINTF(4, 5);

static inline struct cli_plot_value *cli_plot_value(const struct cli_plot_figure *f, guint panel,
                                                    guint series, guint x)
{
    return &f->value[(panel * f->series_text->len + series) * f->x_text->len + x];
}
static inline double cli_plot_mean(const struct cli_plot_value *value)
{
    return value->sum / value->count;
}

/* ---- axes (axis.c) --------------------------------------------------------------------------- */

struct cli_plot_tick {
    double at;
    char *text;
};
struct cli_plot_axis {
    bool log;
    double min, max;
    GPtrArray *tick; /* struct cli_plot_tick, rising */
};
/* An axis over min to max that begins and ends at round numbers; a linear one at 0 if that is asked
 * for, or near. */
struct cli_plot_axis *cli_plot_axis_round(double min, double max, bool log, bool from_zero);
/* The x axis of `pixels`: ticks where there are values, as they are written, if they have room. */
struct cli_plot_axis *cli_plot_axis_x(const struct cli_plot_figure *figure, double pixels);
/* one place each; at NULL: 1, 2, 3 ... */
struct cli_plot_axis *cli_plot_axis_words(GPtrArray *text, const double *at);
void cli_plot_axis_free(struct cli_plot_axis *axis);
/* 0 at min, 1 at max */
double cli_plot_axis_place(const struct cli_plot_axis *axis, double at);
/* for people, that many significant digits. Free with g_free */
char *cli_plot_number(double value, int digits);
/* "5us": "5 µs"; other text as it is. Free with g_free */
char *cli_plot_quantity(const char *text);
double cli_plot_width(const char *text); /* pixels, about, in the font of ticks */

/* ---- the script (script.c; what stands inside the panels: lines.c, heat.c) ------------------- */

/* pixels from the upper left of the page */
struct cli_plot_box {
    double left, top, width, height;
};
struct cli_plot_page {
    const struct cli_plot_figure *figure;
    GString *out;
    double width, height;
    double min, max;             /* of all values */
    struct cli_plot_axis *x, *y; /* common to all panels */
};
void cli_plot_quote(GString *out, const char *text); /* 'text' */
/* "screen 0.5,0.5". Free with g_free */
char *cli_plot_at(const struct cli_plot_page *page, double x, double y);
/* Text at a place, with its left (l), centre (c) or right (r) there; style: further words of
 * gnuplot's `set label`. */
void cli_plot_text(struct cli_plot_page *page, double x, double y, char side, const char *style,
                   const char *text);

/* The label as it was given, or what the columns are, with their units. Free with g_free */
char *cli_plot_label(const char *given, char *const *columns);
char *cli_plot_y_label(const struct cli_plot_figure *figure);

/* A kind of figure. */
struct cli_plot_drawer {
    const char *words; /* "line chart" */
    double aside;      /* pixels to the right, for a scale */
    /* y, of every panel */
    struct cli_plot_axis *(*axis)(const struct cli_plot_page *page);
    /* below; 0: none */
    double (*legend_height)(const struct cli_plot_figure *figure, double width);
    void (*legend)(struct cli_plot_page *page, struct cli_plot_box below,
                   struct cli_plot_box aside);
    /* ends with gnuplot's `plot` */
    void (*panel)(struct cli_plot_page *page, guint panel, struct cli_plot_box box);
};
extern const struct cli_plot_drawer cli_plot_lines, cli_plot_bars, cli_plot_heat;
/* Which file gnuplot makes. */
struct cli_plot_format {
    const char *name;     /* of --format, and the file's ending */
    const char *terminal; /* gnuplot's, before the size */
    const char *unit; /* of the page's width and height: pixels, or what gnuplot takes instead */
    const char *more; /* behind the size */
    double scale;     /* of a pixel in that unit */
};
/* "svg", "pdf", "png"; NULL: none of that name. */
const struct cli_plot_format *cli_plot_format(const char *name);
/* output NULL: standard output. Free with g_free */
char *cli_plot_script(const struct cli_plot_figure *figure, const struct cli_plot_format *format,
                      const char *output);
/* Which lines cannot be told apart, "within 1 % of each other: a, b (panel)"; NULL: all can. Free
 * with g_free */
char *cli_plot_same(const struct cli_plot_figure *figure);
/* a text description, for screen readers. Free with g_free */
char *cli_plot_description(const struct cli_plot_figure *figure);

#endif
