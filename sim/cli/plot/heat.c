/* sidewinder plot: heat maps.
 *
 * Colours: cividis, made so that people with and without colour vision see the same, ever lighter
 * scale, which grey print keeps (Nuñez, Anderton and Renslow, PLoS ONE 13(7), 2018). A cell is a
 * rectangle, not a pixel of an image: it stays sharp at any size. */
#include "cli/plot/parts.h"

#include <math.h>

enum { BAR = 14, BAR_STEPS = 64, ASIDE = 84, LABELS = 5, DIGITS = 3 };

static const guint cividis[] = {0x00204d, 0x00336f, 0x39486b, 0x575c6d, 0x707173,
                                0x8a8779, 0xa69d75, 0xc4b56c, 0xe4cf5b, 0xffea46};

static guint colour(double place)
{
    double at = CLAMP(place, 0, 1) * (G_N_ELEMENTS(cividis) - 1);
    guint low = MIN((guint)at, G_N_ELEMENTS(cividis) - 2), mixed = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        double from = cividis[low] >> shift & 0xff, to = cividis[low + 1] >> shift & 0xff;
        mixed |= (guint)lround(from + (to - from) * (at - low)) << shift;
    }
    return mixed;
}

static struct cli_plot_axis scale_of(const struct cli_plot_page *page)
{
    bool one = page->min == page->max;
    return (struct cli_plot_axis){.log = page->figure->log_y,
                                  .min = page->min,
                                  .max = one ? page->min + MAX(fabs(page->min), 1) : page->max};
}

static double at_place(const struct cli_plot_axis *scale, double place)
{
    return scale->log ? scale->min * pow(scale->max / scale->min, place)
                      : scale->min + place * (scale->max - scale->min);
}

/* Numbers rise, as on any axis; words are read from above. */
static struct cli_plot_axis *rows_axis(const struct cli_plot_page *page)
{
    struct cli_plot_axis *axis = cli_plot_axis_words(page->figure->series_text, NULL);
    for (guint i = 0; i < axis->tick->len; i++)
        if (!g_ascii_isdigit(*((struct cli_plot_tick *)axis->tick->pdata[i])->text)) {
            double min = axis->min;
            axis->min = axis->max, axis->max = min;
            break;
        }
    return axis;
}

static double no_legend(const struct cli_plot_figure *f, double width)
{
    (void)f, (void)width;
    return 0;
}

static void rectangle(struct cli_plot_page *page, struct cli_plot_box box, guint rgb)
{
    g_autofree char *from = cli_plot_at(page, box.left, box.top + box.height),
                    *to = cli_plot_at(page, box.left + box.width, box.top);
    g_string_append_printf(
        page->out, "set object rectangle from %s to %s fc rgb '#%06x' fs solid 1 noborder\n", from,
        to, rgb);
}

static void colour_bar(struct cli_plot_page *page, struct cli_plot_box below,
                       struct cli_plot_box aside)
{
    (void)below;
    struct cli_plot_axis scale = scale_of(page);
    struct cli_plot_box bar = {aside.left + 14, aside.top, BAR, MIN(aside.height, 300)};
    double step = bar.height / BAR_STEPS;
    for (int i = 0; i < BAR_STEPS; i++) /* a little over each other, or a seam would show */
        rectangle(page,
                  (struct cli_plot_box){bar.left, bar.top + bar.height - (i + 1) * step, bar.width,
                                        step + (i ? 0.5 : 0)},
                  colour((i + 0.5) / BAR_STEPS));
    for (int i = 0; i < LABELS; i++) {
        g_autofree char *text = cli_plot_number(at_place(&scale, i / (LABELS - 1.0)), DIGITS);
        cli_plot_text(page, bar.left + BAR + 5, bar.top + bar.height * (1 - i / (LABELS - 1.0)),
                      'l', "font ',11'", text);
    }
    g_autofree char *label = cli_plot_y_label(page->figure);
    cli_plot_text(page, page->width - 12, aside.top + aside.height / 2, 'c', "rotate by 90", label);
}

static bool numbers_fit(const struct cli_plot_page *page, struct cli_plot_box box)
{
    const struct cli_plot_figure *f = page->figure;
    double widest = 0;
    for (guint i = 0; i < f->panel_text->len * f->series_text->len * f->x_text->len; i++) {
        if (!f->value[i].count) continue;
        g_autofree char *text = cli_plot_number(cli_plot_mean(&f->value[i]), DIGITS);
        widest = MAX(widest, cli_plot_width(text) * 0.9);
    }
    return widest + 4 <= box.width / f->x_text->len && box.height / f->series_text->len >= 14;
}

/* The colours as a further column, the numbers as text beside: gnuplot draws what it is given. */
static void panel(struct cli_plot_page *page, guint which, struct cli_plot_box box)
{
    const struct cli_plot_figure *f = page->figure;
    struct cli_plot_axis scale = scale_of(page);
    bool numbers = numbers_fit(page, box), any = false;
    g_string_append_printf(page->out, "$panel%u << END\n", which + 1);
    for (guint row = 0; row < f->series_text->len; row++)
        for (guint x = 0; x < f->x_text->len; x++) {
            const struct cli_plot_value *v = cli_plot_value(f, which, row, x);
            if (!v->count) continue;
            double place = cli_plot_axis_place(&scale, cli_plot_mean(v));
            g_autofree char *text = cli_plot_number(cli_plot_mean(v), DIGITS);
            g_string_append_printf(page->out, "%u %u 0x%06x %s %s\n", x + 1, row + 1, colour(place),
                                   text, place < 0.55 ? "0xffffff" : "0x000000");
            any = true;
        }
    g_string_append(page->out, "END\n");
    if (!any) {
        g_string_append(page->out, "plot NaN notitle\n");
        return;
    }
    g_string_append_printf(page->out,
                           "plot $panel%u using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with "
                           "boxxyerror fs solid 1 border lc rgb 'white' "
                           "fc rgb variable notitle",
                           which + 1);
    if (numbers)
        g_string_append_printf(
            page->out,
            ", \\\n     $panel%u using 1:2:4:5 with labels font ',11' tc rgb variable notitle",
            which + 1);
    g_string_append_c(page->out, '\n');
}

const struct cli_plot_drawer cli_plot_heat = {"Heat map", ASIDE,      rows_axis,
                                              no_legend,  colour_bar, panel};
