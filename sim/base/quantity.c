/* Quantities with units, read and written. */
#include <math.h>
#include <string.h>

#include "base/base.h"

/* A unit's worth is times / per, both exact: 5us is then the number 5e-6 itself, not five times a
 * rounded one. */
struct suffix {
    const char *text;
    double times, per;
};

static const struct suffix bytes[] = {
    {"B", 1, 1},    {"KiB", 1024, 1}, {"MiB", 1048576, 1}, {"GiB", 1073741824, 1},
    {"kB", 1e3, 1}, {"MB", 1e6, 1},   {"GB", 1e9, 1},      {NULL, 0, 0}};
static const struct suffix seconds[] = {{"s", 1, 1},    {"ms", 1, 1e3},  {"us", 1, 1e6},
                                        {"ns", 1, 1e9}, {"ps", 1, 1e12}, {NULL, 0, 0}};
static const struct suffix hertz[] = {
    {"Hz", 1, 1}, {"kHz", 1e3, 1}, {"MHz", 1e6, 1}, {"GHz", 1e9, 1}, {NULL, 0, 0}};
static const struct suffix rates[] = {
    {"Bps", 1, 1},      {"kBps", 1e3, 1},      {"MBps", 1e6, 1},         {"GBps", 1e9, 1},
    {"KiBps", 1024, 1}, {"MiBps", 1048576, 1}, {"GiBps", 1073741824, 1}, {NULL, 0, 0}};
static const struct suffix cycles[] = {{"cycles", 1, 1}, {"cycle", 1, 1}, {NULL, 0, 0}};
static const struct suffix bare = {"", 1, 1};
static const struct suffix none[] = {{NULL, 0, 0}};

static const struct suffix *suffixes(enum base_unit unit)
{
    switch (unit) {
    case BASE_BYTES: return bytes;
    case BASE_SECONDS: return seconds;
    case BASE_HERTZ: return hertz;
    case BASE_BYTES_PER_S: return rates;
    case BASE_CYCLES: return cycles;
    case BASE_COUNT:
    case BASE_NUMBER:
    case BASE_WORD: return none;
    }
    g_assert_not_reached();
}

const char *base_unit_accepts(enum base_unit unit)
{
    switch (unit) {
    case BASE_COUNT: return "a whole number such as 4";
    case BASE_NUMBER: return "a number such as 0.5";
    case BASE_BYTES: return "a size such as 8KiB (B, KiB, MiB, GiB, kB, MB, GB)";
    case BASE_SECONDS: return "a time such as 5us (s, ms, us, ns, ps, or cycles)";
    case BASE_HERTZ: return "a frequency such as 150MHz (Hz, kHz, MHz, GHz)";
    case BASE_BYTES_PER_S:
        return "a rate such as 38MBps (Bps, kBps, MBps, GBps, KiBps, MiBps, GiBps)";
    case BASE_CYCLES: return "cycles such as 23cycles (or a time such as 5ns)";
    case BASE_WORD: return "a word";
    }
    g_assert_not_reached();
}

static const struct suffix *find(const struct suffix *list, const char *text)
{
    for (; list->text; list++)
        if (strcmp(list->text, text) == 0) return list;
    return NULL;
}

/* Zero needs no unit, whatever the quantity. */
static bool bare_allowed(enum base_unit unit, double number)
{
    return unit != BASE_WORD && (number == 0 || unit == BASE_COUNT || unit == BASE_NUMBER ||
                                 unit == BASE_BYTES || unit == BASE_CYCLES);
}

bool base_parse(const char *text, enum base_unit unit, double clock_hz, double *value,
                GError **error)
{
    char *end;
    double number = g_ascii_strtod(text, &end), convert = 1;
    const struct suffix *suffix =
        *end == '\0' && bare_allowed(unit, number) ? &bare : find(suffixes(unit), end);
    if (!suffix && clock_hz > 0 && unit == BASE_SECONDS) {
        suffix = find(cycles, end);
        convert = 1 / clock_hz;
    } else if (!suffix && clock_hz > 0 && unit == BASE_CYCLES) {
        suffix = find(seconds, end);
        convert = clock_hz;
    }
    if (end == text || !isfinite(number) || !suffix ||
        (unit == BASE_COUNT && number != floor(number))) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "\"%s\" is not %s", text,
                    base_unit_accepts(unit));
        return false;
    }
    number = number * suffix->times / suffix->per * convert;
    if (!isfinite(number)) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE, "\"%s\" is too large", text);
        return false;
    }
    *value = number;
    return true;
}

/* The shortest number of the suffix's units that reads back as `value`; true: there is one, without
 * an exponent unless `exponents`. */
static bool shortest(double value, const struct suffix *suffix, bool exponents, char *number,
                     int size)
{
    for (int digits = 1; digits <= 17; digits++) {
        char format[8];
        g_snprintf(format, sizeof format, "%%.%dg", digits);
        g_ascii_formatd(number, size, format, value * suffix->per / suffix->times);
        if ((exponents || !strchr(number, 'e')) &&
            g_ascii_strtod(number, NULL) * suffix->times / suffix->per == value)
            return true;
    }
    return false;
}

char *base_format(double value, enum base_unit unit)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    char *best = NULL;
    for (const struct suffix *suffix = suffixes(unit); suffix->text; suffix++) {
        if (suffix == &cycles[1] && value != 1) continue; /* "1cycle", "2cycles" */
        if (!shortest(value, suffix, false, number, sizeof number)) continue;
        g_autofree char *text = g_strconcat(number, suffix->text, NULL);
        if (best && strlen(best) <= strlen(text)) continue;
        g_free(best);
        best = g_steal_pointer(&text);
    }
    if (best) return best;
    const struct suffix *plain = suffixes(unit); /* the one worth 1 comes first */
    if (!shortest(value, &bare, false, number, sizeof number) &&
        !shortest(value, &bare, true, number, sizeof number))
        g_ascii_dtostr(number, sizeof number, value);
    return g_strconcat(number, plain->text ? plain->text : "", NULL);
}
