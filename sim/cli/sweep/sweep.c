/* sidewinder sweep: runs an experiment's points by a launcher and writes their table.
 */
#include "cli/common/common.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/child.h"
#include "cli/sweep/parts.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct options {
    char *output, *launcher, *jobs_text, *sample_text;
    char **only;
    int jobs, point, sample;
    gboolean dry_run, help;
    bool to_stdout;
};

static const char explanation[] =
    "EXPERIMENT is a key file, or the folder that holds it as experiment.ini:\n"
    "\n"
    "  [experiment]\n"
    "  title=Who does the work\n"
    "  source=halo.c                       compiled once with 'sidewinder cc'; or program=PATH\n"
    "  cflags=-O2 -g                       flags to compile source with (default: -O2 -g)\n  "
    "arguments={variant} 64 {n}          of the program; {NAME}: a value of [vary]; also "
    "{machine}, {ranks}, {seed}\n  machines=t3d;now;mine.xml           names, or platform files\n"
    "  ranks=2..64*2                       lists a;b;c, ranges FROM..TO*FACTOR and FROM..TO+STEP, "
    "with units: 1us..64us*2\n"
    "  repetitions=3                       seeds 1 to 3, a column: for caches with random "
    "replacement, and for {seed}\n  run=--quantum 0                     more options of "
    "'sidewinder run'\n"
    "\n"
    "  [vary]                              every combination is a point, the last varying fastest\n"
    "  serve.policy=polling;interrupt      a machine's key ('sidewinder machines --keys'): becomes "
    "--set\n"
    "  net.overhead_*=1us..16us*2          all keys that fit the pattern, together\n"
    "  variant=fence;pscw                  any other name: replaces {variant} in arguments, "
    "source, program, cflags, run\n  n=64..1024*4\n"
    "\n"
    "  [points]                            optional: only points that fit all lines of one group "
    "[points], [points 2]...\n  machine=now\n"
    "\n"
    "  [measure]                           column=source of its value\n  time_us=json:time_s * 1e6 "
    "          a path as in 'sidewinder compare --key', multiplied or divided by a number\n  "
    "stale=json:sum(rank[*].stale_loads) sum, mean, max, min; operations[put].count: number of "
    "puts\n  step_us=line:took ([0-9.]+) us      what (...) captures where the regular expression "
    "first matches the output\n\n"
    "File names are relative to the experiment's folder, in which the program runs as well. "
    "data.csv is\nwritten there: comment lines with version, command and the machines' "
    "digests, then one row per point, in order.\nIt is replaced atomically when all points are "
    "done.\n\n"
    "Until then finished points are kept in the folder .sweep beside it: an interrupted sweep "
    "continues where it\nstopped when it is started again. A point counts as finished only for the "
    "same command, program, machine and\nsimulator. Failed points have a row without measures and "
    "a column with the reason; the next sweep runs only\nthem again.\n";

static const char examples[] =
    "Examples:\n"
    "  sidewinder sweep results/agents\n"
    "  sidewinder sweep --only machine=now --only 'ranks=2;4' experiment.ini\n"
    "  sidewinder sweep --dry-run experiment.ini\n"
    "  sidewinder sweep --launcher 'parallel:--sshlogin 8/alpha,8/beta' experiment.ini\n"
    "  sidewinder sweep --launcher 'slurm:--partition batch --time 30' --jobs 64 experiment.ini\n"
    "\n"
    "Exit status: 0 all points are in data.csv; 1 some failed, or nothing could be written; 2 the "
    "experiment or the command line is invalid.\n";

/* ---- the command line ------------------------------------------------------------------------ */

/* The table replaces its file in one step at the end. "-" is none: .sweep is then where it is
 * without the option. */
static bool output(struct options *o, GError **error)
{
    if (!o->output) return true;
    g_autofree char *name = g_steal_pointer(&o->output);
    o->to_stdout = strcmp(name, "-") == 0;
    if (o->to_stdout) return true;
    o->output = cli_output_regular("--output", "a table", name, error);
    return o->output != NULL;
}

static bool parse(int *argc, char ***argv, struct options *o, GError **error)
{
    const GOptionEntry entries[] = {
        {"jobs", 'j', 0, G_OPTION_ARG_STRING, &o->jobs_text,
         "Run N points at once (default: one per processor, or the launcher's own choice)", "N"},
        {"launcher", 0, 0, G_OPTION_ARG_STRING, &o->launcher, "How to run the points; see below",
         "NAME[:OPTIONS]"},
        {"only", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o->only,
         "Only points with these values; may be repeated. The table goes to standard output; the "
         "points are kept for the full sweep",
         "NAME=VALUES"},
        {"sample", 0, 0, G_OPTION_ARG_STRING, &o->sample_text,
         "Only N points, spread evenly; otherwise like --only", "N"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &o->output,
         "Write the table to FILE instead of data.csv, and .sweep beside it (-: standard output)",
         "FILE"},
        {"dry-run", 0, 0, G_OPTION_ARG_NONE, &o->dry_run,
         "Print the commands of all points without running them", NULL},
        {"point", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_INT, &o->point,
         "Run point K and record it in the journal; started by launchers", "K"},
        {"help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this help", NULL},
        G_OPTION_ENTRY_NULL};
    g_autoptr(GOptionContext) context = g_option_context_new("EXPERIMENT");
    g_autofree char *launchers = cli_launchers_help(),
                    *text =
                        g_strdup_printf("%s\nLaunchers:\n%s\n%s", explanation, launchers, examples);
    g_option_context_set_summary(
        context, "Runs all points of an experiment, several at once, and writes one table.");
    g_option_context_set_description(context, text);
    if (!cli_options_read(context, entries, "sidewinder sweep", argc, argv, error) ||
        !cli_whole("--jobs", o->jobs_text, &o->jobs, error) ||
        !cli_whole("--sample", o->sample_text, &o->sample, error))
        return false;
    if (o->help) {
        cli_print_help(context);
    } else if (*argc != 2) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    *argc < 2 ? "no experiment given; usage: sidewinder sweep EXPERIMENT"
                              : "only one experiment can be run; unexpected argument %s",
                    (*argv)[2]);
        return false;
    } else if ((o->jobs_text && o->jobs < 1) || (o->sample_text && o->sample < 1)) {
        bool jobs = o->jobs_text && o->jobs < 1;
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE, "%s %s: accepted are whole numbers from 1",
                    jobs ? "--jobs" : "--sample", jobs ? o->jobs_text : o->sample_text);
        return false;
    }
    return o->help || output(o, error);
}

static int fail(const GError *error, enum cli_exit code)
{
    fprintf(stderr, "sidewinder sweep: %s\n", error->message);
    return code;
}

/* ---- what it can do -------------------------------------------------------------------------- */

static int dry_run(const struct cli_sweep *s)
{
    g_autofree char *cd = cli_words("cd", (char *[]){s->e->folder, NULL}),
                    *mkdir = cli_words("mkdir -p", (char *[]){s->journal, NULL});
    printf("%s\n", cd);
    for (int i = 0; i < s->programs; i++) {
        if (!s->program[i].compile) continue;
        g_autofree char *command = cli_words("", s->program[i].compile);
        if (i == 0) puts(mkdir);
        puts(command);
    }
    for (guint i = 0; i < s->chosen->len; i++) {
        g_autofree char *command =
            cli_words("", ((struct cli_point *)s->chosen->pdata[i])->command);
        puts(command);
    }
    return CLI_DONE;
}

static int one_point(struct cli_sweep *s, int number)
{
    g_autoptr(GError) error = NULL;
    if (number > s->points) {
        g_set_error(&error, BASE_ERROR, BASE_ERROR_RANGE, "--point %d: there are %d", number,
                    s->points);
        return fail(error, CLI_USAGE);
    }
    mkdir(s->journal, 0777);
    return cli_sweep_compile(s, false, &error) ? cli_sweep_point(s, &s->point[number - 1])
                                               : fail(error, CLI_FAILED);
}

/* Points without a record, or with a failed one. */
static GPtrArray *to_do(const struct cli_sweep *s)
{
    GPtrArray *todo = g_ptr_array_new();
    for (guint i = 0; i < s->chosen->len; i++) {
        struct cli_record *record = cli_record_read(s, s->chosen->pdata[i]);
        if (!record || record->failed) {
            cli_record_remove(s, s->chosen->pdata[i]);
            g_ptr_array_add(todo, s->chosen->pdata[i]);
        }
        cli_record_free(record);
    }
    return todo;
}

static GPtrArray *command_of(const struct cli_sweep *s, const struct options *o)
{
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(words, g_strdup("sidewinder"));
    g_ptr_array_add(words, g_strdup("sweep"));
    for (char **only = o->only; only && *only; only++) {
        g_ptr_array_add(words, g_strdup("--only"));
        g_ptr_array_add(words, g_strdup(*only));
    }
    if (o->sample) g_ptr_array_add(words, g_strdup_printf("--sample=%d", o->sample));
    g_ptr_array_add(words, g_path_get_basename(s->file));
    g_ptr_array_add(words, NULL);
    return words;
}

/* A partial table is printed; only a complete one replaces data.csv. */
static int finish(struct cli_sweep *s, const struct options *o, GError **error)
{
    int failed;
    bool part = o->only || o->sample;
    g_autoptr(GPtrArray) command = command_of(s, o);
    g_autofree char *table = cli_sweep_table(s, (char **)command->pdata, &failed);
    if (o->to_stdout || (part && !o->output))
        fputs(table, stdout);
    else if (!g_file_set_contents_full(s->output, table, -1,
                                       G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                       0666, error))
        return CLI_FAILED;
    if (failed) {
        cli_sweep_show_failed(s);
        fprintf(stderr,
                "sidewinder sweep: %d of %u points failed; the others are kept; run the same sweep "
                "again to retry only these\n",
                failed, s->chosen->len);
    } else if (!part) {
        cli_journal_remove(s);
    }
    return failed ? CLI_FAILED : CLI_DONE;
}

static int stopped(struct cli_sweep *s)
{
    int signal = s->stopped;
    guint kept = 0;
    for (guint i = 0; i < s->chosen->len; i++) {
        struct cli_record *record = cli_record_read(s, s->chosen->pdata[i]);
        kept += record && !record->failed;
        cli_record_free(record);
    }
    fprintf(stderr,
            "sidewinder sweep: stopped; %u of %u points are kept; run the same sweep again to "
            "continue\n",
            kept, s->chosen->len);
    cli_sweep_free(s);
    return cli_child_end(signal); /* as a wait status it means: killed by that signal */
}

static int all_points(struct cli_sweep *s, const struct options *o,
                      const struct cli_launcher *launcher, char **launcher_options)
{
    g_autoptr(GError) error = NULL;
    int code = CLI_FAILED;
    if (cli_journal_open(s, &error) && cli_sweep_compile(s, true, &error)) {
        g_autoptr(GPtrArray) todo = to_do(s);
        cli_launch_hold_signals();
        cli_progress_begin(s, todo);
        bool fine = todo->len == 0 || launcher->run(s, todo, o->jobs, launcher_options, &error);
        cli_progress_end();
        if (fine && !s->stopped) code = finish(s, o, &error);
    }
    cli_journal_close(s);
    if (error && !s->stopped) fail(error, CLI_FAILED);
    return code;
}

static int sweep(const char *file, const struct options *o)
{
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) launcher_options = NULL;
    const struct cli_launcher *launcher =
        cli_launcher_find(o->launcher ? o->launcher : "local", &launcher_options, &error);
    struct cli_sweep *s =
        launcher ? cli_sweep_new(file, o->output, o->only, o->sample, &error) : NULL;
    if (!s) return fail(error, CLI_USAGE);
    int code = o->dry_run     ? dry_run(s)
               : o->point > 0 ? one_point(s, o->point)
                              : all_points(s, o, launcher, launcher_options);
    if (s->stopped) return stopped(s);
    cli_sweep_free(s);
    return code;
}

int cli_sweep(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    struct options o = {0};
    /* parsing moves them about */
    g_autofree char **words = g_memdup2(argv, sizeof *argv * ((gsize)argc + 1));
    char **rest = words;
    int code;
    if (!parse(&argc, &rest, &o, &error))
        code = fail(error,
                    g_error_matches(error, BASE_ERROR, BASE_ERROR_FILE) ? CLI_FAILED : CLI_USAGE);
    else
        code = o.help ? CLI_DONE : sweep(rest[1], &o);
    g_free(o.output);
    g_free(o.launcher);
    g_free(o.jobs_text);
    g_free(o.sample_text);
    g_strfreev(o.only);
    return code;
}
