/* The work of a sweep: every point's command, checked before anything runs. */
#include "cli/sweep/parts.h"
#include "cli/common/common.h"

#include "mach/mach.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- programs -------------------------------------------------------------------------------- */

static void add_all(GPtrArray *words, char **more)
{
    for (char **word = more; *word; word++) g_ptr_array_add(words, g_strdup(*word));
}

/* The shell words of text with each {NAME} replaced, so that a value with blanks stays one word.
 * NULL: *error names the key. */
static char **words_of(const struct cli_experiment *e, const int *at, const char *key,
                       const char *text, GError **error)
{
    char **words = NULL;
    g_autoptr(GError) why = NULL;
    if (!*text) return g_new0(char *, 1);
    if (!g_shell_parse_argv(text, NULL, &words, &why)) {
        cli_experiment_refuse(e, "experiment", key, error, "%s", why->message);
        return NULL;
    }
    for (char **word = words; *word; word++) {
        char *whole = cli_point_expand(e, at, *word);
        g_free(*word);
        *word = whole;
    }
    return words;
}

static int add_program(struct cli_sweep *s, char **compile, char *path)
{
    for (int i = 0; i < s->programs; i++)
        if (strcmp(s->program[i].path, path) == 0) {
            g_strfreev(compile);
            g_free(path);
            return i;
        }
    s->program = g_renew(struct cli_program, s->program, s->programs + 1);
    s->program[s->programs] = (struct cli_program){compile, path, NULL};
    return s->programs++;
}

/* The program's file is named by how it is compiled: points that compile alike share one. */
static bool plan_program(struct cli_sweep *s, struct cli_point *p, GError **error)
{
    struct cli_experiment *e = s->e;
    if (e->program) {
        p->program = add_program(s, NULL, cli_point_expand(e, p->at, e->program));
        return true;
    }
    g_auto(GStrv) source = words_of(e, p->at, "source", e->source, error);
    g_auto(GStrv) flags = source ? words_of(e, p->at, "cflags", e->cflags, error) : NULL;
    if (!flags) return false;
    for (char **file = source; *file; file++) {
        if (access(*file, R_OK) == 0) continue;
        cli_experiment_refuse(e, "experiment", "source", error, "cannot read %s: %s", *file,
                              g_strerror(errno));
        return false;
    }
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    add_all(words, (char *[]){"sidewinder", "cc", NULL});
    add_all(words, source);
    add_all(words, flags);
    add_all(words, (char *[]){"-lm", "-o", NULL});
    g_ptr_array_add(words, NULL);
    g_autofree char *text = cli_words("", (char **)words->pdata);
    g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
    g_autofree char *stem = g_path_get_basename(source[0]);
    stem[strcspn(stem, ".")] = '\0';
    g_autofree char *name = g_strdup_printf("%s-%.8s", stem, sum);
    char *path = cli_journal_file(s, name);
    g_ptr_array_set_size(words, (int)words->len - 1);
    add_all(words, (char *[]){path, NULL});
    g_ptr_array_add(words, NULL);
    p->program = add_program(s, (char **)g_ptr_array_free(g_steal_pointer(&words), FALSE), path);
    return true;
}

/* ---- points ---------------------------------------------------------------------------------- */

/* Options of `run` that the sweep gives itself would contradict it. */
static bool check_run(const struct cli_experiment *e, char **words, GError **error)
{
    static const char *const own[] = {"-m", "--machine", "-n", "--ranks", "--json", "--report",
                                      "-q", "--quiet",   "-h", "--help",  "--"};
    for (char **word = words; *word; word++) {
        g_autofree char *option = g_strndup(*word, strcspn(*word, "="));
        for (size_t i = 0; i < G_N_ELEMENTS(own); i++) {
            if (strcmp(option, own[i]) != 0) continue;
            cli_experiment_refuse(e, "experiment", "run", error,
                                  "%s is set by the sweep; accepted are options such as --quantum "
                                  "TIME and --set KEY=VALUE",
                                  option);
            return false;
        }
    }
    return true;
}

/* --set KEY=VALUE where the axis is a machine's key, or a pattern of several; without `option` only
 * KEY=VALUE. */
static void add_sets(const struct cli_experiment *e, const struct cli_point *p, int axis,
                     const char *option, GPtrArray *words)
{
    if (!e->axis[axis].key) return;
    if (option) g_ptr_array_add(words, g_strdup(option));
    g_ptr_array_add(words,
                    g_strdup_printf("%s=%s", e->axis[axis].name, cli_point_value(e, p->at, axis)));
}

/* The machine as `run` would have it: the sets among its options too. */
static struct mach *load_machine(const struct cli_experiment *e, const struct cli_point *p,
                                 char **run, GError **error)
{
    g_autoptr(GPtrArray) sets = g_ptr_array_new_with_free_func(g_free);
    struct mach *m = NULL;
    for (int i = 0; i < e->axes; i++) add_sets(e, p, i, NULL, sets);
    for (char **word = run; *word; word++) {
        if (strcmp(*word, "--set") == 0 && word[1])
            g_ptr_array_add(sets, g_strdup(*++word));
        else if (g_str_has_prefix(*word, "--set="))
            g_ptr_array_add(sets, g_strdup(*word + strlen("--set=")));
    }
    g_ptr_array_add(sets, NULL);
    int ranks = atoi(cli_point_value(e, p->at, CLI_AXIS_RANKS));
    GError *why = NULL;
    if (mach_load(e->machine[p->at[CLI_AXIS_MACHINE]], (const char *const *)sets->pdata, ranks, &m,
                  &why))
        return m;
    g_autofree char *name = cli_point_name(e, p->at);
    g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE, "%s: point %s is impossible: %s", e->path,
                name, why->message);
    g_error_free(why);
    return NULL;
}

/* What is random in a machine: the choice of the line to evict. Its seeds are set to the
 * repetition's. */
static bool add_seeds(const struct cli_experiment *e, const struct cli_point *p,
                      const struct mach *m, GPtrArray *words)
{
    bool random = false;
    const struct cli_axis *last = &e->axis[e->axes - 1];
    if (strcmp(last->name, "seed") != 0) return false;
    for (int level = 0; level < m->levels; level++) {
        if (strcmp(m->cache[level].replace, "random") != 0) continue;
        random = true;
        g_ptr_array_add(words, g_strdup("--set"));
        g_ptr_array_add(words, g_strdup_printf("cache.l%d.seed=%s", level + 1,
                                               cli_point_value(e, p->at, e->axes - 1)));
    }
    return random;
}

static bool plan_point(struct cli_sweep *s, struct cli_point *p, bool *random, GError **error)
{
    struct cli_experiment *e = s->e;
    g_auto(GStrv) run = words_of(e, p->at, "run", e->run, error);
    if (!run || !check_run(e, run, error) || !plan_program(s, p, error)) return false;
    g_auto(GStrv) arguments = words_of(e, p->at, "arguments", e->arguments, error);
    struct mach *m = arguments ? load_machine(e, p, run, error) : NULL;
    if (!m) return false;
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    add_all(words, (char *[]){"sidewinder", "run", "-q", "-m", e->machine[p->at[CLI_AXIS_MACHINE]],
                              "-n", (char *)cli_point_value(e, p->at, CLI_AXIS_RANKS), NULL});
    for (int i = CLI_AXIS_VARY; i < e->axes; i++) add_sets(e, p, i, "--set", words);
    add_all(words, run);
    *random = add_seeds(e, p, m, words) || *random;
    p->machine_digest = mach_digest(m);
    mach_free(m);
    g_ptr_array_add(words, g_strdup(s->program[p->program].path));
    add_all(words, arguments);
    g_ptr_array_add(words, NULL);
    p->command = (char **)g_ptr_array_free(g_steal_pointer(&words), FALSE);
    return true;
}

static bool uses_seed(const struct cli_experiment *e)
{
    const char *const text[] = {e->arguments, e->source, e->program, e->cflags, e->run};
    for (size_t i = 0; i < G_N_ELEMENTS(text); i++)
        if (text[i] && strstr(text[i], "{seed}")) return true;
    return false;
}

static bool plan_points(struct cli_sweep *s, GError **error)
{
    struct cli_experiment *e = s->e;
    bool random = uses_seed(e);
    s->points = (int)e->points->len;
    s->point = g_new0(struct cli_point, s->points);
    for (int i = 0; i < s->points; i++) {
        s->point[i] = (struct cli_point){.number = i + 1, .at = e->points->pdata[i]};
        if (!plan_point(s, &s->point[i], &random, error)) return false;
    }
    if (random || strcmp(e->axis[e->axes - 1].name, "seed") != 0) return true;
    cli_experiment_refuse(
        e, "experiment", "repetitions", error,
        "nothing here is random, so all repetitions would be equal: no machine has random "
        "replacement (cache.l1.replace=random), and {seed} is not passed to the program");
    return false;
}

static bool read_measures(struct cli_sweep *s, GError **error)
{
    struct cli_experiment *e = s->e;
    s->measure = g_new0(struct cli_measure *, g_strv_length(e->column) + 1);
    for (int i = 0; e->column[i]; i++) {
        g_autoptr(GError) why = NULL;
        s->measure[i] = cli_measure_new(e->measure[i], &why);
        if (s->measure[i]) continue;
        cli_experiment_refuse(e, "measure", e->column[i], error, "%s", why->message);
        return false;
    }
    return true;
}

static bool fits_all(const struct cli_sweep *s, const int *at, char *const *only, bool *in,
                     GError **error)
{
    *in = true;
    for (char *const *condition = only; condition && *condition; condition++) {
        const char *equals = strchr(*condition, '=');
        g_autofree char *name = equals ? g_strndup(*condition, (gsize)(equals - *condition)) : NULL;
        bool fits;
        if (!name)
            g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                        "expected NAME=VALUES, such as --only machine=now");
        if (!name || !cli_point_fits(s->e, at, name, equals + 1, &fits, error)) {
            g_prefix_error(error, "--only %s: ", *condition);
            return false;
        }
        *in = *in && fits;
    }
    return true;
}

/* Spread evenly, the first and the last among them. */
static void thin_out(GPtrArray *points, int sample)
{
    guint n = points->len, kept = (guint)sample;
    if (sample == 0 || n <= kept) return;
    for (guint i = 0; i < kept; i++)
        points->pdata[i] =
            points->pdata[kept == 1 ? 0 : (guint)((guint64)i * (n - 1) / (kept - 1))];
    g_ptr_array_set_size(points, sample);
}

static bool choose(struct cli_sweep *s, char *const *only, int sample, GError **error)
{
    for (int i = 0; i < s->points; i++) {
        bool in;
        if (!fits_all(s, s->point[i].at, only, &in, error)) return false;
        if (in) g_ptr_array_add(s->chosen, &s->point[i]);
    }
    thin_out(s->chosen, sample);
    if (s->chosen->len) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE, "--only leaves no point of %s", s->e->path);
    return false;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool plan(struct cli_sweep *s, const char *file, const char *output, char *const *only,
                 int sample, GError **error)
{
    s->file = g_canonicalize_filename(file, NULL);
    s->output = output ? g_canonicalize_filename(output, NULL)
                       : g_build_filename(s->e->folder, "data.csv", NULL);
    g_autofree char *folder = g_path_get_dirname(s->output);
    s->journal = strcmp(folder, s->e->folder) == 0 ? g_strdup(".sweep")
                                                   : g_build_filename(folder, ".sweep", NULL);
    s->self = g_file_read_link("/proc/self/exe", error);
    s->engine_digest = s->self ? cli_engine_digest(s->self, error) : NULL;
    if (!s->engine_digest) return false;
    if (chdir(s->e->folder) != 0) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "cannot work in %s: %s", s->e->folder,
                    g_strerror(errno));
        return false;
    }
    return read_measures(s, error) && plan_points(s, error) && choose(s, only, sample, error);
}

struct cli_sweep *cli_sweep_new(const char *file, const char *output, char *const *only, int sample,
                                GError **error)
{
    struct cli_sweep *s = g_new0(struct cli_sweep, 1);
    s->lock = -1;
    s->chosen = g_ptr_array_new();
    s->e = cli_experiment_load(file, error);
    if (s->e && plan(s, s->e->path, output, only, sample, error)) return s;
    cli_sweep_free(s);
    return NULL;
}

void cli_sweep_free(struct cli_sweep *s)
{
    if (!s) return;
    for (int i = 0; i < s->points; i++) {
        g_strfreev(s->point[i].command);
        g_free(s->point[i].digest);
        g_free(s->point[i].machine_digest);
    }
    for (int i = 0; i < s->programs; i++) {
        g_strfreev(s->program[i].compile);
        g_free(s->program[i].path);
        g_free(s->program[i].digest);
    }
    for (int i = 0; s->measure && s->measure[i]; i++) cli_measure_free(s->measure[i]);
    g_free(s->measure);
    g_free(s->point);
    g_free(s->program);
    g_ptr_array_unref(s->chosen);
    char *const text[] = {s->file, s->output, s->journal, s->self, s->engine_digest};
    for (size_t i = 0; i < G_N_ELEMENTS(text); i++) g_free(text[i]);
    cli_experiment_free(s->e);
    g_free(s);
}
