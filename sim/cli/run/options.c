/* sidewinder run: its options, and whether they fit each other. */
#include "cli/cc/cc.h"
#include "cli/common/common.h"
#include "cli/common/output.h"
#include "cli/run/options.h"

#include "base/base.h"
#include "op/op.h"

#include <string.h>

static const char examples[] =
    "Compile PROGRAM with: sidewinder cc -O2 -g PROGRAM.c -o PROGRAM\n\n"
    "The program's output, exit code and signals pass through unchanged; the report is printed to "
    "standard error at the end.\nCtrl-C and SIGTERM end a run with the report so far; SIGUSR1 asks "
    "for it, and the run goes on.\n\n"
    "Examples:\n"
    "  sidewinder run -m t3d -n 4 ./halo fence 512\n"
    "  sidewinder run -m t3d -n 2 --set ni.invalidate=index ./stale\n"
    "  sidewinder run -m now -n 16 --set serve.policy=interrupt --json now.json -q ./histogram\n"
    "  sidewinder run -m t3d -n 512 --set nodes=512 --report halo.txt ./halo fence 4096\n"
    "\n"
    "'sidewinder machines' lists the machines; 'sidewinder machines NAME' shows every key that "
    "--set accepts.\n";

bool cli_run_options_read(struct cli_run_options *o, int *argc, char ***argv, GError **error)
{
    const GOptionEntry entries[] = {
        {"machine", 'm', 0, G_OPTION_ARG_FILENAME, &o->machine,
         "Machine to run on: a name, or a platform file", "MACHINE"},
        {"ranks", 'n', 0, G_OPTION_ARG_STRING, &o->ranks_text, "Number of ranks, one a processor",
         "N"},
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o->set,
         "Change one parameter of the machine, or all that fit a pattern such as net.overhead_*; "
         "may be repeated",
         "KEY=VALUE"},
        {"quantum", 0, 0, G_OPTION_ARG_STRING, &o->quantum,
         "How far a rank may run ahead of the others between accesses to shared memory; with 0 "
         "every access is exact",
         "TIME"},
        {"report", 0, 0, G_OPTION_ARG_FILENAME, &o->report,
         "Write the text report to FILE (-: standard error)", "FILE"},
        {"json", 0, 0, G_OPTION_ARG_FILENAME, &o->json, "Write the report as JSON to FILE", "FILE"},
        {"trace", 0, 0, G_OPTION_ARG_FILENAME, &o->trace,
         "Write the events of every rank and operation to FILE (see sidewinder trace)", "FILE"},
        {"view", 0, 0, G_OPTION_ARG_FILENAME, &o->view,
         "Write a page for a browser to FILE (see sidewinder view). Where it has findings "
         "(stale loads, lost updates, contended cache lines), PROGRAM runs a second time, quietly, "
         "to film the first ten",
         "FILE"},
        {"watch", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o->watch,
         "Film the copies of these bytes in the trace and the page: "
         "WINDOW:RANK:OFFSET[:BYTES][@TIME]. The film has the first 400 steps, or those around "
         "TIME; may be repeated",
         "MEMORY"},
        {"profile", 0, 0, G_OPTION_ARG_FILENAME, &o->profile,
         "Write where the time went, line by line, to FILE (see sidewinder profile)", "FILE"},
        {"profile-hits", 0, 0, G_OPTION_ARG_NONE, &o->profile_hits,
         "With --profile, count the loads and stores of each variable that hit, too; slow where "
         "most hit",
         NULL},
        {"critical-path", 0, 0, G_OPTION_ARG_NONE, &o->critical_path,
         "Report the critical path: the chain of what had to wait for what, from the end back to "
         "the start",
         NULL},
        {"graph", 0, 0, G_OPTION_ARG_FILENAME, &o->graph,
         "Write what had to wait for what, of the whole run, to FILE (see sidewinder limits)",
         "FILE"},
        {"check", 0, 0, G_OPTION_ARG_NONE, &o->check,
         "Judge accesses to windows by the rules of the standard", NULL},
        {"check-memory", 0, 0, G_OPTION_ARG_NONE, &o->check_memory,
         "Report stores beyond the end of heap blocks and into freed ones", NULL},
        {"rules", 0, 0, G_OPTION_ARG_STRING, &o->rules,
         "Which findings of --check count: unified (default), separate or mpi2", "MODEL"},
        {"check-exit", 0, 0, G_OPTION_ARG_STRING, &o->check_exit_text,
         "Exit with N when --check finds an error and the program itself exits with 0", "N"},
        {"pair", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o->pair,
         "With --check, write the bytes of two accesses that conflict into the JSON: a violation's "
         "\"pair\" in an earlier run's JSON; may be repeated",
         "PAIR"},
        {"order", 0, 0, G_OPTION_ARG_STRING, &o->order,
         "The same, and the second of the two waits until the first is complete", "PAIR"},
        {"label", 'l', 0, G_OPTION_ARG_NONE, &o->label,
         "Put the rank before each line that the program prints", NULL},
        {"debugger", 0, 0, G_OPTION_ARG_STRING, &o->debugger,
         "Run everything under this command (see sidewinder gdb)", "COMMAND"},
        {"force", 0, 0, G_OPTION_ARG_NONE, &o->force,
         "Run even if this computer may not have the memory", NULL},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &o->quiet, "Print no report on standard error", NULL},
        {"help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this help", NULL},
        {"version", 0, 0, G_OPTION_ARG_NONE, &o->version, "Show the version", NULL},
        G_OPTION_ENTRY_NULL};
    const struct cli_synopsis synopsis = {
        .command = "sidewinder run",
        .summary = "Runs an MPI program on a simulated machine and reports the time "
                   "it would take and the stale values it would read.",
        .description = examples,
        .entries = entries,
        .help = &o->help,
    };
    if (!cli_line_read(&o->line, &synopsis, argc, argv, error) ||
        !cli_whole("-n", o->ranks_text, &o->ranks, error) ||
        !cli_whole("--check-exit", o->check_exit_text, &o->check_exit, error))
        return false;
    if (o->version && !o->help) cli_print_version();
    return true;
}

/* ---- do they fit each other? --------------------------------------------------------------------
 */

static bool refuse(GError **error, int code, const char *format, ...) G_GNUC_PRINTF(3, 4);
static bool refuse(GError **error, int code, const char *format, ...)
{
    va_list words;
    va_start(words, format);
    g_autofree char *text = g_strdup_vprintf(format, words);
    va_end(words);
    g_set_error_literal(error, BASE_ERROR, code, text);
    return false;
}

/* The next option would be missing otherwise. */
static bool files_given(const struct cli_run_options *o, GError **error)
{
    return cli_is_file("--report", o->report, error) && cli_is_file("--json", o->json, error) &&
           cli_is_file("--trace", o->trace, error) && cli_is_file("--view", o->view, error) &&
           cli_is_file("--profile", o->profile, error) && cli_is_file("--graph", o->graph, error);
}

static bool all_given(const struct cli_run_options *o, const char *program, GError **error)
{
    if (!program)
        return refuse(error, BASE_ERROR_SYNTAX,
                      "no program given; expected -m MACHINE -n N PROGRAM [ARGUMENT...]");
    if (!o->machine)
        return refuse(error, BASE_ERROR_SYNTAX,
                      "no machine given; use -m MACHINE (sidewinder machines lists them)");
    if (o->ranks == G_MININT)
        return refuse(error, BASE_ERROR_SYNTAX, "no number of ranks given; use -n N");
    if (o->ranks < 1)
        return refuse(error, BASE_ERROR_RANGE, "-n %d: out of range; at least one rank is needed",
                      o->ranks);
    return true;
}

static bool rules_known(const struct cli_run_options *o, GError **error)
{
    static const char *const known[] = {"unified", "separate", "mpi2", NULL};
    if (o->check_exit < 0 || o->check_exit > 255)
        return refuse(error, BASE_ERROR_RANGE, "--check-exit %d: accepted are 0 to 255",
                      o->check_exit);
    if (!o->check && (o->rules || o->check_exit))
        return refuse(error, BASE_ERROR_SYNTAX, "%s needs --check",
                      o->rules ? "--rules" : "--check-exit");
    if (!o->rules || g_strv_contains(known, o->rules)) return true;
    return refuse(error, BASE_ERROR_RANGE, "--rules %s: accepted are unified, separate and mpi2",
                  o->rules);
}

static bool watch_known(const struct cli_run_options *o, GError **error)
{
    struct op_memory memory;
    for (char **watch = o->watch; watch && *watch; watch++)
        if (!op_memory_read(*watch, &memory, error)) {
            g_prefix_error(error, "--watch ");
            return false;
        }
    if (!o->watch || o->trace || o->view) return true;
    return refuse(error, BASE_ERROR_SYNTAX, "--watch needs --view or --trace");
}

bool cli_run_options_complete(const struct cli_run_options *o, const char *program, GError **error)
{
    return files_given(o, error) && all_given(o, program, error);
}

bool cli_run_options_fit(const struct cli_run_options *o, GError **error)
{
    if (!rules_known(o, error)) return false;
    if (o->profile_hits && !o->profile)
        return refuse(error, BASE_ERROR_SYNTAX, "--profile-hits needs --profile");
    if (!watch_known(o, error)) return false;
    if (!o->check && (o->pair || o->order))
        return refuse(error, BASE_ERROR_SYNTAX, "--pair and --order need --check");
    return true;
}

void cli_run_options_clear(struct cli_run_options *o)
{
    char *text[] = {o->machine, o->ranks_text, o->check_exit_text, o->quantum, o->report, o->json,
                    o->trace,   o->view,       o->profile,         o->graph,   o->rules,  o->order,
                    o->debugger};
    char **list[] = {o->set, o->watch, o->pair};
    for (size_t i = 0; i < G_N_ELEMENTS(text); i++) g_free(text[i]);
    for (size_t i = 0; i < G_N_ELEMENTS(list); i++) g_strfreev(list[i]);
    cli_line_clear(&o->line);
}
