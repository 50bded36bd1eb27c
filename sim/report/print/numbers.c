/* Numbers as a person writes them: SI scaled times, grouped counts, sizes, shares. */
#include "report/print/print.h"

#include <math.h>

enum { TEXT = 64 };

/* Four significant digits without trailing zeros; g_ascii_formatd never follows the locale. */
static void digits(char *out, double value) { g_ascii_formatd(out, TEXT, "%.4g", value); }

static double rounded(double value)
{
    char text[TEXT];
    digits(text, value);
    return g_ascii_strtod(text, NULL);
}

char *report_time(double time_s)
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1e-12, "ps"}, {1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}, {1.0, "s"}};
    size_t i = 0, last = G_N_ELEMENTS(units) - 1;
    if (time_s == 0) return g_strdup("0 s");
    if (fabs(time_s) < 5e-16) return g_strdup("0 s");   /* rounding noise of sums, not a time */
    if (fabs(time_s) < 1e-12) return g_strdup("<1 ps"); /* less than models can know */
    while (i < last && fabs(rounded(time_s / units[i].scale)) >= 1000) i++;
    char text[TEXT];
    double value = time_s / units[i].scale;
    if (fabs(value) >= 1e4)
        g_ascii_formatd(text, TEXT, "%.0f", value);
    else
        digits(text, value);
    return g_strdup_printf("%s %s", text, units[i].unit);
}

char *report_count(uint64_t n)
{
    g_autofree char *plain = g_strdup_printf("%" G_GUINT64_FORMAT, (guint64)n);
    GString *text = g_string_new(NULL);
    size_t length = strlen(plain);
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) g_string_append_c(text, ',');
        g_string_append_c(text, plain[i]);
    }
    return g_string_free(text, FALSE);
}

char *report_bytes(uint64_t bytes)
{
    static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t i = 0;
    double value = (double)bytes;
    while (i + 1 < G_N_ELEMENTS(unit) && rounded(value) >= 1024) value /= 1024, i++;
    char text[TEXT];
    digits(text, value);
    return g_strdup_printf("%s %s", text, unit[i]);
}

char *report_percent(double part, double whole)
{
    if (!(whole > 0) || !(part > 0)) return g_strdup("0 %");
    double share = 100 * part / whole;
    if (share < 0.1) return g_strdup("<0.1 %");
    if (share < 100 && share > 99.9) return g_strdup(">99.9 %");
    char text[TEXT];
    g_ascii_formatd(text, TEXT, share < 9.95 ? "%.1f" : "%.0f", share);
    return g_strdup_printf("%s %%", text);
}

char *report_times(uint64_t n)
{
    if (n == 1) return g_strdup("once");
    if (n == 2) return g_strdup("twice");
    g_autofree char *count = report_count(n);
    return g_strdup_printf("%s times", count);
}
