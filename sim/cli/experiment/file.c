/* The experiment file as text: a key file with the line of every group and key, for errors that
 * name their place; which groups and keys there are. */
#include "cli/experiment/parts.h"

#include <string.h>

/* "points 2", "plot NAME" too */
static const char *const groups[] = {"experiment", "vary", "points", "measure", "plot"};
static const char *const keys[] = {"title",    "source", "program",     "cflags", "arguments",
                                   "machines", "ranks",  "repetitions", "run"};

/* ---- errors with their place ----------------------------------------------------------------- */

static int line_of(const struct cli_experiment *e, const char *group, const char *key)
{
    g_autofree char *id = g_strdup_printf("%s\n%s", group, key ? key : "");
    return GPOINTER_TO_INT(g_hash_table_lookup(e->line, id));
}

void cli_experiment_refuse(const struct cli_experiment *e, const char *group, const char *key,
                           GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    int line = line_of(e, group, key);
    g_autofree char *place = line ? g_strdup_printf("%s:%d", e->path, line) : g_strdup(e->path);
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s: [%s]%s%s: %s", place, group,
                key ? " " : "", key ? key : "", message);
}

/* ---- the file -------------------------------------------------------------------------------- */

char *cli_experiment_get(const struct cli_experiment *e, const char *group, const char *key)
{
    char *value = g_key_file_get_value(e->file, group, key, NULL);
    return value ? g_strstrip(value) : NULL;
}

/* GKeyFile merges groups and keys of one name, and the last wins; here that would drop a column
 * silently. */
static bool find_lines(struct cli_experiment *e, const char *text, GError **error)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autofree char *group = g_strdup("");
    for (int i = 0; lines[i]; i++) {
        char *line = g_strstrip(lines[i]), *equals = strchr(line, '='), *key = NULL;
        if (*line == '[' && strchr(line, ']')) {
            g_free(group);
            group = g_strndup(line + 1, strcspn(line + 1, "]"));
        } else if (*line && *line != '#' && equals) {
            key = g_strchomp(g_strndup(line, (gsize)(equals - line)));
        } else {
            continue;
        }
        int before = line_of(e, group, key);
        if (before)
            cli_experiment_refuse(e, group, key, error, "is given again in line %d", i + 1);
        else
            g_hash_table_insert(e->line, g_strdup_printf("%s\n%s", group, key ? key : ""),
                                GINT_TO_POINTER(i + 1));
        g_free(key);
        if (before) return false;
    }
    return true;
}

bool cli_experiment_read_file(struct cli_experiment *e, GError **error)
{
    g_autofree char *text = NULL;
    gsize length;
    GError *why = NULL;
    if (!base_read(e->path, &text, &length, error)) return false;
    if (strlen(text) != length || !g_utf8_validate(text, -1, NULL)) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "%s: not an experiment file: it is not text in UTF-8", e->path);
        return false;
    }
    /* what some editors put before UTF-8 */
    const char *begin = g_str_has_prefix(text, "\xef\xbb\xbf") ? text + 3 : text;
    if (!find_lines(e, begin, error)) return false;
    if (g_key_file_load_from_data(e->file, begin, strlen(begin), G_KEY_FILE_NONE, &why))
        return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s: not an experiment file: %s", e->path,
                why->message);
    g_error_free(why);
    return false;
}

static bool group_known(const char *group)
{
    if (g_str_has_prefix(group, "points ") || g_str_has_prefix(group, "plot ")) return true;
    return g_strv_contains(
        (const char *const[]){"experiment", "vary", "points", "measure", "plot", NULL}, group);
}

static bool check_value(const struct cli_experiment *e, const char *group, const char *key,
                        GError **error)
{
    g_autofree char *value = cli_experiment_get(e, group, key);
    const char *hash = strstr(value, " #");
    if (hash && (hash[2] == ' ' || !hash[2]) && !g_str_has_prefix(value, "line:") &&
        !g_str_has_prefix(group, "plot")) {
        cli_experiment_refuse(e, group, key, error, "a comment must be on a line of its own");
        return false;
    }
    if (strcmp(group, "experiment") != 0) return true;
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
        if (strcmp(key, keys[i]) == 0) return true;
    const char *near = base_nearest(key, keys, G_N_ELEMENTS(keys));
    g_autofree char *list =
        g_strjoinv(", ", (char *[]){"title", "source", "program", "cflags", "arguments", "machines",
                                    "ranks", "repetitions", "run", NULL});
    cli_experiment_refuse(e, group, key, error, "unknown key%s%s; accepted are %s",
                          near ? "; did you mean " : "", near ? near : "", list);
    return false;
}

bool cli_experiment_check_groups(const struct cli_experiment *e, GError **error)
{
    g_auto(GStrv) found = g_key_file_get_groups(e->file, NULL);
    for (char **group = found; *group; group++) {
        if (!group_known(*group)) {
            const char *near = base_nearest(*group, groups, G_N_ELEMENTS(groups));
            cli_experiment_refuse(e, *group, NULL, error,
                                  "unknown group%s%s%s; accepted are [experiment], "
                                  "[vary], [points], [points 2]..., "
                                  "[measure], [plot], [plot NAME]",
                                  near ? "; did you mean [" : "", near ? near : "",
                                  near ? "]" : "");
            return false;
        }
        g_auto(GStrv) names = g_key_file_get_keys(e->file, *group, NULL, NULL);
        for (char **key = names; *key; key++)
            if (!check_value(e, *group, *key, error)) return false;
    }
    return true;
}
