/* What an experiment file says: the program, what varies and what is measured, each checked. */
#include "cli/experiment/parts.h"

#include "mach/mach.h"

#include <string.h>

enum { RANKS_MAX = 1048576, REPETITIONS_MAX = 100000 };

/* ---- [experiment] ---------------------------------------------------------------------------- */

static char *word(const struct cli_experiment *e, const char *key, const char *otherwise)
{
    char *value = cli_experiment_get(e, "experiment", key);
    return value ? value : g_strdup(otherwise);
}

static bool need(const struct cli_experiment *e, const char *key, const char *such_as,
                 GError **error)
{
    g_autofree char *value = cli_experiment_get(e, "experiment", key);
    if (value && *value) return true;
    cli_experiment_refuse(e, "experiment", value ? key : NULL, error, "%s%s, such as %s",
                          value ? "is empty" : "has no ", value ? "" : key, such_as);
    return false;
}

static bool read_program(struct cli_experiment *e, GError **error)
{
    g_autofree char *folder_name = g_path_get_basename(e->folder);
    e->title = word(e, "title", folder_name);
    e->source = word(e, "source", NULL);
    e->program = word(e, "program", NULL);
    e->cflags = word(e, "cflags", "-O2 -g");
    e->run = word(e, "run", "");
    e->arguments = word(e, "arguments", "");
    if (e->program && e->source) {
        cli_experiment_refuse(
            e, "experiment", "program", error,
            "source and program are mutually exclusive: source is compiled, program is");
        return false;
    }
    if (!e->program)
        return need(e, "source", "source=../../apps/halo.c (or program=PATH, already compiled)",
                    error);
    if (g_key_file_has_key(e->file, "experiment", "cflags", NULL)) {
        cli_experiment_refuse(e, "experiment", "cflags", error,
                              "program is compiled already; cflags go with source");
        return false;
    }
    return need(e, "program", "program=halo", error);
}

static struct cli_axis *add_axis(struct cli_experiment *e, const char *name, char **values)
{
    e->axis = g_renew(struct cli_axis, e->axis, e->axes + 1);
    struct cli_axis *axis = &e->axis[e->axes++];
    *axis = (struct cli_axis){g_strdup(name), values, (int)g_strv_length(values), false};
    return axis;
}

static bool read_list(struct cli_experiment *e, const char *group, const char *key,
                      const char *name, GError **error)
{
    g_autofree char *text = cli_experiment_get(e, group, key);
    g_autoptr(GError) why = NULL;
    char **values = cli_list(text, &why);
    if (values)
        add_axis(e, name, values);
    else
        cli_experiment_refuse(e, group, key, error, "%s", why->message);
    return values != NULL;
}

/* A machine's file is known by its own name in data.csv, so that the table does not depend on where
 * it lies. */
static bool read_machines(struct cli_experiment *e, GError **error)
{
    if (!need(e, "machines", "machines=t3d;now", error) ||
        !read_list(e, "experiment", "machines", "machine", error))
        return false;
    struct cli_axis *axis = &e->axis[CLI_AXIS_MACHINE];
    e->machine = g_new0(char *, axis->values + 1);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (int i = 0; i < axis->values; i++) {
        char *text = axis->value[i];
        bool file = strchr(text, '/') || g_str_has_suffix(text, ".xml");
        e->machine[i] = g_strdup(text);
        if (file) {
            g_autofree char *base = g_path_get_basename(text);
            axis->value[i] =
                g_str_has_suffix(base, ".xml") ? g_strndup(base, strlen(base) - 4) : g_strdup(base);
            g_free(text);
        }
        if (g_hash_table_add(seen, axis->value[i])) continue;
        cli_experiment_refuse(e, "experiment", "machines", error,
                              "two machines would be called %s in data.csv", axis->value[i]);
        return false;
    }
    return true;
}

static bool read_ranks(struct cli_experiment *e, GError **error)
{
    if (!need(e, "ranks", "ranks=2..64*2", error) ||
        !read_list(e, "experiment", "ranks", "ranks", error))
        return false;
    for (char **value = e->axis[CLI_AXIS_RANKS].value; *value; value++) {
        double ranks = 0;
        if (base_parse(*value, BASE_COUNT, 0, &ranks, NULL) && ranks >= 1 && ranks <= RANKS_MAX)
            continue;
        cli_experiment_refuse(
            e, "experiment", "ranks", error,
            "'%s' is not a number of ranks; accepted are whole numbers from 1 to %d", *value,
            RANKS_MAX);
        return false;
    }
    return true;
}

static bool read_repetitions(struct cli_experiment *e, GError **error)
{
    g_autofree char *text = word(e, "repetitions", "1"), *range = g_strdup_printf("1..%s+1", text);
    double n = 0;
    if (!base_parse(text, BASE_COUNT, 0, &n, NULL) || n < 1 || n > REPETITIONS_MAX) {
        cli_experiment_refuse(e, "experiment", "repetitions", error,
                              "'%s': accepted are whole numbers from 1 to %d", text,
                              REPETITIONS_MAX);
        return false;
    }
    if (n > 1) add_axis(e, "seed", cli_list(range, NULL));
    return true;
}

/* ---- [vary] and [measure] -------------------------------------------------------------------- */

/* Also a pattern of several, net.overhead_*, which are varied together. */
static bool is_machine_key(const char *name)
{
    for (size_t i = 0; i < mach_keys(); i++)
        if (g_pattern_match_simple(name, mach_key(i)->name)) return true;
    return false;
}

static bool uses(const struct cli_experiment *e, const char *name)
{
    g_autofree char *braced = g_strdup_printf("{%s}", name);
    const char *const text[] = {e->arguments, e->source, e->program, e->cflags, e->run};
    for (size_t i = 0; i < G_N_ELEMENTS(text); i++)
        if (text[i] && strstr(text[i], braced)) return true;
    return false;
}

static bool check_vary(const struct cli_experiment *e, const char *name, GError **error)
{
    if (is_machine_key(name) || uses(e, name)) return true;
    g_autofree const char **names = g_new(const char *, mach_keys());
    for (size_t i = 0; i < mach_keys(); i++) names[i] = mach_key(i)->name;
    const char *near = base_nearest(name, names, mach_keys());
    cli_experiment_refuse(e, "vary", name, error,
                          "has no effect: it is not a key of a machine%s%s%s, and {%s} is not used "
                          "in arguments, source, program, cflags or run. 'sidewinder machines "
                          "--keys' lists the keys",
                          near ? " (did you mean " : "", near ? near : "", near ? "?)" : "", name);
    return false;
}

static bool read_vary(struct cli_experiment *e, GError **error)
{
    g_auto(GStrv) names = g_key_file_get_keys(e->file, "vary", NULL, NULL);
    for (char **name = names; name && *name; name++) {
        if (!check_vary(e, *name, error) || !read_list(e, "vary", *name, *name, error))
            return false;
        e->axis[e->axes - 1].key = is_machine_key(*name);
    }
    return true;
}

/* Columns that every table has, or may have. */
static bool taken(const char *name)
{
    return g_strv_contains((const char *const[]){"machine", "ranks", "seed", "failed", NULL}, name);
}

static bool check_columns(const struct cli_experiment *e, const char *group, char **names,
                          GError **error)
{
    for (char **name = names; name && *name; name++) {
        bool twice =
            strcmp(group, "measure") == 0 && g_key_file_has_key(e->file, "vary", *name, NULL);
        if (!taken(*name) && !twice && !strpbrk(*name, ",\";")) continue;
        if (strpbrk(*name, ",\";"))
            cli_experiment_refuse(e, group, *name, error,
                                  "a column name cannot contain commas, semicolons or quotes");
        else
            cli_experiment_refuse(e, group, *name, error,
                                  "two columns of data.csv would be called %s%s", *name,
                                  twice ? "; the other is in [vary]"
                                        : "; machine, ranks, seed and failed always exist");
        return false;
    }
    return true;
}

static bool read_measures(struct cli_experiment *e, GError **error)
{
    e->column = g_key_file_get_keys(e->file, "measure", NULL, NULL);
    if (!e->column || !e->column[0]) {
        cli_experiment_refuse(e, "measure", NULL, error,
                              "nothing is measured; give a line such as time_us=json:time_s * 1e6");
        return false;
    }
    e->measure = g_new0(char *, g_strv_length(e->column) + 1);
    for (int i = 0; e->column[i]; i++)
        e->measure[i] = cli_experiment_get(e, "measure", e->column[i]);
    return true;
}

static bool check_names(const struct cli_experiment *e, GError **error)
{
    const struct {
        const char *key, *text;
    } place[] = {{"arguments", e->arguments},
                 {"source", e->source},
                 {"program", e->program},
                 {"cflags", e->cflags},
                 {"run", e->run}};
    for (size_t i = 0; i < G_N_ELEMENTS(place); i++) {
        g_autoptr(GPtrArray) used = g_ptr_array_new_with_free_func(g_free);
        if (place[i].text) cli_names_in(place[i].text, used);
        for (guint k = 0; k < used->len; k++) {
            g_autoptr(GString) list = g_string_new(NULL);
            bool found = false;
            for (int a = 0; a < e->axes; a++) {
                found = found || strcmp(e->axis[a].name, used->pdata[k]) == 0;
                g_string_append_printf(list, "%s{%s}", a ? ", " : "", e->axis[a].name);
            }
            if (found) continue;
            bool seed = strcmp(used->pdata[k], "seed") == 0;
            cli_experiment_refuse(e, "experiment", place[i].key, error, "unknown name {%s}; %s%s",
                                  (char *)used->pdata[k],
                                  seed ? "repetitions=N with N above 1 defines it; accepted are "
                                       : "accepted are the names of [vary] and others that vary: ",
                                  list->str);
            return false;
        }
    }
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool load(struct cli_experiment *e, GError **error)
{
    if (!cli_experiment_read_file(e, error) || !cli_experiment_check_groups(e, error)) return false;
    if (!g_key_file_has_group(e->file, "experiment")) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "%s: not an experiment file: there is no group [experiment]", e->path);
        return false;
    }
    g_auto(GStrv) vary = g_key_file_get_keys(e->file, "vary", NULL, NULL),
                  measure = g_key_file_get_keys(e->file, "measure", NULL, NULL);
    return read_program(e, error) && read_machines(e, error) && read_ranks(e, error) &&
           check_columns(e, "vary", vary, error) && check_columns(e, "measure", measure, error) &&
           read_vary(e, error) && read_repetitions(e, error) && read_measures(e, error) &&
           check_names(e, error) && cli_points_make(e, error);
}

struct cli_experiment *cli_experiment_load(const char *path, GError **error)
{
    struct cli_experiment *e = g_new0(struct cli_experiment, 1);
    e->path = !g_file_test(path, G_FILE_TEST_IS_DIR) ? g_strdup(path)
              : strcmp(path, ".") == 0               ? g_strdup("experiment.ini")
                                       : g_build_filename(path, "experiment.ini", NULL);
    g_autofree char *whole = g_canonicalize_filename(e->path, NULL);
    e->folder = g_path_get_dirname(whole);
    e->file = g_key_file_new();
    e->line = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    e->points = g_ptr_array_new_with_free_func(g_free);
    if (load(e, error)) return e;
    cli_experiment_free(e);
    return NULL;
}

void cli_experiment_free(struct cli_experiment *e)
{
    if (!e) return;
    for (int i = 0; i < e->axes; i++) {
        g_free(e->axis[i].name);
        g_strfreev(e->axis[i].value);
    }
    char *const text[] = {e->path,    e->folder, e->title, e->source,
                          e->program, e->cflags, e->run,   e->arguments};
    for (size_t i = 0; i < G_N_ELEMENTS(text); i++) g_free(text[i]);
    g_free(e->axis);
    g_strfreev(e->machine);
    g_strfreev(e->column);
    g_strfreev(e->measure);
    g_ptr_array_unref(e->points);
    g_key_file_free(e->file);
    g_hash_table_unref(e->line);
    g_free(e);
}
