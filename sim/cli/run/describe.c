/* sidewinder run: the description of a run (run.ini, keys in world/world.h), once all that can be
 * checked before the start has been. */
#include "cli/cc/cc.h"
#include "cli/common/common.h"
#include "cli/common/output.h"
#include "cli/run/options.h"
#include "cli/run/parts.h"
#include "cli/run/run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the files that it writes ------------------------------------------------------------------
 */

/* "": none; "-": standard output, of the report standard error. */
struct files {
    char *report, *json, *trace, *profile, *graph, *view;
};
static void files_clear(struct files *f)
{
    char *name[] = {f->report, f->json, f->trace, f->profile, f->graph, f->view};
    for (size_t i = 0; i < G_N_ELEMENTS(name); i++) g_free(name[i]);
}

static char *file_of(const char *option, const char *name, GError **error)
{
    return name ? cli_output(option, name, error) : g_strdup("");
}

/* A report given by name is written even with --quiet. */
static char *report_of(const struct cli_run_options *o, GError **error)
{
    if (!o->report) return g_strdup(o->quiet ? "" : "-");
    return cli_output("--report", o->report, error);
}

static bool named(struct files *f, const struct cli_run_options *o, GError **error)
{
    return (f->report = report_of(o, error)) && (f->json = file_of("--json", o->json, error)) &&
           (f->trace = file_of("--trace", o->trace, error)) &&
           (f->profile = file_of("--profile", o->profile, error)) &&
           (f->graph = o->graph ? cli_output_regular("--graph", "a graph", o->graph, error)
                                : g_strdup("")) &&
           (f->view = file_of("--view", o->view, error));
}

/* No two are one file, and none is what is read. */
static bool apart(const struct files *f, const struct cli_run_options *o, const char *program,
                  GError **error)
{
    const bool machine_file = strchr(o->machine, '/') || g_str_has_suffix(o->machine, ".xml");
    const struct cli_named file[] = {
        {"--json", f->json},
        {"--trace", f->trace},
        {"--view", f->view},
        {"--profile", f->profile},
        {"--report", strcmp(f->report, "-") == 0 ? NULL : f->report},
        {"--graph", f->graph},
        {"the program", program},
        {"the machine", machine_file ? o->machine : NULL},
    };
    if (!cli_outputs_apart(file, 6, G_N_ELEMENTS(file), error)) return false;
    if (!*f->view || strcmp(f->trace, "-") != 0) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                "--view needs the trace as a file: give --trace a name, or leave it out");
    return false;
}

/* ---- the description ------------------------------------------------------------------------- */

static bool wants_colour(const char *report)
{
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM"); /* no-color.org */
    return strcmp(report, "-") == 0 && isatty(STDERR_FILENO) && !(none && *none) &&
           !(terminal && strcmp(terminal, "dumb") == 0);
}

/* *quantum_s < 0: the machine's. */
static bool quantum_read(const char *text, const struct mach *m, double *quantum_s, GError **error)
{
    *quantum_s = -1;
    if (!text) return true;
    if (!base_parse(text, BASE_SECONDS, m->cpu_clock, quantum_s, error)) {
        g_prefix_error(error, "--quantum %s: ", text);
        return false;
    }
    if (*quantum_s >= 0 && *quantum_s <= 1) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE, "--quantum %s: accepted are 0 to 1s", text);
    return false;
}

static const char group[] = "run";

static void set_list(GKeyFile *file, const char *key, char *const *list)
{
    if (!list) return;
    g_key_file_set_string_list(file, group, key, (const char *const *)list,
                               g_strv_length((char **)list));
}
static void set_file(GKeyFile *file, const char *key, const char *name)
{
    g_key_file_set_string(file, group, key, strcmp(name, "-") == 0 ? "/dev/stdout" : name);
}

static void set_options(GKeyFile *file, const struct cli_run_options *o)
{
    g_key_file_set_integer(file, group, "ranks", o->ranks);
    g_key_file_set_boolean(file, group, "profile_hits", o->profile_hits);
    set_list(file, "set", o->set);
    set_list(file, "watch", o->watch);
    g_key_file_set_boolean(file, group, "check", o->check);
    g_key_file_set_integer(file, group, "check_exit", o->check_exit);
    g_key_file_set_boolean(file, group, "label", o->label);
    g_key_file_set_boolean(file, group, "check_memory", o->check_memory);
    g_key_file_set_boolean(file, group, "critical_path", o->critical_path);
    g_key_file_set_boolean(file, group, "debugged", o->debugger != NULL);
    if (o->rules) g_key_file_set_string(file, group, "rules", o->rules);
    if (o->order) g_key_file_set_string(file, group, "order", o->order);
    set_list(file, "pair", o->pair);
    g_key_file_set_boolean(file, group, "progress", !o->quiet && isatty(STDERR_FILENO));
}

static void set_files(GKeyFile *file, const struct files *f)
{
    g_key_file_set_string(file, group, "report", f->report);
    set_file(file, "json", f->json);
    set_file(file, "trace", f->trace);
    set_file(file, "profile", f->profile);
    g_key_file_set_string(file, group, "graph", f->graph);
    g_key_file_set_boolean(file, group, "colour", wants_colour(f->report));
}

/* f: what it writes, found here. */
static GKeyFile *describe(const struct cli_run_options *o, struct files *f,
                          const char *program_name, const char *command, struct mach **m,
                          GError **error)
{
    double quantum_s;
    if (!cli_run_options_complete(o, program_name, error) ||
        !mach_load(o->machine, (const char *const *)o->set, o->ranks, m, error) ||
        !quantum_read(o->quantum, *m, &quantum_s, error) || !cli_run_options_fit(o, error))
        return NULL;
    g_autofree char *program = cli_run_program(program_name, error);
    g_auto(GStrv) libraries = program ? cli_run_libraries(program, error) : NULL;
    if (!libraries || !cli_run_fits(o->ranks, program, libraries, o->force, error) ||
        !named(f, o, error) || !apart(f, o, program, error))
        return NULL;
    GKeyFile *file = g_key_file_new();
    g_key_file_set_string(file, group, "program", program);
    g_key_file_set_string(file, group, "machine_name", (*m)->name);
    g_key_file_set_double(file, group, "quantum_s", quantum_s);
    g_key_file_set_string(file, group, "command", command);
    set_options(file, o);
    set_files(file, f);
    g_auto(GStrv) foreign = cli_cc_read_note(program);
    set_list(file, "uninstrumented", foreign);
    set_list(file, CLI_RUN_NEEDS, libraries);
    return file;
}
GKeyFile *cli_run_describe(const struct cli_run_options *o, const char *program_name,
                           const char *command, struct mach **m, GError **error)
{
    struct files f = {0};
    GKeyFile *file = describe(o, &f, program_name, command, m, error);
    files_clear(&f);
    return file;
}
