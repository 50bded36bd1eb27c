/* sidewinder profile: where the time of a run went, as tables, beside the source, or for other
 * viewers. */
#include "cli/profile/profile.h"

#include "cli/common/common.h"
#include "cli/common/options.h"
#include "cli/profile/parts.h"

#include <stdio.h>
#include <string.h>

static const char explanation[] =
    "Times are simulated, sums over all ranks:\n"
    "  compute   the blocks of the line, each load a hit of the first level\n"
    "  stall     what its loads and stores waited for caches, bus and memory\n"
    "  wait      what its MPI calls waited\n"
    "  service   others' operations that took the processor meanwhile\n"
    "An overlapped stall belongs to the load that missed. A line of an inlined function counts in "
    "the function it\n"
    "became part of.\n"
    "\"(elsewhere)\" is the rest to the "
    "totals: start and end, libraries, servicing; by variable, stalls in MPI calls, too. It is "
    "negative\nwhere a program "
    "computes after MPI_Finalize. The same holds where MPI ran the program's own operations: "
    "these\n"
    "count on their lines and in the call that needed them.\n"
    "LOADS and STORES are the program's instructions; misses are lines of each level of cache.\n"
    "By variable, they are the loads and stores that waited; HITS those that missed in no cache, "
    "where sidewinder run --profile-hits counted them; OPS puts, gets and accumulates,\nto it, "
    "from it or into it. A block of the heap is named by the line that allocated it, an array\non "
    "the stack by the function that used it.\n"
    "By call: the tree of functions as they were called, MPI calls below them; each with what it "
    "called, "
    "but for\nSELF. Recursion counts once a chain. What a function in line costs is its caller's. "
    "A stall "
    "counts where it was\nwaited for. Below, the MPI calls by line, and who caused waits.\n"
    "By lock: QUEUED had to wait for another's release, QUEUE at most at a time. HAND-OVER is the "
    "mean "
    "time from\na release to the grant of the next one queued, HELD from a grant to the "
    "release.\n\n"
    "Examples:\n"
    "  sidewinder run -m t3d -n 4 --profile halo.profile ./halo\n"
    "  sidewinder profile halo.profile\n"
    "  sidewinder profile --by call halo.profile            # the tree of calls; waits, and their "
    "causes\n"
    "  sidewinder profile --by lock halo.profile            # who waits for whose locks\n"
    "  sidewinder profile --by memory halo.profile          # cache lines that ranks contend for\n"
    "  sidewinder profile --by variable halo.profile        # variables, heap blocks, windows\n"
    "  sidewinder profile --annotate halo.c halo.profile    # or a function's name\n"
    "  sidewinder run -m now -n 4 --profile now.profile -q ./halo\n"
    "  sidewinder profile --by function --against now.profile halo.profile\n"
    "  sidewinder profile --format callgrind halo.profile > callgrind.out.halo   # kcachegrind\n"
    "  sidewinder profile --format speedscope halo.profile > halo.speedscope.json\n";

struct options {
    char *by, *against, *annotate, *source, *format, *top_text;
    int top;
    gboolean help;
};

static bool one_of(const char *option, const char *word, const char *const *known, GError **error)
{
    if (!word || g_strv_contains(known, word)) return true;
    g_autofree char *all = g_strjoinv(", ", (char **)known);
    g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE, "%s %s: accepted are %s", option, word, all);
    return false;
}

static bool by_word(const struct options *o, const char *word)
{
    return o->by && strcmp(o->by, word) == 0;
}

static bool check(const struct options *o, int argc, GError **error)
{
    static const char *const by[] = {"line",   "function", "call", "lock",
                                     "memory", "variable", NULL};
    static const char *const format[] = {"text", "callgrind", "speedscope", NULL};
    bool other = o->format && strcmp(o->format, format[0]) != 0;
    if (!one_of("--by", o->by, by, error) || !one_of("--format", o->format, format, error))
        return false;
    if (o->top < 0)
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                    "--top %s: accepted are whole numbers from 0", o->top_text);
    else if (argc != 2)
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "give one FILE, as written by sidewinder run --profile FILE");
    else if ((o->annotate != NULL) + (o->against != NULL) + other > 1)
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "one of --annotate, --against and --format at a time");
    else if (o->by && (o->annotate || other))
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "--by is for tables");
    else if (o->against && o->by && !by_word(o, "line") && !by_word(o, "function"))
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "--against compares lines or functions");
    else if (o->source && !o->annotate)
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "--source needs --annotate");
    else
        return true;
    return false;
}

static bool parse(int *argc, char ***argv, struct options *o, GError **error)
{
    const GOptionEntry entries[] = {
        {"by", 0, 0, G_OPTION_ARG_STRING, &o->by,
         "Add up by line (the default), function, call, lock, variable, or memory: cache lines "
         "that moved",
         "WHAT"},
        {"top", 0, 0, G_OPTION_ARG_STRING, &o->top_text, "Print only the first N rows (20; 0: all)",
         "N"},
        {"annotate", 0, 0, G_OPTION_ARG_FILENAME, &o->annotate,
         "Print the source of a file or function with what each line cost", "NAME"},
        {"source", 0, 0, G_OPTION_ARG_FILENAME, &o->source, "Look for the source in FOLDER first",
         "FOLDER"},
        {"against", 0, 0, G_OPTION_ARG_FILENAME, &o->against,
         "Print the difference of OTHER, of another machine or version, to FILE", "OTHER"},
        {"format", 0, 0, G_OPTION_ARG_STRING, &o->format,
         "Write text, callgrind (callgrind_annotate, kcachegrind) or speedscope", "FORMAT"},
        {"help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this help", NULL},
        {0}};
    g_autoptr(GOptionContext) context = g_option_context_new("FILE");
    g_option_context_set_summary(
        context, "Shows where the time of a run went: by line, function or call, beside the "
                 "source, or against another run.");
    g_option_context_set_description(context, explanation);
    if (!cli_options_read(context, entries, "sidewinder profile", argc, argv, error) ||
        !cli_whole("--top", o->top_text, &o->top, error))
        return false;
    if (o->help) {
        cli_print_help(context);
        return true;
    }
    return check(o, *argc, error);
}

static void show_calls(const struct cli_profile *p, int top)
{
    if (p->chain->len)
        cli_profile_chains(p, top);
    else
        cli_profile_head(p);
    cli_profile_calls(p, top);
}

static bool show(const struct options *o, const struct cli_profile *p,
                 const struct cli_profile *other, GError **error)
{
    bool by_function = by_word(o, "function");
    if (o->annotate) return cli_profile_annotate(p, o->annotate, o->source, error);
    if (other)
        cli_profile_difference(p, other, by_function, o->top);
    else if (o->format && strcmp(o->format, "callgrind") == 0)
        cli_profile_callgrind(p, stdout);
    else if (o->format && strcmp(o->format, "speedscope") == 0)
        cli_profile_speedscope(p, stdout);
    else if (by_word(o, "call"))
        show_calls(p, o->top);
    else if (by_word(o, "lock"))
        cli_profile_locks(p, o->top);
    else if (by_word(o, "memory"))
        cli_profile_memory(p, o->top);
    else if (by_word(o, "variable"))
        cli_profile_variables(p, o->top);
    else
        cli_profile_table(p, by_function, o->top);
    return true;
}

static void clear(struct options *o)
{
    g_free(o->by);
    g_free(o->against);
    g_free(o->annotate);
    g_free(o->source);
    g_free(o->format);
    g_free(o->top_text);
}

int cli_profile(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    struct options o = {.top = 20};
    g_autofree char **words = g_memdup2(argv, sizeof *argv * ((gsize)argc + 1));
    char **rest = words;
    int code = CLI_DONE;
    if (!parse(&argc, &rest, &o, &error)) {
        code = CLI_USAGE;
    } else if (!o.help) {
        struct cli_profile *p = cli_profile_read(rest[1], &error);
        struct cli_profile *other = p && o.against ? cli_profile_read(o.against, &error) : NULL;
        bool good = p && (!o.against || other) && show(&o, p, other, &error);
        cli_profile_free(p);
        cli_profile_free(other);
        if (!good) code = CLI_FAILED;
    }
    if (code != CLI_DONE) fprintf(stderr, "sidewinder profile: %s\n", error->message);
    clear(&o);
    return code;
}
