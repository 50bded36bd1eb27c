/* sidewinder view: a trace as a page for a browser. */
#include "cli/view/view.h"

#include "cli/common/common.h"
#include "cli/common/options.h"
#include "cli/common/output.h"

#include "report/page/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Larger traces make pages that a browser opens slowly: a window of time is proposed. */
enum { LARGE_MB = 100 };

static const char explanation[] =
    "The page has a time line of ranks and network interfaces, tables of findings, calls and "
    "communication,\nlatencies, and the program's source. It is one file, opens from disk and "
    "fetches nothing.\n\n"
    "Examples:\n"
    "  sidewinder run -m t3d -n 8 --trace halo.trace ./halo\n"
    "  sidewinder view halo.trace                        # writes halo.html\n"
    "  sidewinder view halo.trace -o run.html --source src\n"
    "  sidewinder view halo.trace --from 1ms --to 1.2ms  # a part of the run\n"
    "  sidewinder view halo.trace --ranks 0-3,7 --kinds wait,put\n"
    "  sidewinder run -m t3d -n 8 --view run.html ./halo # both at once\n";

struct options {
    char *output, *from, *to, *ranks, *kinds;
    struct report_choice *choice;
    char **source;
    gboolean help, large;
    double from_s, to_s;
};

static bool date(const char *option, const char *text, double *value_s, GError **error)
{
    if (!text) return true;
    if (!base_parse(text, BASE_SECONDS, 0, value_s, error)) {
        g_prefix_error(error, "%s %s: ", option, text);
        return false;
    }
    if (*value_s >= 0) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                "%s %s: accepted are simulated times from 0, such as 1ms", option, text);
    return false;
}

static bool parse(int *argc, char ***argv, struct options *o, GError **error)
{
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &o->output,
         "Write the page to OUT (-: standard output; default: FILE with .html)", "OUT"},
        {"from", 0, 0, G_OPTION_ARG_STRING, &o->from, "Show the run from this simulated time on",
         "TIME"},
        {"to", 0, 0, G_OPTION_ARG_STRING, &o->to, "Show the run up to this simulated time", "TIME"},
        {"ranks", 0, 0, G_OPTION_ARG_STRING, &o->ranks,
         "Show these ranks alone, such as 0-3,8, with the interfaces of their nodes and what other "
         "ranks exchange with them",
         "RANKS"},
        {"kinds", 0, 0, G_OPTION_ARG_STRING, &o->kinds,
         "Show these kinds alone: of compute, memory, service and wait, of send and receive "
         "(interfaces), of put, get, accumulate, get_accumulate and control (operations)",
         "KINDS"},
        {"source", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->source,
         "Look for the program's source in FOLDER (default: here, and beside FILE); may be "
         "repeated",
         "FOLDER"},
        {"large", 0, 0, G_OPTION_ARG_NONE, &o->large, "Make a page of a very large trace", NULL},
        {"help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this help", NULL},
        G_OPTION_ENTRY_NULL};
    g_autoptr(GOptionContext) context = g_option_context_new("FILE");
    g_option_context_set_summary(
        context, "Makes a page for a browser of a trace, as written by sidewinder run --trace.");
    g_option_context_set_description(context, explanation);
    if (!cli_options_read(context, entries, "sidewinder view", argc, argv, error) ||
        !date("--from", o->from, &o->from_s, error) || !date("--to", o->to, &o->to_s, error) ||
        !(o->choice = report_choice_new(o->ranks, o->kinds, error)))
        return false;
    if (o->help) {
        cli_print_help(context);
        return true;
    }
    if (*argc != 2)
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "give one FILE, as written by sidewinder run --trace FILE");
    else if (!(o->from_s < o->to_s))
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE, "--from %s is not before --to %s",
                    o->from ? o->from : "0", o->to);
    else
        return true;
    return false;
}

static struct report_trace *load(const char *name, bool large, GError **error)
{
    struct stat status;
    FILE *in = report_trace_open(name, error);
    if (!in) return NULL;
    if (!large && fstat(fileno(in), &status) == 0 && status.st_size > (off_t)LARGE_MB << 20) {
        fclose(in);
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                    "%s has %ld MB: a page of it would open slowly. Choose a part of the run, for "
                    "example with --from 0 --to 1ms, --ranks 0-7 or --kinds wait,put, or add "
                    "--large",
                    name, (long)(status.st_size >> 20));
        return NULL;
    }
    struct report_trace *trace = report_trace_load(in, name, error);
    fclose(in);
    return trace;
}

static bool make(const char *name, const struct report_page_options *page, bool large,
                 const char *output, GError **error)
{
    struct report_trace *trace = load(name, large, error);
    bool good = trace && report_page_write(trace, page, output, error);
    report_trace_free(trace);
    return good;
}

char **cli_view_memory(const char *name, guint most, GError **error)
{
    struct report_trace *trace = load(name, true, error);
    char **memory = trace ? report_trace_memory(trace, most) : NULL;
    report_trace_free(trace);
    return memory;
}

bool cli_view_make(const char *trace, const char *const *folders, const char *page, GError **error)
{
    struct report_page_options whole = {.to_s = INFINITY, .folders = folders};
    return make(trace, &whole, true, page, error);
}

/* halo.trace: halo.html */
static char *beside(const char *name)
{
    g_autofree char *stem =
        g_strndup(name, strlen(name) - (g_str_has_suffix(name, ".trace") ? strlen(".trace") : 0));
    return g_strconcat(stem, ".html", NULL);
}

static bool view(const char *name, struct options *o, GError **error)
{
    g_autofree char *folder = g_path_get_dirname(name), *output = NULL;
    const char *const usual[] = {".", folder, NULL};
    struct report_page_options page = {
        o->from_s, o->to_s, o->source ? (const char *const *)o->source : usual, o->choice};
    g_autofree char *wanted = o->output ? g_strdup(o->output) : beside(name);
    output = cli_output("--output", wanted, error);
    if (!output) return false;
    const struct cli_named file[] = {{"--output", output}, {"the trace", name}};
    return cli_outputs_apart(file, 1, G_N_ELEMENTS(file), error) &&
           make(name, &page, o->large || o->from || o->to || o->ranks || o->kinds, output, error);
}

int cli_view(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    struct options o = {.to_s = INFINITY};
    g_autofree char **words = g_memdup2(argv, sizeof *argv * ((gsize)argc + 1));
    char **rest = words;
    int code = CLI_DONE;
    if (!parse(&argc, &rest, &o, &error))
        code = CLI_USAGE;
    else if (!o.help && !view(rest[1], &o, &error))
        code = CLI_FAILED;
    if (code != CLI_DONE) fprintf(stderr, "sidewinder view: %s\n", error->message);
    g_free(o.output);
    g_free(o.from);
    g_free(o.to);
    g_free(o.ranks);
    g_free(o.kinds);
    report_choice_free(o.choice);
    g_strfreev(o.source);
    return code;
}
