/* sidewinder run: one program on one simulated machine.
 *
 * Checks everything that can be checked before the start, writes the run's description (resolved
 * platform, hostfile and run.ini, keys in world/world.h) into a folder of its own, and lets
 * sidewinder-sim run it as a child: its output, exit code and signals are the program's. The folder
 * goes away however the run ends.
 */
#include "cli/common/common.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/cc/cc.h"
#include "cli/common/child.h"
#include "cli/run/parts.h"
#include "cli/run/run.h"

#include "mach/mach.h"
#include "op/op.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct options {
    char *machine, *ranks_text, *quantum, *report, *json, *trace, *view, *profile, *graph;
    char **set, **watch;
    int ranks;
    char *rules, *order, *debugger, **pair;
    char *check_exit_text;
    int check_exit;
    gboolean check, check_memory, critical_path, label, profile_hits;
    gboolean quiet, help, version, force;
    struct cli_line line;
};

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

/* ---- the command line ------------------------------------------------------------------------ */

static bool parse(int *argc, char ***argv, struct options *o, GError **error)
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
         "How far a rank may run ahead of the others between accesses to shared memory; 0: every "
         "access is exact",
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
         "Film the copies of these bytes in the trace and the page, the first 400 steps or those "
         "around TIME: WINDOW:RANK:OFFSET[:BYTES][@TIME]; may be repeated",
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
         "Report stores behind blocks of the heap and into freed ones", NULL},
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

/* "": no report is written. A file given by name is written even with --quiet. */
static char *report_file(const struct options *o, GError **error)
{
    if (!o->report) return g_strdup(o->quiet ? "" : "-");
    return cli_output("--report", o->report, error);
}

static bool wants_colour(const char *report)
{
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM"); /* no-color.org */
    return strcmp(report, "-") == 0 && isatty(STDERR_FILENO) && !(none && *none) &&
           !(terminal && strcmp(terminal, "dumb") == 0);
}

static bool rules_known(const struct options *o, GError **error)
{
    static const char *const known[] = {"unified", "separate", "mpi2", NULL};
    if (o->check_exit < 0 || o->check_exit > 255) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE, "--check-exit %d: accepted are 0 to 255",
                    o->check_exit);
        return false;
    }
    if (!o->check && (o->rules || o->check_exit)) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s needs --check",
                    o->rules ? "--rules" : "--check-exit");
        return false;
    }
    if (!o->rules || g_strv_contains(known, o->rules)) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                "--rules %s: accepted are unified, separate and mpi2", o->rules);
    return false;
}

static bool hits_known(const struct options *o, GError **error)
{
    if (!o->profile_hits || o->profile) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "--profile-hits needs --profile");
    return false;
}

static bool watch_known(const struct options *o, GError **error)
{
    struct op_memory memory;
    for (char **watch = o->watch; watch && *watch; watch++)
        if (!op_memory_read(*watch, &memory, error)) {
            g_prefix_error(error, "--watch ");
            return false;
        }
    if (!o->watch || o->trace || o->view) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "--watch needs --view or --trace");
    return false;
}

static bool pairs_known(const struct options *o, GError **error)
{
    if (o->check || !(o->pair || o->order)) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "--pair and --order need --check");
    return false;
}

/* ---- the description ------------------------------------------------------------------------- */

/* The next option would be missing otherwise. */
static bool files_given(const struct options *o, GError **error)
{
    return cli_is_file("--report", o->report, error) && cli_is_file("--json", o->json, error) &&
           cli_is_file("--trace", o->trace, error) && cli_is_file("--view", o->view, error) &&
           cli_is_file("--profile", o->profile, error) && cli_is_file("--graph", o->graph, error);
}

/* run.ini without the names of its own folder; NULL: *error says what is wrong with the command
 * line. */
static GKeyFile *describe(const struct options *o, const char *program_name, const char *command,
                          struct mach **m, GError **error)
{
    if (!files_given(o, error)) return NULL;
    if (!program_name) {
        g_set_error(
            error, BASE_ERROR, BASE_ERROR_SYNTAX,
            "no program given; usage: sidewinder run -m MACHINE -n N PROGRAM [ARGUMENT...]");
        return NULL;
    }
    if (!o->machine) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "no machine given; use -m MACHINE (sidewinder machines lists them)");
        return NULL;
    }
    if (o->ranks == G_MININT) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "no number of ranks given; use -n N");
        return NULL;
    }
    if (o->ranks < 1) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                    "-n %d: out of range; at least one rank is needed", o->ranks);
        return NULL;
    }
    if (!mach_load(o->machine, (const char *const *)o->set, o->ranks, m, error)) return NULL;
    double quantum_s = -1; /* the machine's */
    if (o->quantum && !base_parse(o->quantum, BASE_SECONDS, (*m)->cpu_clock, &quantum_s, error)) {
        g_prefix_error(error, "--quantum %s: ", o->quantum);
        return NULL;
    }
    if (o->quantum && !(quantum_s >= 0 && quantum_s <= 1)) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE, "--quantum %s: accepted are 0 to 1s",
                    o->quantum);
        return NULL;
    }
    if (!rules_known(o, error) || !hits_known(o, error) || !watch_known(o, error) ||
        !pairs_known(o, error))
        return NULL;
    g_autofree char *program = cli_run_program(program_name, error);
    if (!program) return NULL;
    g_auto(GStrv) libraries = cli_run_libraries(program, error);
    if (!libraries || !cli_run_fits(o->ranks, program, libraries, o->force, error)) return NULL;
    g_autofree char *report = report_file(o, error);
    if (!report) return NULL;
    g_autofree char *json = o->json ? cli_output("--json", o->json, error) : g_strdup("");
    if (!json) return NULL;
    g_autofree char *trace = o->trace ? cli_output("--trace", o->trace, error) : g_strdup("");
    if (!trace) return NULL;
    g_autofree char *profile =
        o->profile ? cli_output("--profile", o->profile, error) : g_strdup("");
    if (!profile) return NULL;

    g_autofree char *graph =
        o->graph ? cli_output_regular("--graph", "a graph", o->graph, error) : g_strdup("");
    if (!graph) return NULL;
    g_autofree char *view = o->view ? cli_output("--view", o->view, error) : g_strdup("");
    if (!view) return NULL;
    const struct cli_named file_of[] = {
        {"--json", json},
        {"--trace", trace},
        {"--view", view},
        {"--profile", profile},
        {"--report", strcmp(report, "-") == 0 ? NULL : report},
        {"--graph", graph},
        {"the program", program},
        {"the machine",
         strchr(o->machine, '/') || g_str_has_suffix(o->machine, ".xml") ? o->machine : NULL},
    };
    if (!cli_outputs_apart(file_of, 6, G_N_ELEMENTS(file_of), error)) return NULL;
    if (*view && strcmp(trace, "-") == 0) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "--view needs the trace as a file: give --trace a name, or leave it out");
        return NULL;
    }

    static const char group[] = "run";
    GKeyFile *file = g_key_file_new();
    g_key_file_set_string(file, group, "program", program);
    g_key_file_set_string(file, group, "machine_name", (*m)->name);
    g_key_file_set_integer(file, group, "ranks", o->ranks);
    g_key_file_set_double(file, group, "quantum_s", quantum_s);
    g_key_file_set_string(file, group, "command", command);
    g_key_file_set_string(file, group, "report", report);
    g_key_file_set_string(file, group, "json", strcmp(json, "-") == 0 ? "/dev/stdout" : json);
    g_key_file_set_string(file, group, "trace", strcmp(trace, "-") == 0 ? "/dev/stdout" : trace);
    g_key_file_set_string(file, group, "profile",
                          strcmp(profile, "-") == 0 ? "/dev/stdout" : profile);
    g_key_file_set_boolean(file, group, "profile_hits", o->profile_hits);
    g_key_file_set_string(file, group, "graph", graph);
    g_auto(GStrv) foreign = cli_cc_read_note(program);
    if (foreign)
        g_key_file_set_string_list(file, group, "uninstrumented", (const char *const *)foreign,
                                   g_strv_length(foreign));
    g_key_file_set_string_list(file, group, CLI_RUN_NEEDS, (const char *const *)libraries,
                               g_strv_length(libraries));
    if (o->set)
        g_key_file_set_string_list(file, group, "set", (const char *const *)o->set,
                                   g_strv_length(o->set));
    if (o->watch)
        g_key_file_set_string_list(file, group, "watch", (const char *const *)o->watch,
                                   g_strv_length(o->watch));
    g_key_file_set_boolean(file, group, "check", o->check);
    g_key_file_set_integer(file, group, "check_exit", o->check_exit);
    g_key_file_set_boolean(file, group, "label", o->label);
    g_key_file_set_boolean(file, group, "check_memory", o->check_memory);
    g_key_file_set_boolean(file, group, "critical_path", o->critical_path);
    g_key_file_set_boolean(file, group, "debugged", o->debugger != NULL);
    if (o->rules) g_key_file_set_string(file, group, "rules", o->rules);
    if (o->order) g_key_file_set_string(file, group, "order", o->order);
    if (o->pair)
        g_key_file_set_string_list(file, group, "pair", (const char *const *)o->pair,
                                   g_strv_length(o->pair));
    g_key_file_set_boolean(file, group, "colour", wants_colour(report));
    g_key_file_set_boolean(file, group, "progress", !o->quiet && isatty(STDERR_FILENO));
    return file;
}

/* name: of the command that the user gave: gdb and mpirun are runs */
static int fail(const char *name, const GError *error, enum cli_exit code)
{
    fprintf(stderr, "sidewinder %s: %s\n", name, error->message);
    return code;
}

int cli_run(int argc, char **argv)
{
    g_autofree char *words = cli_words("sidewinder run", argv + 1),
                    *command = g_utf8_make_valid(words, -1);
    g_autoptr(GError) error = NULL;
    struct options o = {.ranks = G_MININT};
    struct mach *m = NULL;
    int status = -1;
    char **rest = argv;
    g_autoptr(GKeyFile) file = NULL;
    if (parse(&argc, &rest, &o, &error) && !o.help && !o.version)
        file = describe(&o, argc > 1 ? rest[1] : NULL, command, &m, &error);
    if (file) {
        cli_child_hold_signals();
        g_autofree char *folder = cli_child_folder("sidewinder-XXXXXX", &error);
        if (folder) {
            if (o.view && !o.trace) {
                g_autofree char *trace = g_build_filename(folder, "trace", NULL);
                g_key_file_set_string(file, "run", "trace", trace);
            }
            status = cli_run_launch(folder, file, m, o.debugger, rest + 2, false, &error);
            if (status >= 0 && o.view &&
                !cli_run_page(folder, file, m, WIFSIGNALED(status) ? NULL : rest + 2, o.view,
                              &error)) {
                fail(argv[0], error, CLI_FAILED);
                if (status == 0) status = CLI_FAILED << 8;
            }
            cli_child_remove(folder);
        }
        cli_child_release_signals();
    }
    mach_free(m);
    g_free(o.machine);
    g_free(o.ranks_text);
    g_free(o.check_exit_text);
    g_free(o.quantum);
    g_free(o.report);
    g_free(o.json);
    g_free(o.trace);
    g_free(o.view);
    g_strfreev(o.watch);
    g_free(o.profile);
    g_free(o.graph);
    g_free(o.rules);
    g_free(o.order);
    g_strfreev(o.pair);
    g_free(o.debugger);
    g_strfreev(o.set);
    cli_line_clear(&o.line);
    if (o.help || o.version) return CLI_DONE;
    if (status < 0) return fail(argv[0], error, file ? CLI_FAILED : CLI_USAGE);
    return cli_child_end(status);
}
