/* Finding a machine by name, and the order in which its values are laid over each other: defaults,
 * file, --set. */
#include "mach/parts.h"

#include <string.h>

/* ---- the platforms folder -------------------------------------------------------------------- */

char *mach_folder(void)
{
    const char *env = g_getenv("SIDEWINDER_PLATFORMS");
    if (env && *env) return g_strdup(env);
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    if (!self) return NULL;
    g_autofree char *bin = g_path_get_dirname(self);
    static const char *const beside[] = {"../share/sidewinder/platforms", "../platforms",
                                         "../../platforms"};
    for (size_t i = 0; i < G_N_ELEMENTS(beside); i++) {
        g_autofree char *folder = g_build_filename(bin, beside[i], NULL);
        char *real =
            g_file_test(folder, G_FILE_TEST_IS_DIR) ? g_canonicalize_filename(folder, NULL) : NULL;
        if (real) return real;
    }
    return NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **mach_list(void)
{
    GPtrArray *names = g_ptr_array_new();
    g_autofree char *folder = mach_folder();
    g_autoptr(GDir) dir = folder ? g_dir_open(folder, 0, NULL) : NULL;
    const char *file;
    while (dir && (file = g_dir_read_name(dir)))
        if (g_str_has_suffix(file, ".xml"))
            g_ptr_array_add(names, g_strndup(file, strlen(file) - 4));
    g_ptr_array_sort(names, by_name);
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}

static char *find(const char *name, GError **error)
{
    if (strchr(name, '/') || g_str_has_suffix(name, ".xml")) return g_strdup(name);
    g_auto(GStrv) names = mach_list();
    if (g_strv_contains((const char *const *)names, name)) {
        g_autofree char *folder = mach_folder(), *file = g_strconcat(name, ".xml", NULL);
        return g_build_filename(folder, file, NULL);
    }
    const char *near = base_nearest(name, (const char *const *)names, g_strv_length(names));
    g_autofree char *hint = near ? g_strdup_printf("; did you mean %s?", near) : g_strdup("");
    g_autofree char *list = g_strjoinv(", ", names), *folder = mach_folder();
    if (*list)
        g_set_error(
            error, BASE_ERROR, BASE_ERROR_UNKNOWN,
            "unknown machine '%s'%s Available are %s; give a platform file of your own by its path",
            name, near ? hint : ".", list);
    else
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE,
                    "unknown machine '%s': no platform files in %s (SIDEWINDER_PLATFORMS "
                    "names the folder)",
                    name, folder ? folder : "../platforms beside the program");
    return NULL;
}

/* ---- layers ---------------------------------------------------------------------------------- */

static void assign(struct mach_value *value, const char *text)
{
    if (value->from == MACH_FROM_FILE) value->was = g_steal_pointer(&value->text);
    g_free(value->text);
    value->text = g_strstrip(g_strdup(text));
    value->from = MACH_FROM_SET;
}

/* A key, or a pattern of several: net.overhead_*. */
static bool set(struct mach *m, const char *assignment, GError **error)
{
    const char *equals = strchr(assignment, '=');
    if (!equals) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "--set %s: expected key=value, such as --set cache.l1.size=16KiB", assignment);
        return false;
    }
    g_autofree char *name = g_strstrip(g_strndup(assignment, equals - assignment));
    bool found = false;
    for (size_t i = 0; i < mach_keys(); i++) {
        if (!g_pattern_match_simple(name, mach_key(i)->name)) continue;
        assign(&m->value[i], equals + 1);
        found = true;
    }
    if (found) return true;
    g_autofree char *unknown = mach_key_unknown(name);
    g_set_error(error, BASE_ERROR, BASE_ERROR_UNKNOWN, "--set %s: %s", assignment, unknown);
    return false;
}

static void fill_defaults(struct mach *m)
{
    for (size_t i = 0; i < mach_keys(); i++)
        if (!m->value[i].text) m->value[i].text = g_strdup(mach_key(i)->def);
}

static bool fill(struct mach *m, const char *const *sets, int ranks, GError **error)
{
    if (!mach_read(m, error)) return false;
    if (!m->name) {
        g_autofree char *base = g_path_get_basename(m->file);
        m->name =
            g_str_has_suffix(base, ".xml") ? g_strndup(base, strlen(base) - 4) : g_strdup(base);
    }
    if (!m->doc) m->doc = g_strdup("");
    for (const char *const *s = sets; s && *s; s++)
        if (!set(m, *s, error)) return false;
    fill_defaults(m);
    return mach_resolve(m, error) && mach_check(m, ranks, error);
}

bool mach_load(const char *name_or_path, const char *const *sets, int ranks, struct mach **m,
               GError **error)
{
    char *file = find(name_or_path, error);
    if (!file) return false;
    struct mach *loaded = g_new0(struct mach, 1);
    loaded->file = file;
    loaded->value = g_new0(struct mach_value, mach_keys());
    if (!fill(loaded, sets, ranks, error)) {
        mach_free(loaded);
        return false;
    }
    *m = loaded;
    return true;
}

void mach_free(struct mach *m)
{
    if (!m) return;
    for (size_t i = 0; i < mach_keys(); i++) {
        g_free(m->value[i].text);
        g_free(m->value[i].source);
        g_free(m->value[i].was);
    }
    g_free(m->value);
    g_free(m->name);
    g_free(m->doc);
    g_free(m->file);
    g_free(m);
}
