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

/* "KEY=VALUE" as the machine takes it; NULL: *error. */
static char *absolute(const char *set, const char *key, const char *text, double factor,
                      const struct mach *m, GError **error)
{
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

/* Adds what a set comes to: where it is relative, one of each key that it names. */
static bool add_change(const char *set, const struct mach *m, GPtrArray *all, GError **error)
{
    const char *equals = strchr(set, '=');
    double factor = equals ? factor_of(equals + 1) : 0;
    g_autofree char *name = equals ? g_strndup(set, (gsize)(equals - set)) : NULL;
    guint before = all->len;
    for (size_t i = 0; factor > 0 && i < mach_keys(); i++) {
        const char *key = mach_key(i)->name, *text = m->value[i].text;
        if (!text || !g_pattern_match_simple(name, key)) continue;
        char *change = absolute(set, key, text, factor, m, error);
        if (!change) return false;
        g_ptr_array_add(all, change);
    }
    if (all->len == before) /* a key that there is not is refused with the machine */
        g_ptr_array_add(all, g_strdup(set));
    return true;
}

bool cli_compare_changes(char **base, char **set, const struct mach *m, char ***changes,
                         GError **error)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
    bool good = true;
    for (char **one = base; one && *one; one++) g_ptr_array_add(all, g_strdup(*one));
    for (char **one = set; good && one && *one; one++) good = add_change(*one, m, all, error);
    g_ptr_array_add(all, NULL);
    *changes = (char **)g_ptr_array_free(all, !good);
    return good;
}

bool cli_compare_both(const char *path, char *const *json, GError **error)
{
    g_autofree char *before = NULL, *after = NULL;
    if (!base_read(json[0], &before, NULL, error) || !base_read(json[1], &after, NULL, error))
        return false;
    g_autofree char *both = g_strdup_printf("{\n\"as_it_is\" : %s,\n\"changed\" : %s\n}\n",
                                            g_strchomp(before), g_strchomp(after));
    return report_put_file(strcmp(path, "-") == 0 ? "/dev/stdout" : path, both, strlen(both),
                           error);
}
