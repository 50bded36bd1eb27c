/* The measures of an experiment: what a column of data.csv is read from. */
#include "cli/value/value.h"

#include <math.h>
#include <string.h>

enum function { ONE, SUM, MEAN, MAX_OF, MIN_OF };
static const char *const function_name[] = {
    [ONE] = "", [SUM] = "sum", [MEAN] = "mean", [MAX_OF] = "max", [MIN_OF] = "min"};

struct cli_measure {
    GRegex *line; /* NULL: JSON */
    char *path;
    enum function function;
    bool scaled;
    double factor;
};

/* ---- reading the line of [measure] ----------------------------------------------------------- */

static bool read_line(struct cli_measure *m, const char *text, GError **error)
{
    g_autoptr(GError) why = NULL;
    m->line = g_regex_new(text, G_REGEX_MULTILINE | G_REGEX_OPTIMIZE, 0, &why);
    if (!m->line)
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "'%s' is not a regular expression: %s",
                    text, why->message);
    else if (g_regex_get_capture_count(m->line) < 1)
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "the regular expression '%s' has no group: the value is what (...) captures",
                    text);
    else
        return true;
    return false;
}

static bool path_is_one(const char *path, GError **error)
{
    g_autoptr(JsonNode) nothing = json_node_init_object(json_node_alloc(), NULL);
    g_autoptr(JsonObject) empty = json_object_new();
    json_node_set_object(nothing, empty);
    g_autoptr(GPtrArray) found = cli_value_find(nothing, path, error);
    return found != NULL;
}

static bool read_json(struct cli_measure *m, const char *text, GError **error)
{
    static const char form[] = "^(?:(sum|mean|max|min)\\s*\\(\\s*(.+?)\\s*\\)|([^()\\s]+?))\\s*(?:("
                               "[*/])\\s*([-+0-9.eE]+))?$";
    g_autoptr(GRegex) regex = g_regex_new(form, 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_autoptr(GError) why = NULL;
    if (!g_regex_match(regex, text, 0, &match)) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "'%s': accepted are PATH and sum(PATH), mean(PATH), max(PATH), min(PATH), "
                    "optionally followed by * NUMBER or / NUMBER, such as time_s * 1e6",
                    text);
        return false;
    }
    g_autofree char *function = g_match_info_fetch(match, 1),
                    *inside = g_match_info_fetch(match, 2), *alone = g_match_info_fetch(match, 3);
    g_autofree char *operator= g_match_info_fetch(match, 4), *number = g_match_info_fetch(match, 5);
    for (size_t i = 0; i < G_N_ELEMENTS(function_name); i++)
        if (strcmp(function, function_name[i]) == 0) m->function = (enum function)i;
    m->path = g_strdup(*function ? inside : alone);
    m->scaled = operator&& * operator;
    m->factor = 1;
    if (m->scaled && (!base_parse(number, BASE_NUMBER, 0, &m->factor, NULL) || m->factor == 0)) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "'%s' is not a factor; accepted are numbers other than 0", number);
        return false;
    }
    if (m->scaled && *operator== '/') m->factor = 1 / m->factor;
    if (path_is_one(m->path, &why)) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "'%s' is not a path into a run's JSON: %s",
                m->path, why->message);
    return false;
}

struct cli_measure *cli_measure_new(const char *text, GError **error)
{
    struct cli_measure *m = g_new0(struct cli_measure, 1);
    bool fine = false;
    if (g_str_has_prefix(text, "line:"))
        fine = read_line(m, text + strlen("line:"), error);
    else if (g_str_has_prefix(text, "json:")) {
        g_autofree char *rest = g_strstrip(g_strdup(text + strlen("json:")));
        fine = read_json(m, rest, error);
    } else {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "'%s': accepted are json:PATH (from the run's JSON) and line:REGEX (from the "
                    "program's output)",
                    text);
    }
    if (fine) return m;
    cli_measure_free(m);
    return NULL;
}

void cli_measure_free(struct cli_measure *m)
{
    if (!m) return;
    if (m->line) g_regex_unref(m->line);
    g_free(m->path);
    g_free(m);
}

bool cli_measure_reads_json(const struct cli_measure *m) { return !m->line; }

/* ---- taking the value ------------------------------------------------------------------------ */

/* Ten digits: more would be noise to people, and are more than the model knows. */
static char *number_text(double number)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    return g_strdup(g_ascii_formatd(text, sizeof text, "%.10g", number));
}

static double together(enum function function, const GArray *number)
{
    double result = function == MAX_OF ? -INFINITY : function == MIN_OF ? INFINITY : 0;
    for (guint i = 0; i < number->len; i++) {
        double value = g_array_index(number, double, i);
        result = function == MAX_OF   ? fmax(result, value)
                 : function == MIN_OF ? fmin(result, value)
                                      : result + value;
    }
    return function == MEAN ? result / number->len : result;
}

static char *one_value(const struct cli_measure *m, GPtrArray *found, GError **error)
{
    double number = 0;
    if (found->len > 1) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                    "%s names %u values; put sum(), mean(), max() or min() around it", m->path,
                    found->len);
        return NULL;
    }
    JsonNode *node = found->pdata[0];
    bool whole = JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_INT64;
    bool real = cli_value_number(node, &number);
    if ((real && !whole) || (real && m->scaled)) return number_text(number * m->factor);
    if (JSON_NODE_HOLDS_VALUE(node) && !m->scaled) return cli_value_text(node);
    g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE, "%s is not a %s", m->path,
                m->scaled ? "number" : "single value");
    return NULL;
}

static char *take_json(const struct cli_measure *m, JsonNode *root, GError **error)
{
    g_autoptr(GPtrArray) found = cli_value_find(root, m->path, error);
    if (!found) return NULL;
    if (found->len == 0 && !(m->function == SUM && cli_value_none_chosen(root, m->path))) {
        g_autofree char *meant = cli_value_meant(root, m->path);
        g_set_error(error, BASE_ERROR, BASE_ERROR_UNKNOWN, "%s is not in the run's JSON%s", m->path,
                    meant);
        return NULL;
    }
    if (m->function == ONE) return one_value(m, found, error);
    g_autoptr(GArray) number = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < found->len; i++) {
        double value;
        if (!cli_value_number(found->pdata[i], &value)) {
            g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                        "%s includes a value that is not a number", m->path);
            return NULL;
        }
        g_array_append_val(number, value);
    }
    return number_text(together(m->function, number) * m->factor);
}

char *cli_measure_take(const struct cli_measure *m, JsonNode *root, const char *printed,
                       GError **error)
{
    if (!m->line) return take_json(m, root, error);
    g_autoptr(GMatchInfo) match = NULL;
    if (g_regex_match(m->line, printed, 0, &match)) return g_match_info_fetch(match, 1);
    g_set_error(error, BASE_ERROR, BASE_ERROR_UNKNOWN, "no line matches %s",
                g_regex_get_pattern(m->line));
    return NULL;
}
