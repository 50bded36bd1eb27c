/* sidewinder limits: what the predicted time of a program hangs on.
 *
 * The program runs on the machine as it is. The graph of what had to wait for what in that run says
 * what each number of messages, barriers and servicing is worth (derive.c); the program runs once
 * more for each of the others, a little better; and for each part of the machine, a thousand times
 * as fast. A change may also change what the program does (whose lock comes first, what is stolen
 * from whom); where the number of its operations changed, the line says so. */
#include "cli/limits/limits.h"

#include "cli/common/child.h"
#include "cli/common/machine.h"
#include "cli/common/common.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/limits/parts.h"

#include "report/print/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    char *machine, *ranks, *by, *jobs_text, *quantum, **set;
    char *json, *graph;
    gboolean help, run_all;
    double percent;
    int jobs;
    struct cli_line line;
};

static const char explanation[] =
    "Shows the critical path of the run on the machine as it is. Then each of the machine's times, "
    "cycles and rates is made 10 % better (--by). For messages, barriers and servicing the time is "
    "derived from what had to wait for what in that run; for the others PROGRAM runs again. Then "
    "whole parts of "
    "the machine are a thousand times as fast. Output of these runs is dropped. The program's "
    "standard input is empty.\n\n"
    "Examples:\n"
    "  sidewinder limits -m now -n 16 ./halo\n"
    "  sidewinder limits -m t3d -n 8 --by 50 ./halo fence 64\n"
    "  sidewinder limits -m t3d -n 8 --set net.latency=1us ./halo    # of that machine\n"
    "\n"
    "'sidewinder whatif' shows one change in full; 'sidewinder sweep' a range of values.\n";

/* What is written at the end is refused at the beginning. */
static bool outputs(struct options *o, const char *program, GError **error)
{
    g_autofree char *json = o->json, *graph = o->graph;
    o->json = json ? cli_output("--json", json, error) : NULL;
    o->graph = NULL;
    if (json && !o->json) return false;
    o->graph = graph ? cli_output_regular("--graph", "a graph", graph, error) : NULL;
    if (graph && !o->graph) return false;
    const struct cli_named file[] = {
        {"--json", o->json}, {"--graph", o->graph}, {"the program", program}};
    return cli_outputs_apart(file, 2, G_N_ELEMENTS(file), error);
}

static bool parse(struct options *o, int *argc, char ***argv, GError **error)
{
    const GOptionEntry entries[] = {
        {"machine", 'm', 0, G_OPTION_ARG_FILENAME, &o->machine,
         "Machine to run on: a name, or a platform file", "MACHINE"},
        {"ranks", 'n', 0, G_OPTION_ARG_STRING, &o->ranks, "Number of ranks, one a processor", "N"},
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o->set,
         "Change one parameter of the machine first; may be repeated", "KEY=VALUE"},
        {"by", 0, 0, G_OPTION_ARG_STRING, &o->by, "By how much each is better (10)", "PERCENT"},
        {"jobs", 'j', 0, G_OPTION_ARG_STRING, &o->jobs_text,
         "Run so many at once (as there are processors)", "N"},
        {"run-all", 0, 0, G_OPTION_ARG_NONE, &o->run_all,
         "Run each parameter; derive none from the critical path", NULL},
        {"json", 0, 0, G_OPTION_ARG_FILENAME, &o->json, "Also write the tables to FILE, as JSON",
         "FILE"},
        {"graph", 0, 0, G_OPTION_ARG_FILENAME, &o->graph,
         "Keep what had to wait for what in FILE: 64 bytes for each date", "FILE"},
        {"quantum", 0, 0, G_OPTION_ARG_STRING, &o->quantum, "As in sidewinder run", "TIME"},
        {"help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this help", NULL},
        G_OPTION_ENTRY_NULL};
    const struct cli_synopsis synopsis = {
        .command = "sidewinder limits",
        .summary = "Shows which parameters of a machine limit a program: how its predicted time "
                   "changes with each of them.",
        .description = explanation,
        .entries = entries,
        .help = &o->help,
    };
    o->jobs = (int)g_get_num_processors();
    o->percent = 10;
    if (!cli_line_read(&o->line, &synopsis, argc, argv, error)) return false;
    if (o->help) return true;
    char *end = NULL;
    if (o->by) o->percent = g_ascii_strtod(o->by, &end);
    if (o->by && (end == o->by || *end || !(o->percent > 0 && o->percent < 100)))
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                    "--by %s: accepted are per cent, more than 0 and less than 100", o->by);
    else if (!cli_whole("--jobs", o->jobs_text, &o->jobs, error))
        return false;
    else if (o->jobs < 1)
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE, "--jobs %d: accepted are 1 and more",
                    o->jobs);
    else if (*argc < 2)
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "no program given; usage: sidewinder limits -m MACHINE -n N PROGRAM "
                    "[ARGUMENT...]");
    else if (!o->machine || !o->ranks)
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "no %s given; use %s",
                    o->machine ? "number of ranks" : "machine",
                    o->machine ? "-n N" : "-m MACHINE (sidewinder machines lists them)");
    else
        return outputs(o, (*argv)[1], error);
    return false;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* The words of each run, but for what it changes; NULL ended, owned by o. */
static char **command_of(const struct options *o, const char *self)
{
    GPtrArray *argv = g_ptr_array_new();
    const char *const fixed[] = {self, "run", "-q", "-m", o->machine, "-n", o->ranks};
    for (size_t i = 0; i < G_N_ELEMENTS(fixed); i++) g_ptr_array_add(argv, (gpointer)fixed[i]);
    if (o->quantum) g_ptr_array_add(argv, "--quantum"), g_ptr_array_add(argv, o->quantum);
    for (char **set = o->set; set && *set; set++)
        g_ptr_array_add(argv, "--set"), g_ptr_array_add(argv, *set);
    g_ptr_array_add(argv, NULL);
    return (char **)g_ptr_array_free(argv, FALSE);
}

static void print(const struct cli_limits *all, const struct options *o, const char *machine,
                  char **program)
{
    const struct cli_limit *base = all->cases->pdata[0];
    g_autofree char *words = cli_words("", program), *time = report_time(base->time_s);
    printf("%s on %s, %s ranks: %s\n", words + (*words == ' '), machine, o->ranks, time);
    cli_limit_show(all);
}

/* A run whose graph cannot be read has none: its keys are run. */
static bool run(struct cli_limits *all, const struct mach *m, const struct options *o,
                const struct cli_limit_runs *how, GError **error)
{
    const struct cli_limit *base = all->cases->pdata[0];
    g_autofree char *temporary = g_build_filename(how->folder, "graph", NULL);
    const char *graph = o->graph ? o->graph : temporary;
    if (!cli_limit_run_base(all, how, graph, error)) return false;
    if (base->why) { /* there is nothing to compare with */
        g_autofree char *said = cli_limit_said(how), *last = cli_child_last_words(said);
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "the run on %s as it is failed (%s):\n%s",
                    m->name, base->why, last ? last : "it printed nothing; try sidewinder run");
        return false;
    }
    all->graph = cli_graph_open(graph, how->folder, NULL);
    cli_limit_derive(all);
    cli_limit_check(all);
    if (!cli_limit_run(all->checks, 0, how, error)) return false;
    cli_limit_checked(all, o->run_all);
    return cli_limit_run(all->cases, 1, how, error);
}

static void clear(struct cli_limits *all)
{
    cli_graph_free(all->graph);
    g_ptr_array_unref(all->cases);
    if (all->checks) g_ptr_array_unref(all->checks);
    if (all->part) g_hash_table_unref(all->part);
    g_free(all->path);
    g_free(all->busy_s);
}

static int limits(struct options *o, char **program, GError **error)
{
    struct mach *m = NULL;
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL), *named = g_strdup(o->machine),
                    *folder = cli_child_folder("sidewinder-limits-XXXXXX", error);
    if (!folder) return CLI_FAILED;
    if (!cli_machine_keep(&o->machine, folder, "machine.xml", error) ||
        !mach_load(o->machine, (const char *const *)o->set, 0, &m, error)) {
        cli_child_remove(folder);
        return CLI_USAGE;
    }
    g_autofree char **command = command_of(o, self);
    const struct cli_limit_runs how = {command, program, o->jobs, folder};
    struct cli_limits all = {.percent = o->percent, .cases = cli_limit_cases(m, o->percent)};
    int code = CLI_FAILED;
    if (run(&all, m, o, &how, error)) {
        print(&all, o, named, program);
        if (!o->json || cli_limit_json(&all, o->json, error)) code = CLI_DONE;
    }
    clear(&all);
    cli_child_remove(folder);
    mach_free(m);
    return code;
}

int cli_limits(int argc, char **argv)
{
    struct options o = {0};
    g_autoptr(GError) error = NULL;
    int code = CLI_DONE;
    if (!parse(&o, &argc, &argv, &error))
        code = CLI_USAGE;
    else if (!o.help)
        code = limits(&o, argv + 1, &error);
    if (error) fprintf(stderr, "sidewinder limits: %s\n", error->message);
    g_free(o.machine);
    g_free(o.ranks);
    g_free(o.by);
    g_free(o.jobs_text);
    g_free(o.json);
    g_free(o.graph);
    g_free(o.quantum);
    g_strfreev(o.set);
    cli_line_clear(&o.line);
    return code;
}
