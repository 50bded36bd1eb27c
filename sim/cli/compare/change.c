/* The changes that `whatif` is asked for, and both runs in one file. */
#include "cli/compare/parts.h"

#include "report/print/print.h"

#include <string.h>

/* "50%" or "x2": the factor; 0: it is no such word. */
static double factor_of(const char *value)
{
    bool times = *value == 'x';
    char *end;
    double factor = g_ascii_strtod(value + times, &end);
    if (end == value + times || !(factor > 0) || strcmp(end, times ? "" : "%") != 0) return 0;
    return times ? factor : factor / 100;
}

static const char *text_of(const struct mach *m, const char *key)
{
    for (size_t i = 0; i < mach_keys(); i++)
        if (strcmp(mach_key(i)->name, key) == 0) return m->value[i].text;
    return NULL;
}

/* "KEY=VALUE" as the machine takes it; NULL: *error. */
static char *absolute(const char *set, const struct mach *m, GError **error)
{
    const char *equals = strchr(set, '=');
    double factor = equals ? factor_of(equals + 1) : 0;
    g_autofree char *key = equals ? g_strndup(set, (gsize)(equals - set)) : NULL;
    const char *text = factor > 0 ? text_of(m, key) : NULL;
    if (!text) return g_strdup(set); /* a key that there is not is refused with the machine */
    char *unit, number[G_ASCII_DTOSTR_BUF_SIZE];
    double value = g_ascii_strtod(text, &unit);
    if (unit == text) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                    "--set %s: %s of %s is '%s', which is no number", set, key, m->name, text);
        return NULL;
    }
    g_ascii_formatd(number, sizeof number, "%.12g", value * factor);
    return g_strdup_printf("%s=%s%s", key, number, unit);
}

bool cli_compare_changes(char **base, char **set, const struct mach *m, char ***changes,
                         GError **error)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
    bool good = true;
    for (char **one = base; one && *one; one++) g_ptr_array_add(all, g_strdup(*one));
    for (char **one = set; good && one && *one; one++) {
        char *change = absolute(*one, m, error);
        good = change != NULL;
        if (good) g_ptr_array_add(all, change);
    }
    g_ptr_array_add(all, NULL);
    *changes = (char **)g_ptr_array_free(all, !good);
    return good;
}

bool cli_compare_both(const char *path, char *const *json, GError **error)
{
    g_autofree char *before = NULL, *after = NULL;
    if (!g_file_get_contents(json[0], &before, NULL, error) ||
        !g_file_get_contents(json[1], &after, NULL, error))
        return false;
    g_autofree char *both = g_strdup_printf("{\n\"as_it_is\" : %s,\n\"changed\" : %s\n}\n",
                                            g_strchomp(before), g_strchomp(after));
    return report_put_file(strcmp(path, "-") == 0 ? "/dev/stdout" : path, both, strlen(both),
                           error);
}
