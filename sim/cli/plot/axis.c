/* sidewinder plot: axes that begin and end at round numbers, and numbers for people. */
#include "cli/plot/parts.h"

#include <math.h>
#include <string.h>

enum { TICKS = 5, TICKS_MAX = 40 };
static const double part[] = {1, 2, 5, 10};

/* ---- numbers --------------------------------------------------------------------------------- */

/* Sans serif letters are about this wide, in the size of ticks; SVG is drawn where the font is not
 * known. */
double cli_plot_width(const char *text) { return 6.3 * (double)g_utf8_strlen(text, -1); }

static void append_power(GString *text, int power)
{
    static const char *const digit[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    g_autofree char *plain = g_strdup_printf("%d", ABS(power));
    g_string_append(text, power < 0 ? "10⁻" : "10");
    for (const char *c = plain; *c; c++) g_string_append(text, digit[*c - '0']);
}

static void append_thousands(GString *text, const char *plain)
{
    size_t whole = strcspn(plain, ".");
    for (size_t i = 0; plain[i]; i++) {
        if (i > 0 && i < whole && (whole - i) % 3 == 0 && plain[i - 1] != '-')
            g_string_append_c(text, ',');
        g_string_append_c(text, plain[i]);
    }
}

char *cli_plot_number(double value, int digits)
{
    GString *text = g_string_new(NULL);
    char plain[64], format[8];
    int power = value == 0 ? 0 : (int)floor(log10(fabs(value)) + 1e-12);
    if (power < -4 || power > 6) {
        g_snprintf(format, sizeof format, "%%.%dg", digits);
        g_ascii_formatd(plain, sizeof plain, format, value / pow(10, power));
        if (strcmp(plain, "1") != 0) g_string_append_printf(text, "%s·", plain);
        append_power(text, power);
    } else {
        g_snprintf(format, sizeof format, "%%.%df", MAX(digits - 1 - power, 0));
        g_ascii_formatd(plain, sizeof plain, format, value);
        if (strchr(plain, '.')) {
            size_t end = strlen(plain);
            while (plain[end - 1] == '0') plain[--end] = '\0';
            if (plain[end - 1] == '.') plain[end - 1] = '\0';
        }
        append_thousands(text, plain);
    }
    return g_string_free(text, FALSE);
}

/* ---- axes ------------------------------------------------------------------------------------ */

static void free_tick(gpointer data)
{
    g_free(((struct cli_plot_tick *)data)->text);
    g_free(data);
}

static struct cli_plot_axis *new_axis(double min, double max, bool log)
{
    struct cli_plot_axis *axis = g_new(struct cli_plot_axis, 1);
    *axis = (struct cli_plot_axis){log, min, max, g_ptr_array_new_with_free_func(free_tick)};
    return axis;
}

void cli_plot_axis_free(struct cli_plot_axis *axis)
{
    g_ptr_array_unref(axis->tick);
    g_free(axis);
}

static void add_tick(struct cli_plot_axis *axis, double at, char *text)
{
    struct cli_plot_tick *tick = g_new(struct cli_plot_tick, 1);
    *tick = (struct cli_plot_tick){at, text};
    g_ptr_array_add(axis->tick, tick);
}

double cli_plot_axis_place(const struct cli_plot_axis *axis, double at)
{
    if (axis->log) return log(at / axis->min) / log(axis->max / axis->min);
    return (at - axis->min) / (axis->max - axis->min);
}

static struct cli_plot_axis *round_linear(double min, double max, bool from_zero)
{
    from_zero = from_zero || max == min || (max - min) > 0.3 * MAX(fabs(min), fabs(max));
    if (min > 0 && from_zero) min = 0;
    if (max < 0 && from_zero) max = 0;
    if (max == min) max = min + 1;
    double power = pow(10, floor(log10((max - min) / TICKS))), step = power;
    for (size_t i = 0; i < G_N_ELEMENTS(part) && (max - min) / step > TICKS + 1e-9; i++)
        step = part[i] * power;
    double first = floor(min / step + 1e-9), last = ceil(max / step - 1e-9);
    struct cli_plot_axis *axis = new_axis(first * step, last * step, false);
    for (double k = first; k <= last; k++) add_tick(axis, k * step, cli_plot_number(k * step, 6));
    return axis;
}

/* 1, 2, 5, 10, 20 ...: the k-th such number from 1 on, also for k < 0. */
static double round_log(int k)
{
    int decade = k >= 0 ? k / 3 : -((2 - k) / 3);
    return part[k - 3 * decade] * pow(10, decade);
}

static struct cli_plot_axis *round_logarithmic(double min, double max)
{
    int first = 3 * (int)floor(log10(min)) - 1, last;
    while (round_log(first + 1) <= min * (1 + 1e-9)) first++;
    for (last = first + 1; round_log(last) < max * (1 - 1e-9);) last++;
    struct cli_plot_axis *axis = new_axis(round_log(first), round_log(last), true);
    /* Beyond two decades only powers of ten have a number, beyond seven not all of them. */
    int every = last - first <= 7 ? 1 : 3 * (1 + (last - first) / 21);
    for (int k = first; k <= last; k++)
        if (k % every == 0) add_tick(axis, round_log(k), cli_plot_number(round_log(k), 3));
    return axis;
}

struct cli_plot_axis *cli_plot_axis_round(double min, double max, bool log, bool from_zero)
{
    return log ? round_logarithmic(min, max) : round_linear(min, max, from_zero);
}

/* ---- the x axis ------------------------------------------------------------------------------ */

/* Takes away the names of ticks that would run into one another; false if there were any. */
static bool thin_out(struct cli_plot_axis *axis, double pixels)
{
    double end = -1e9;
    bool fine = true;
    for (guint i = 0; i < axis->tick->len; i++) {
        struct cli_plot_tick *tick = axis->tick->pdata[i];
        double middle = cli_plot_axis_place(axis, tick->at) * pixels,
               half = cli_plot_width(tick->text) / 2;
        if (middle - half < end + 4)
            *tick->text = '\0', fine = false;
        else
            end = middle + half;
    }
    return fine;
}

static bool bare(const char *text)
{
    char *end;
    g_ascii_strtod(text, &end);
    return *text && *end == '\0';
}

static void ticks_at_values(struct cli_plot_axis *axis, const struct cli_plot_figure *f)
{
    for (guint i = 0; i < f->x_text->len; i++) {
        const char *text = f->x_text->pdata[i];
        add_tick(axis, f->x_at[i],
                 bare(text) ? cli_plot_number(g_ascii_strtod(text, NULL), 6)
                            : cli_plot_quantity(text));
    }
}

struct cli_plot_axis *cli_plot_axis_words(GPtrArray *text, const double *at)
{
    struct cli_plot_axis *axis = new_axis(0.5, text->len + 0.5, false);
    for (guint i = 0; i < text->len; i++) {
        const char *word = text->pdata[i];
        add_tick(axis, at ? at[i] : i + 1, g_strdup(*word ? word : "(none)"));
    }
    return axis;
}

static struct cli_plot_axis *around_values(const struct cli_plot_figure *f)
{
    double min = f->x_at[0], max = f->x_at[f->x_text->len - 1];
    if (f->log_x) {
        double pad = max > min ? pow(max / min, 0.04) : 2;
        return new_axis(min / pad, max * pad, true);
    }
    double pad = max > min ? 0.04 * (max - min) : MAX(fabs(max) / 2, 1);
    return new_axis(min - pad, max + pad, false);
}

struct cli_plot_axis *cli_plot_axis_x(const struct cli_plot_figure *f, double pixels)
{
    if (!f->x_is_number) return cli_plot_axis_words(f->x_text, f->x_at);
    struct cli_plot_axis *axis = around_values(f);
    guint n = f->x_text->len;
    ticks_at_values(axis, f);
    if (n <= TICKS_MAX && (thin_out(axis, pixels) || f->log_x)) return axis;
    if (!bare(f->x_text->pdata[n - 1])) return axis; /* their units are in their names */
    struct cli_plot_axis *round = cli_plot_axis_round(f->x_at[0], f->x_at[n - 1], f->log_x, false);
    round->min = MIN(axis->min, round->min), round->max = MAX(axis->max, round->max);
    thin_out(round, pixels);
    cli_plot_axis_free(axis);
    return round;
}
