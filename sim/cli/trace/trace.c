/* sidewinder trace: what `sidewinder run --trace` wrote, for people (trails of operations) and for
 * viewers (time lines). */
#include "cli/common/common.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/trace/trace.h"

#include "report/timeline/timeline.h"
#include "report/trail/trail.h"

#include <stdio.h>
#include <string.h>

static int fail(const GError *error, enum cli_exit code)
{
    fprintf(stderr, "sidewinder trace: %s\n", error->message);
    return code;
}

static const char explanation[] =
    "Steps:\n"
    "  called      the program's call\n"
    "  departed    the last byte left the origin\n"
    "  arrived     at the target's node\n"
    "  serviced    the target's part began\n"
    "  performed   memory was written or read\n"
    "  completed   the origin has been notified\n"
    "Times after \"called\" count from the step before; \"-\" is a "
    "step the operation did not take.\nA time line shows for each rank when it computed, stalled "
    "on memory, serviced others and waited, and in which call.\n"
    "It also shows when each network interface was busy, an arrow for each operation, stale loads "
    "and violations.\n"
    "Time is charged in bulk: between two calls, waits or servicings, all computing is drawn "
    "first, then all stalls. The sums equal the report's.\n\n"
    "Examples:\n"
    "  sidewinder run -m now -n 2 --trace walk.trace ./pingpong\n"
    "  sidewinder trace --first 20 walk.trace\n"
    "  sidewinder trace --operation 7 walk.trace           # one operation, in words\n"
    "  sidewinder trace --paje walk.paje walk.trace        # then: vite walk.paje, or pj_dump "
    "walk.paje\n"
    "  sidewinder trace --chrome walk.json walk.trace      # then open it at "
    "https://ui.perfetto.dev\n";

struct options {
    int first, operation;
    gboolean help;
    char **output; /* by format; NULL: not wanted */
};

/* Where the time lines go: to files of their own. */
static bool outputs(struct options *o, const char *input, GError **error)
{
    size_t formats;
    const struct report_format *const *format = report_formats(&formats);
    g_autofree struct cli_named *file = g_new0(struct cli_named, formats + 1);
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < formats; i++) {
        g_autofree char *name = g_steal_pointer(&o->output[i]);
        char *option = g_strconcat("--", format[i]->name, NULL);
        g_ptr_array_add(words, option);
        if (name && !(o->output[i] = cli_output(option, name, error))) return false;
        file[i] = (struct cli_named){option, o->output[i]};
    }
    file[formats] = (struct cli_named){"the trace", strcmp(input, "-") == 0 ? NULL : input};
    return cli_outputs_apart(file, formats, formats + 1, error);
}

static bool parse(int *argc, char ***argv, struct options *o, GError **error)
{
    size_t formats;
    const struct report_format *const *format = report_formats(&formats);
    g_autofree char *first = NULL, *operation = NULL;
    const GOptionEntry fixed[] = {
        {"first", 0, 0, G_OPTION_ARG_STRING, &first,
         "Print only the first N operations; the means are over all", "N"},
        {"operation", 0, 0, G_OPTION_ARG_STRING, &operation,
         "Describe the steps of operation K in words", "K"},
        {"help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this help", NULL}};
    g_autoptr(GArray) entries = g_array_new(TRUE, TRUE, sizeof(GOptionEntry));
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
    o->output = g_new0(char *, formats + 1);
    for (size_t i = 0; i < formats; i++) {
        char *doc = g_strdup_printf("Write a %s (-: standard output)", format[i]->doc);
        g_ptr_array_add(words, doc);
        GOptionEntry entry = {format[i]->name, 0,   0,    G_OPTION_ARG_FILENAME,
                              &o->output[i],   doc, "OUT"};
        g_array_append_val(entries, entry);
    }
    g_array_prepend_vals(entries, fixed, G_N_ELEMENTS(fixed));
    g_autoptr(GOptionContext) context = g_option_context_new("FILE");
    g_option_context_set_summary(context,
                                 "Prints the steps of every operation in a trace, one operation "
                                 "per line. Or describes one of them in words,\n"
                                 "or writes a time line of all ranks and network interfaces.");
    g_option_context_set_description(context, explanation);
    if (!cli_options_read(context, (const GOptionEntry *)(const void *)entries->data,
                          "sidewinder trace", argc, argv, error) ||
        !cli_whole("--first", first, &o->first, error) ||
        !cli_whole("--operation", operation, &o->operation, error))
        return false;
    if (o->help) {
        cli_print_help(context);
        return true;
    }
    int to_stdout = 0;
    for (size_t i = 0; i < formats; i++)
        to_stdout += o->output[i] && strcmp(o->output[i], "-") == 0;
    if (first && o->first < 0)
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                    "--first %s: accepted are whole numbers from 0", first);
    else if (operation && o->operation < 1)
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                    "--operation %s: accepted are whole numbers from 1", operation);
    else if (*argc != 2)
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "give one FILE, as written by sidewinder run --trace FILE");
    else if (to_stdout + (o->operation != G_MININT) > 1)
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "only one of --operation and time lines can go to standard output");
    else
        return outputs(o, (*argv)[1], error);
    return false;
}

/* Everything that needs the whole trace. */
static bool show(const struct options *o, FILE *in, const char *name, GError **error)
{
    size_t formats;
    const struct report_format *const *format = report_formats(&formats);
    struct report_trace *trace = report_trace_load(in, name, error);
    bool good = trace != NULL;
    if (good && o->operation != G_MININT) {
        good = report_trail_text(trace, (uint64_t)o->operation, stdout, error);
        if (!good) g_prefix_error(error, "%s: ", name);
    }
    for (size_t i = 0; good && i < formats; i++)
        if (o->output[i]) good = report_trace_write(trace, format[i], o->output[i], error);
    report_trace_free(trace);
    return good;
}

int cli_trace(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    struct options o = {.first = -1, .operation = G_MININT};
    g_autofree char **words = g_memdup2(argv, sizeof *argv * ((gsize)argc + 1));
    char **rest = words;
    bool parsed = parse(&argc, &rest, &o, &error);
    bool whole = o.operation != G_MININT;
    size_t formats;
    report_formats(&formats);
    for (size_t i = 0; i < formats; i++) whole = whole || o.output[i];
    int code = CLI_DONE;
    if (!parsed) {
        code = fail(error,
                    g_error_matches(error, BASE_ERROR, BASE_ERROR_FILE) ? CLI_FAILED : CLI_USAGE);
    } else if (!o.help) {
        const char *name = rest[1];
        bool standard = strcmp(name, "-") == 0;
        FILE *in = standard ? stdin : report_trace_open(name, &error);
        bool good = in && (whole ? show(&o, in, name, &error)
                                 : report_trail_table(in, name, o.first, stdout, &error));
        if (in && !standard) fclose(in);
        if (!good) code = fail(error, CLI_FAILED);
    }
    for (size_t i = 0; i < formats; i++) g_free(o.output[i]);
    g_free(o.output);
    return code;
}
