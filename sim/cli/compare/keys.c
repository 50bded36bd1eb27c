/* Values by key: what `compare --key` prints of each run, and the rows that `whatif --key` adds. A
 * key is a path, or what a measure of an experiment computes of one: "sum(rank[*].stale_loads)". */
#include "cli/compare/parts.h"
#include "cli/value/value.h"
#include "report/print/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The values that the key names in a run: texts. NULL: *error, with the key. */
static GPtrArray *values_of(const char *key, const char *path, GError **error)
{
    g_autoptr(JsonParser) parser = cli_compare_parse(path, error);
    if (!parser) return NULL;
    JsonNode *root = json_parser_get_root(parser);
    GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
    if (strpbrk(key, "( ")) { /* no path has these */
        g_autofree char *source = g_strconcat("json:", key, NULL);
        struct cli_measure *measure = cli_measure_new(source, error);
        char *value = measure ? cli_measure_take(measure, root, "", error) : NULL;
        cli_measure_free(measure);
        if (value) g_ptr_array_add(texts, value);
    } else {
        g_autoptr(GPtrArray) found = cli_value_find(root, key, error);
        if (found && !found->len && !cli_value_none_chosen(root, key)) {
            g_autofree char *meant = cli_value_meant(root, key);
            g_set_error(error, BASE_ERROR, BASE_ERROR_UNKNOWN, "not found in %s%s", path, meant);
        }
        for (guint i = 0; found && i < found->len; i++)
            g_ptr_array_add(texts, cli_value_text(found->pdata[i]));
    }
    if (!*error) return texts;
    g_prefix_error(error, "--key %s: ", key);
    g_ptr_array_unref(texts);
    return NULL;
}

/* Fractions have no more digits than people compare, as in the tables of sweep. */
static void print_value(const char *text)
{
    char *end, digits[G_ASCII_DTOSTR_BUF_SIZE];
    double number = g_ascii_strtod(text, &end);
    bool fraction = end != text && !*end && strpbrk(text, ".eE");
    puts(fraction ? g_ascii_formatd(digits, sizeof digits, "%.10g", number) : text);
}

bool cli_compare_print_keys(char **keys, char **path, int paths, GError **error)
{
    for (int i = 0; i < paths; i++)
        for (char **key = keys; *key; key++) {
            g_autoptr(GPtrArray) texts = values_of(*key, path[i], error);
            if (!texts) return false;
            for (guint k = 0; k < texts->len; k++) print_value(texts->pdata[k]);
        }
    return true;
}

/* Times with their unit, whole numbers with commas, the rest as it stands. */
static char *readable(const char *key, const char *text)
{
    char *end;
    double number = g_ascii_strtod(text, &end);
    if (end == text || *end) return g_strdup(text);
    g_autofree char *path = g_strndup(key, strcspn(key, ")"));
    if (!strchr(key, ' ') && g_str_has_suffix(path, "_s")) return report_time(number);
    if (number >= 0 && number < 1e15 && floor(number) == number)
        return report_count((uint64_t)number);
    return g_strdup(text);
}

bool cli_compare_key_rows(char **keys, char **path, int paths, GError **error)
{
    for (; keys && *keys; keys++) {
        printf("%s:", *keys);
        for (int i = 0; i < paths; i++) {
            g_autoptr(GPtrArray) texts = values_of(*keys, path[i], error);
            if (!texts) return false;
            printf("%s", i > 0 ? ";" : "");
            for (guint k = 0; k < texts->len; k++) {
                g_autofree char *text = readable(*keys, texts->pdata[k]);
                printf(" %s", text);
            }
            if (texts->len == 0) printf(" none");
        }
        putchar('\n');
    }
    return true;
}
