/* sidewinder limits: what the predicted time of a program hangs on.
 *
 * The program runs on the machine as it is, and once more for each of its times and rates, a little
 * better; and for each part of the machine, a thousand times as fast. Nothing is extrapolated: each
 * number is the difference of two runs. So a change may also change what the program does (whose
 * lock comes first, what is stolen from whom); where the number of its operations changed, the line
 * says so. */
#include "cli/limits/limits.h"

#include "cli/common/child.h"
#include "cli/common/common.h"
#include "cli/common/options.h"
#include "cli/limits/parts.h"

#include "report/print/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct options {
    char *machine, *ranks, *by, *jobs_text, *quantum, **set;
    gboolean help;
    double percent;
    int jobs;
    struct cli_line line;
};

static const char explanation[] =
    "First the critical path of the run on the machine as it is. Then each line is a run of its "
    "own, whose output is dropped: the machine's times, cycles and rates "
    "one by one, better by\n10 %; then whole parts of it, a thousand times as fast. The program's "
    "standard input is empty.\n\n"
    "Examples:\n"
    "  sidewinder limits -m now -n 16 ./halo\n"
    "  sidewinder limits -m t3d -n 8 --by 50 ./halo fence 64\n"
    "  sidewinder limits -m t3d -n 8 --set net.latency=1us ./halo    # of that machine\n"
    "\n"
    "'sidewinder whatif' shows one change in full; 'sidewinder sweep' a range of values.\n";

static bool parse(struct options *o, int *argc, char ***argv, GError **error)
{
    const GOptionEntry entries[] = {
        {"machine", 'm', 0, G_OPTION_ARG_STRING, &o->machine,
         "Machine to run on: a name, or a platform file", "MACHINE"},
        {"ranks", 'n', 0, G_OPTION_ARG_STRING, &o->ranks, "Number of ranks, one a processor", "N"},
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o->set,
         "Change one parameter of the machine first; may be repeated", "KEY=VALUE"},
        {"by", 0, 0, G_OPTION_ARG_STRING, &o->by, "By how much each is better (10)", "PERCENT"},
        {"jobs", 'j', 0, G_OPTION_ARG_STRING, &o->jobs_text,
         "Run so many at once (as there are processors)", "N"},
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
        return true;
    return false;
}

/* ---- the tables ------------------------------------------------------------------------------ */

static double gain(const struct cli_limit *c, const struct cli_limit *base)
{
    return base->time_s > 0 ? (base->time_s - c->time_s) / base->time_s : 0;
}

static int by_gain(gconstpointer a, gconstpointer b, gpointer base)
{
    double x = gain(*(struct cli_limit *const *)a, base),
           y = gain(*(struct cli_limit *const *)b, base);
    return x != y ? (x < y ? 1 : -1) : 0;
}

static const char *course(const struct cli_limit *c, const struct cli_limit *base)
{
    return c->operations != base->operations || c->bytes != base->bytes
               ? "its operations are others, too"
               : "";
}

static void cell(struct report_table *table, double share)
{
    double percent = round(share * 1e4) / 100;
    report_table_cell(table, g_strdup_printf("%s%.2f %%",
                                             percent > 0   ? "-"
                                             : percent < 0 ? "+"
                                                           : "",
                                             fabs(percent)));
}

static void print_keys(GPtrArray *cases, const struct cli_limit *base, double percent)
{
    enum { SMALL = 1000 }; /* a part of so many is not shown */
    g_autoptr(GPtrArray) keys = g_ptr_array_new();
    guint failed = 0, small = 0;
    for (guint i = 1; i < cases->len; i++) {
        struct cli_limit *c = cases->pdata[i];
        if (c->keys) continue;
        if (c->why)
            failed++;
        else if (fabs(gain(c, base)) * SMALL < 1)
            small++;
        else
            g_ptr_array_add(keys, c);
    }
    g_ptr_array_sort_with_data(keys, by_gain, (gpointer)(uintptr_t)base);
    printf("\nPredicted time if one parameter were %g %% better\n", percent);
    struct report_table *table = report_table_new("lrllrrL");
    for (guint i = 0; i < keys->len; i++) {
        const struct cli_limit *c = keys->pdata[i];
        report_table_words(table, c->name);
        report_table_words(table, c->was);
        report_table_words(table, "->");
        report_table_words(table, c->is);
        cell(table, gain(c, base));
        report_table_cell(table, report_time(c->time_s));
        report_table_words(table, course(c, base));
    }
    report_table_print(table, stdout);
    if (small) printf("  %u others: less than 0.1 %% each.\n", small);
    if (failed) printf("  %u others: no time, the run failed.\n", failed);
}

static void print_parts(GPtrArray *cases, const struct cli_limit *base)
{
    printf("\nPredicted time if a part of the machine were %d times as fast\n", CLI_LIMITS_FAST);
    struct report_table *table = report_table_new("lrrrL");
    for (guint i = 1; i < cases->len; i++) {
        const struct cli_limit *c = cases->pdata[i];
        if (!c->keys) continue;
        report_table_words(table, c->name);
        report_table_cell(table, g_strdup_printf("%d %s", c->keys, c->keys == 1 ? "key" : "keys"));
        if (c->why)
            report_table_words(table, "?");
        else
            cell(table, gain(c, base));
        report_table_cell(table, c->why ? g_strdup("") : report_time(c->time_s));
        report_table_words(table, c->why ? "the run failed" : course(c, base));
    }
    report_table_print(table, stdout);
}

static void print_balance(const struct cli_limit *base)
{
    g_autofree char *mean = report_time(base->mean_busy_s), *most = report_time(base->most_busy_s),
                    *saved = report_percent(base->most_busy_s - base->mean_busy_s, base->time_s);
    printf(
        "\nRanks compute and stall for %s on average, the busiest for %s: if all did the same,\nat "
        "most %s of the time would be saved (derived, not run).\n",
        mean, most, saved);
}

static int print(GPtrArray *cases, const struct mach *m, const struct options *o, char **program,
                 GError **error)
{
    const struct cli_limit *base = cases->pdata[0];
    if (base->why) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE,
                    "the run on %s as it is failed (%s): try sidewinder run", m->name, base->why);
        return CLI_FAILED;
    }
    g_autofree char *words = cli_words("", program), *time = report_time(base->time_s);
    printf("%s on %s, %s ranks: %s\n", words + (*words == ' '), m->name, o->ranks, time);
    fputs(base->path, stdout);
    print_keys(cases, base, o->percent);
    print_parts(cases, base);
    print_balance(base);
    printf("\n%u runs. Sizes, numbers of things and policies were not changed: sidewinder whatif, "
           "sweep.\n",
           cases->len);
    return CLI_DONE;
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

static int limits(const struct options *o, char **program, GError **error)
{
    struct mach *m = NULL;
    if (!mach_load(o->machine, (const char *const *)o->set, 0, &m, error)) return CLI_USAGE;
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL),
                    *folder = cli_child_folder("sidewinder-limits-XXXXXX", error);
    g_autofree char **command = command_of(o, self);
    g_autoptr(GPtrArray) cases = cli_limit_cases(m, o->percent);
    int code = CLI_FAILED;
    if (folder && cli_limit_runs(cases, command, program, o->jobs, folder, error))
        code = print(cases, m, o, program, error);
    if (folder) cli_child_remove(folder);
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
    g_free(o.quantum);
    g_strfreev(o.set);
    cli_line_clear(&o.line);
    return code;
}
