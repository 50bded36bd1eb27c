/* sidewinder plot: the page, and gnuplot's script of it.
 *
 * All places are reckoned here, in pixels: gnuplot's own layout depends on fonts and changes
 * between versions. The page is as wide as a printed one (720 pixels on 170 mm), so that its
 * letters keep 8 points there. Panels stand in rows on one scale; only the outer ones have numbers.
 */
#include "cli/plot/parts.h"

#include <math.h>
#include <string.h>

enum {
    PAGE_WIDTH = 720,
    EDGE = 14,
    GAP = 14,     /* between panels of a row */
    ROW_GAP = 16, /* between rows of panels */
    LINE = 18,
    TITLE_LINE = 22,
    PANEL_TITLE = 22,
    TICK = 10,
    X_WORDS = 20,
    NOTE_LINE = 16
};

static const struct cli_plot_drawer *const drawer[CLI_PLOT_KINDS] = {
    [CLI_PLOT_LINES] = &cli_plot_lines,
    [CLI_PLOT_BARS] = &cli_plot_bars,
    [CLI_PLOT_HEAT] = &cli_plot_heat};

static char *x_label(const struct cli_plot_figure *f)
{
    return cli_plot_label(f->xlabel, (char *[]){f->x, NULL});
}

char *cli_plot_description(const struct cli_plot_figure *f)
{
    g_autofree char *x = x_label(f), *y = cli_plot_y_label(f);
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "%s: %s against %s.", drawer[f->kind]->words, y, x);
    for (guint i = 0; f->series && i < f->series_text->len; i++)
        g_string_append_printf(text, "%s%s",
                               i                          ? "; "
                               : f->kind == CLI_PLOT_HEAT ? " Rows: "
                                                          : " Series: ",
                               (char *)f->series_text->pdata[i]);
    if (f->series) g_string_append_c(text, '.');
    for (guint i = 0; f->panel && i < f->panel_text->len; i++)
        g_string_append_printf(text, "%s%s",
                               i ? "; " : " Panels: ", (char *)f->panel_text->pdata[i]);
    if (f->panel) g_string_append_c(text, '.');
    g_string_append(text, " The numbers are in data.csv.");
    return g_strdup(text->str);
}

/* ---- the page -------------------------------------------------------------------------------- */

#define NOTE_SIZE 0.84 /* letters of notes, to those of ticks */
#define SLANT     35   /* degrees, of words below bars that are too wide for one line */

struct layout {
    guint columns, rows;
    double left, right, top, bottom; /* outside the panels */
    double width, height;            /* of a panel */
    double gap;                      /* between those of a row */
    double x_words;                  /* height of the numbers below */
    bool slanted;
    double beside;  /* left of the y axis and its words, for slanted ones */
    double heading; /* a panel's */
    double legend, note;
    char **title, **ylabel, **notes; /* lines */
};

static double widest(const struct cli_plot_axis *axis)
{
    double width = 0;
    for (guint i = 0; i < axis->tick->len; i++)
        width = MAX(width, cli_plot_width(((struct cli_plot_tick *)axis->tick->pdata[i])->text));
    return width;
}

/* Breaks between words where a line would not fit; size: of the letters, 1 for those of ticks. */
static char **lines_of(const char *words, double size, double width)
{
    g_autofree char *text = g_strdup(words);
    char *begin = text, *blank = NULL;
    for (char *c = text; *c; c++) {
        if (*c != ' ') continue;
        *c = '\0';
        bool fits = cli_plot_width(begin) * size < width;
        *c = ' ';
        if (!fits && blank) *blank = '\n', begin = blank + 1;
        blank = c;
    }
    if (blank && blank >= begin && cli_plot_width(begin) * size >= width) *blank = '\n';
    return g_strsplit(text, "\n", -1);
}

/* Full rows where that is possible. */
static guint columns_for(guint panels)
{
    if (panels <= 3) return panels;
    return panels == 4 ? 2 : panels <= 6 || panels == 9 ? 3 : panels <= 8 ? 4 : 4;
}

/* Slanted words may begin outside their panel: left of the first one there must be as much. */
static void make_room(struct layout *l, const struct cli_plot_axis *x)
{
    double all = l->left + l->columns * l->width, left = l->left;
    for (guint i = 0; i < x->tick->len; i++) {
        double width = cli_plot_width(((struct cli_plot_tick *)x->tick->pdata[i])->text),
               part = (i + 0.5) / (l->columns * x->tick->len);
        left = MAX(left, (EDGE + width * cos(SLANT * G_PI / 180) - all * part) / (1 - part));
    }
    l->beside = MIN(left, PAGE_WIDTH / 2.0) - l->left;
    l->left += l->beside;
    l->width = (all - l->left) / l->columns;
}

/* The numbers below two panels of a row may not touch: those at their ends reach beyond them. */
static double gap_for(const struct cli_plot_axis *x, double width)
{
    double before = 0, behind = 0;
    for (guint i = 0; i < x->tick->len; i++) {
        const struct cli_plot_tick *tick = x->tick->pdata[i];
        double middle = cli_plot_axis_place(x, tick->at) * width,
               half = cli_plot_width(tick->text) / 2;
        before = MAX(before, half - middle), behind = MAX(behind, middle + half - width);
    }
    return MAX(GAP, before + behind + 14);
}

static void set_width(struct layout *l)
{
    l->width = (PAGE_WIDTH - l->left - l->right - l->gap * (l->columns - 1)) / l->columns;
}

static void plan(struct cli_plot_page *page, struct layout *l)
{
    const struct cli_plot_figure *f = page->figure;
    const struct cli_plot_drawer *d = drawer[f->kind];
    l->columns = columns_for(f->panel_text->len);
    l->rows = (f->panel_text->len + l->columns - 1) / l->columns;
    l->height = l->columns == 1 ? 300 : l->columns == 2 ? 240 : 190;
    if (f->kind == CLI_PLOT_HEAT) l->height = CLAMP(24.0 * f->series_text->len, 120, 420);
    l->heading = f->panel ? PANEL_TITLE : 8;
    double panels = l->rows * (l->height + l->heading) + (l->rows - 1) * ROW_GAP;
    g_autofree char *y =
        f->kind == CLI_PLOT_HEAT ? cli_plot_label(f->serieslabel, f->series) : cli_plot_y_label(f);
    l->ylabel = lines_of(y, 1.05, panels + EDGE);
    l->title = lines_of(f->title, 1.2, PAGE_WIDTH - 2 * EDGE);
    page->y = d->axis(page);
    l->left = EDGE + LINE * g_strv_length(l->ylabel) + widest(page->y) + TICK;
    l->right = EDGE + d->aside;
    l->gap = GAP;
    set_width(l);
    page->x = cli_plot_axis_x(f, l->width);
    if (f->x_is_number && l->columns > 1) {
        l->gap = gap_for(page->x, l->width);
        set_width(l);
        cli_plot_axis_free(page->x);
        page->x = cli_plot_axis_x(f, l->width);
    }
    double slot = l->width / (f->x_is_number ? 1 : page->x->tick->len), words = widest(page->x);
    l->slanted = !f->x_is_number && words > slot - 4;
    if (l->slanted) make_room(l, page->x);
    l->x_words = l->slanted ? 18 + words * 0.6 : X_WORDS;
    l->legend = d->legend_height(f, PAGE_WIDTH - 2 * EDGE);
    g_autofree char *note = cli_plot_same(f);
    l->notes = lines_of(note ? note : "", NOTE_SIZE, PAGE_WIDTH - 2 * EDGE);
    l->note = NOTE_LINE * g_strv_length(l->notes);
    l->top = EDGE + TITLE_LINE * g_strv_length(l->title);
    l->bottom = l->x_words + LINE + 6 + l->legend + l->note + EDGE;
    page->width = PAGE_WIDTH;
    page->height = l->top + l->bottom + panels;
}

static struct cli_plot_box box_of(const struct layout *l, guint panel)
{
    guint column = panel % l->columns, row = panel / l->columns;
    return (struct cli_plot_box){l->left + column * (l->width + l->gap),
                                 l->top + l->heading + row * (l->height + l->heading + ROW_GAP),
                                 l->width, l->height};
}

static void around(struct cli_plot_page *page, const struct layout *l)
{
    const struct cli_plot_figure *f = page->figure;
    g_autofree char *x = x_label(f);
    double below = page->height - l->bottom, middle = (l->left + PAGE_WIDTH - l->right) / 2;
    for (guint i = 0; l->title[i]; i++)
        cli_plot_text(page, PAGE_WIDTH / 2.0, EDGE + 4 + TITLE_LINE * i, 'c', "font ',14'",
                      l->title[i]);
    cli_plot_text(page, middle, below + l->x_words + LINE / 2.0 + 4, 'c', "", x);
    for (guint i = 0; l->ylabel[i]; i++)
        cli_plot_text(page, EDGE + 2 + l->beside + LINE * i, (l->top + l->heading + below) / 2, 'c',
                      "rotate by 90", l->ylabel[i]);
    for (guint i = 0; l->notes[i]; i++)
        cli_plot_text(page, PAGE_WIDTH / 2.0, page->height - EDGE - l->note + NOTE_LINE * (i + 0.6),
                      'c', "font ',10'", l->notes[i]);
    struct cli_plot_box bottom = {EDGE, page->height - EDGE - l->note - l->legend,
                                  PAGE_WIDTH - 2 * EDGE, l->legend};
    struct cli_plot_box aside = {PAGE_WIDTH - l->right, l->top + l->heading, l->right,
                                 below - l->top - l->heading};
    drawer[f->kind]->legend(page, bottom, aside);
}

static void ticks(GString *out, char which, const struct cli_plot_axis *axis, bool named,
                  const char *style)
{
    g_string_append_printf(out, "set %ctics %s (", which, style);
    for (guint i = 0; i < axis->tick->len; i++) {
        const struct cli_plot_tick *tick = axis->tick->pdata[i];
        if (i) g_string_append(out, ", ");
        cli_plot_quote(out, named ? tick->text : "");
        g_string_append_printf(out, " %.10g", tick->at);
    }
    g_string_append(out, ")\n");
}

/* The line across a panel at the y that mark= gives. */
static void mark(struct cli_plot_page *page)
{
    double at = page->figure->mark;
    if (isnan(at)) return;
    g_string_append_printf(page->out,
                           "set arrow from graph 0, first %.10g to graph 1, first %.10g nohead "
                           "back lw 1.2 lc rgb '#404040' dt (8,4)\n",
                           at, at);
}

static void frame(struct cli_plot_page *page, const struct layout *l, guint panel)
{
    GString *out = page->out;
    struct cli_plot_box box = box_of(l, panel);
    const char *name = page->figure->panel_text->pdata[panel];
    g_string_append_printf(out,
                           "\nset lmargin at screen %.5f\nset rmargin at screen %.5f\nset tmargin "
                           "at screen %.5f\nset bmargin at screen %.5f\n",
                           box.left / page->width, (box.left + box.width) / page->width,
                           1 - box.top / page->height, 1 - (box.top + box.height) / page->height);
    if (*name) cli_plot_text(page, box.left + box.width / 2, box.top - 13, 'c', "", name);
    ticks(out, 'x', page->x, panel + l->columns >= page->figure->panel_text->len,
          l->slanted ? "rotate by " G_STRINGIFY(SLANT) " right" : "norotate offset 0,0.4");
    ticks(out, 'y', page->y, panel % l->columns == 0, "offset 0.6,0");
    mark(page);
    drawer[page->figure->kind]->panel(page, panel, box);
    g_string_append(out, "unset label\nunset arrow\nunset object\n");
}

/* The page is 170 mm wide in print, and twice its pixels as an image. Letters are as large as in
 * SVG, to the page: gnuplot halves those of a PDF, and counts 96 points an inch in an image. */
static const struct cli_plot_format formats[] = {
    {"svg", "svg", "", "fixed noenhanced font 'sans-serif,12' background rgb 'white'", 1},
    {"pdf", "pdfcairo", "cm", "noenhanced font 'sans-serif,12' background rgb 'white'", 17.0 / 720},
    {"png", "pngcairo", "",
     "noenhanced font 'sans-serif,12' fontscale 1.5 linewidth 2 pointscale 2", 2},
};

const struct cli_plot_format *cli_plot_format(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
        if (strcmp(formats[i].name, name) == 0) return &formats[i];
    return NULL;
}

static void head(struct cli_plot_page *page, const struct cli_plot_format *format,
                 const char *output)
{
    g_string_append_printf(
        page->out, "reset\nset encoding utf8\nset terminal %s size %.*f%s,%.*f%s %s\n",
        format->terminal, *format->unit ? 2 : 0, page->width * format->scale, format->unit,
        *format->unit ? 2 : 0, page->height * format->scale, format->unit, format->more);
    if (!output) return;
    g_string_append(page->out, "set output ");
    cli_plot_quote(page->out, output);
    g_string_append_c(page->out, '\n');
}

/* The ends of a logarithmic axis are not quite its ticks: gnuplot would leave them out for a
 * rounding error. */
static void range(GString *out, char which, const struct cli_plot_axis *axis)
{
    double more = axis->log ? 1 + 1e-6 : 1;
    g_string_append_printf(out, "set %crange [%.10g:%.10g]\n", which, axis->min / more,
                           axis->max * more);
}

static void body(struct cli_plot_page *page, const struct layout *l)
{
    const struct cli_plot_figure *f = page->figure;
    g_string_append(page->out, "unset key\nset border 3 lc rgb '#404040' lw 0.8\nset tics nomirror "
                               "out scale 0.5 tc rgb 'black'\n"
                               "set grid ytics lt 1 lc rgb '#d9d9d9' lw 0.6\n");
    if (f->kind == CLI_PLOT_HEAT)
        g_string_append(page->out, "unset grid\nunset border\nset tics scale 0\n");
    if (f->log_x) g_string_append(page->out, "set logscale x\n");
    if (f->log_y && f->kind != CLI_PLOT_HEAT) g_string_append(page->out, "set logscale y\n");
    range(page->out, 'x', page->x), range(page->out, 'y', page->y);
    around(page, l);
    g_string_append(page->out, "set multiplot\n");
    for (guint panel = 0; panel < f->panel_text->len; panel++) frame(page, l, panel);
    g_string_append(page->out, "unset multiplot\n");
}

char *cli_plot_script(const struct cli_plot_figure *f, const struct cli_plot_format *format,
                      const char *output)
{
    struct cli_plot_page page = {
        .figure = f, .out = g_string_new(NULL), .min = INFINITY, .max = -INFINITY};
    struct layout layout = {0};
    for (guint i = 0; i < f->panel_text->len * f->series_text->len * f->x_text->len; i++)
        if (f->value[i].count)
            page.min = MIN(page.min, f->value[i].min), page.max = MAX(page.max, f->value[i].max);
    if (!isnan(f->mark)) page.min = MIN(page.min, f->mark), page.max = MAX(page.max, f->mark);
    plan(&page, &layout);
    head(&page, format, output);
    body(&page, &layout);
    cli_plot_axis_free(page.x), cli_plot_axis_free(page.y);
    g_strfreev(layout.title), g_strfreev(layout.ylabel), g_strfreev(layout.notes);
    return g_string_free(page.out, FALSE);
}
