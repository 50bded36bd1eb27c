/* Lists, ranges and {NAME}s of the experiment file. */
#include "cli/experiment/experiment.h"

#include <string.h>

enum { VALUES_MAX = 100000 }; /* a range beyond is a slip */

/* ---- ranges: FROM..TO*FACTOR and FROM..TO+STEP ----------------------------------------------- */

struct range {
    double from, to, step;
    char operator;
    enum base_unit unit;
};

static bool is_range(const char *text)
{
    const char *number = *text == '-' ? text + 1 : text;
    return g_ascii_isdigit(*number) && strstr(number, ".."); /* "../halo.c" is none */
}

/* A sign behind an 'e' belongs to an exponent. */
static const char *last_operator(const char *text)
{
    for (const char *c = text + strlen(text); c-- > text;)
        if (*c == '*' || (*c == '+' && c > text && c[-1] != 'e')) return c;
    return NULL;
}

static bool parse_in(const char *from, const char *to, const char *step, struct range *r)
{
    return base_parse(from, r->unit, 0, &r->from, NULL) &&
           base_parse(to, r->unit, 0, &r->to, NULL) &&
           base_parse(step, r->operator== '*' ? BASE_NUMBER : r->unit, 0, &r->step, NULL);
}

static bool parse_range(const char *text, struct range *r, GError **error)
{
    static const enum base_unit units[] = {BASE_COUNT, BASE_NUMBER,      BASE_BYTES, BASE_SECONDS,
                                           BASE_HERTZ, BASE_BYTES_PER_S, BASE_CYCLES};
    const char *dots = strstr(text, ".."), *operator= last_operator(dots + 2);
    if (operator) {
        g_autofree char *from = g_strndup(text, (gsize)(dots - text)),
                        *to = g_strndup(dots + 2, (gsize)(operator- dots - 2));
        r->operator= * operator;
        for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
            r->unit = units[i];
            if (!parse_in(g_strstrip(from), g_strstrip(to), operator+ 1, r)) continue;
            if (r->from <= r->to && (r->operator== '*' ? r->step > 1 && r->from > 0 : r->step> 0))
                return true;
            g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                        "the range %s never reaches its end. Accepted are FROM at most TO, and a "
                        "FACTOR above 1 (FROM then above 0) or a STEP above 0",
                        text);
            return false;
        }
    }
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                "'%s' is not a range: accepted are FROM..TO*FACTOR and FROM..TO+STEP with units of "
                "one kind, "
                "such as 2..64*2, 1us..64us*2, 0KiB..64KiB+16KiB",
                text);
    return false;
}

/* Twelve digits, so that sums of 0.1 print as expected. */
static double rounded(double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    return g_ascii_strtod(g_ascii_formatd(text, sizeof text, "%.12g", value), NULL);
}

static bool add_range(const char *text, GPtrArray *values, GError **error)
{
    struct range r;
    if (!parse_range(text, &r, error)) return false;
    double value = r.from;
    for (int i = 1; value <= r.to * (1 + 1e-12); i++) {
        if (i > VALUES_MAX) {
            g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE, "the range %s has more than %d values",
                        text, VALUES_MAX);
            return false;
        }
        g_ptr_array_add(values, base_format(rounded(value), r.unit));
        value = r.operator== '*' ? value * r.step : r.from + i * r.step;
    }
    return true;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static bool add_value(const char *text, GPtrArray *values, GError **error)
{
    if (!is_range(text))
        g_ptr_array_add(values, g_strdup(text));
    else if (!add_range(text, values, error))
        return false;
    return true;
}

char **cli_list(const char *text, GError **error)
{
    g_auto(GStrv) words = g_strsplit(text, ";", -1);
    g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    if (!words[0]) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "the list is empty: accepted are values separated by ';', and ranges");
        return NULL;
    }
    for (char **word = words; *word; word++) {
        g_strstrip(*word);
        /* one ';' may end the list, as in every key file */
        if (!**word && !word[1] && word > words) break;
        if (!**word) {
            g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                        "a value is empty: accepted are values separated by ';', and ranges");
            return NULL;
        }
        if (!add_value(*word, values, error)) return NULL;
    }
    for (guint i = 0; i < values->len; i++)
        if (!g_hash_table_add(seen, values->pdata[i])) {
            g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE, "%s is given twice",
                        (char *)values->pdata[i]);
            return NULL;
        }
    g_ptr_array_add(values, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&values), FALSE);
}

/* ---- {NAME} ---------------------------------------------------------------------------------- */

size_t cli_name_length(const char *text)
{
    size_t i = 1;
    if (*text != '{') return 0;
    while (g_ascii_isalnum(text[i]) || (text[i] && strchr("._-", text[i]))) i++;
    return i > 1 && text[i] == '}' ? i + 1 : 0;
}

void cli_names_in(const char *text, GPtrArray *names)
{
    for (const char *c = text; *c; c++)
        if (cli_name_length(c)) g_ptr_array_add(names, g_strndup(c + 1, cli_name_length(c) - 2));
}
