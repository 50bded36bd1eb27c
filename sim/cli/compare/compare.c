/* sidewinder compare: several runs' JSON side by side, or one value of each. */
#include "cli/common/common.h"
#include "cli/common/options.h"
#include "cli/compare/parts.h"

#include <stdio.h>

/* ---- the command ----------------------------------------------------------------------------- */

static int fail(const GError *error, enum cli_exit code)
{
    fprintf(stderr, "sidewinder compare: %s\n", error->message);
    return code;
}

int cli_compare(int argc, char **argv)
{
    g_auto(GStrv) keys = NULL;
    gboolean help = FALSE;
    const GOptionEntry entries[] = {
        {"key", 'k', 0, G_OPTION_ARG_STRING_ARRAY, &keys,
         "Print this value of each file instead of the table, one per line: a path, or "
         "what [measure] of an experiment accepts after json:; may be repeated, then all values "
         "of a file come before the next file's",
         "KEY"},
        {"help", 'h', 0, G_OPTION_ARG_NONE, &help, "Show this help", NULL},
        G_OPTION_ENTRY_NULL};
    g_autoptr(GError) error = NULL;
    g_autoptr(GOptionContext) context = g_option_context_new("A.json B.json...");
    g_option_context_set_summary(
        context,
        "Shows runs side by side, one column for each file written by sidewinder run --json.");
    g_option_context_set_description(
        context, "Examples:\n  sidewinder compare t3d.json smp.json now.json\n"
                 "  sidewinder compare --key 'rank[1].service_s' now.json\n"
                 "  sidewinder compare --key 'operations[put].mean_latency_s' t3d.json now.json\n"
                 "  sidewinder compare --key 'sum(rank[*].stale_loads)' t3d.json smp.json\n"
                 "  sidewinder compare --key 'time_s * 1e6' t3d.json\n");
    if (!cli_options_read(context, entries, "sidewinder compare", &argc, &argv, &error))
        return fail(error, CLI_USAGE);
    if (help) {
        cli_print_help(context);
        return CLI_DONE;
    }
    int runs = argc - 1;
    if (runs < 1) {
        g_set_error(&error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "no file given; usage: sidewinder compare A.json B.json...");
        return fail(error, CLI_USAGE);
    }
    bool good = keys ? cli_compare_print_keys(keys, argv + 1, runs, &error)
                     : cli_compare_table(argv + 1, NULL, runs, &error);
    return good ? CLI_DONE : fail(error, CLI_FAILED);
}
