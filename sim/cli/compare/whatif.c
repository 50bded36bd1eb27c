/* sidewinder whatif: a program on a machine as it is, and with something changed.
 *
 * Two runs of `sidewinder run`, one after the other, that differ only in --set; then what
 * differs: the table of `compare`, where stale values were read, and what the program printed.
 */
#include "cli/common/common.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/compare/parts.h"
#include "cli/common/child.h"
#include "cli/common/machine.h"

#include "mach/mach.h"
#include "report/print/print.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

enum { AS_IT_IS, CHANGED, RUNS };

struct options {
    char **machine, *other, *ranks, *quantum, *json, **base, **set, **key;
    char **changes; /* of the changed machine, nothing relative */
    struct cli_line line;
    gboolean help;
};

/* One of the two. */
struct run {
    char *out, *err, *json, *printed;
    int status;
};

static const char explanation[] =
    "Runs PROGRAM twice: on MACHINE as it is, and with every --set. Shows both runs side by side, "
    "and what the change\ndoes to the time, the stale loads and the output of PROGRAM. Its "
    "standard input is empty.\nCompile PROGRAM with: sidewinder cc -O2 -g PROGRAM.c -o PROGRAM\n\n"
    "What if my network interface did not invalidate caches, so that a put left old lines in "
    "them?\n"
    "  sidewinder whatif -m rdma -n 2 --set coh.protocol=none ./stale\n"
    "What if it did, on a machine where it does not; or if it dropped the lines with that index "
    "(shmem_set_cache_inv on the T3D)?\n  sidewinder whatif -m t3d -n 2 --set coh.protocol=mesi "
    "./stale\n"
    "  sidewinder whatif -m t3d -n 2 --set ni.invalidate=index ./stale\n"
    "What if puts were serviced by an interrupt instead of in the target's next MPI call? If the "
    "network were ten times\nas slow?\n  sidewinder whatif -m now -n 16 --set "
    "serve.policy=interrupt ./halo\n"
    "  sidewinder whatif -m now -n 16 --set net.latency=50us ./halo\n"
    "What if its bandwidth were halved? If, with an interrupt in both, the caches were twice as "
    "large?\n"
    "  sidewinder whatif -m now -n 16 --set net.bandwidth=50% ./halo\n"
    "  sidewinder whatif -m now -n 16 --base-set serve.policy=interrupt --set cache.l1.size=x2 "
    "./halo\n"
    "What if the machine were another one? How many loads would miss?\n"
    "  sidewinder whatif -m t3d -n 2 --with smp --key 'sum(rank[*].cache[0].load_misses)' ./stale\n"
    "\n"
    "'sidewinder machines MACHINE' shows every KEY. For more than two cases use 'sidewinder "
    "sweep'.\n";

/* ---- the command line ------------------------------------------------------------------------ */

static bool refuse(GError **error, const char *what)
{
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s", what);
    return false;
}

/* What is written at the end is refused at the beginning. */
static bool output(struct options *o, const char *program, GError **error)
{
    g_autofree char *json = o->json;
    o->json = json ? cli_output("--json", json, error) : NULL;
    const struct cli_named file[] = {{"--json", o->json}, {"the program", program}};
    return (!json || o->json) && cli_outputs_apart(file, 1, G_N_ELEMENTS(file), error);
}

static bool parse(struct options *o, int *argc, char ***argv, GError **error)
{
    const GOptionEntry entries[] = {
        {"machine", 'm', 0, G_OPTION_ARG_FILENAME_ARRAY, &o->machine,
         "Machine to run on: a name, or a platform file; a second one is that of --with",
         "MACHINE"},
        {"ranks", 'n', 0, G_OPTION_ARG_STRING, &o->ranks, "Number of ranks, one a processor", "N"},
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o->set,
         "Change one parameter of the machine; may be repeated, all changes apply together; 50% or "
         "x2 is relative to its value; net.overhead_* are all keys that fit",
         "KEY=VALUE"},
        {"base-set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o->base,
         "Change one parameter of both runs before; may be repeated", "KEY=VALUE"},
        {"with", 0, 0, G_OPTION_ARG_FILENAME, &o->other,
         "Another machine to run on, instead of MACHINE changed or before the changes", "OTHER"},
        {"key", 'k', 0, G_OPTION_ARG_STRING_ARRAY, &o->key,
         "Show this value of both runs as well, as in sidewinder compare; may be repeated", "KEY"},
        {"json", 0, 0, G_OPTION_ARG_FILENAME, &o->json,
         "Write the JSON of both runs to FILE (-: nothing else to standard output)", "FILE"},
        {"quantum", 0, 0, G_OPTION_ARG_STRING, &o->quantum, "As in sidewinder run, for both runs",
         "TIME"},
        {"help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this help", NULL},
        G_OPTION_ENTRY_NULL};
    const struct cli_synopsis synopsis = {
        .command = "sidewinder whatif",
        .summary = "Runs an MPI program on a machine as it is and on the "
                   "machine changed, and shows the differences.",
        .description = explanation,
        .entries = entries,
        .help = &o->help,
    };
    if (!cli_line_read(&o->line, &synopsis, argc, argv, error)) return false;
    if (o->help) return true;
    if (*argc < 2)
        return refuse(error,
                      "no program given; usage: sidewinder whatif -m MACHINE -n N --set KEY=VALUE "
                      "PROGRAM [ARGUMENT...]");
    if (!o->machine)
        return refuse(error, "no machine given; use -m MACHINE (sidewinder machines lists them)");
    if (g_strv_length(o->machine) > (o->other ? 1 : 2))
        return refuse(error, "two machines at most: -m MACHINE, and -m OTHER or --with OTHER");
    if (o->machine[1]) o->other = g_strdup(o->machine[1]);
    if (!o->ranks) return refuse(error, "no number of ranks given; use -n N");
    if (!o->set && !o->other)
        return refuse(error, "no change given; use --set KEY=VALUE (sidewinder machines MACHINE "
                             "shows every key), or --with OTHER");
    return output(o, (*argv)[1], error);
}

/* The JSON alone goes to standard output? */
static bool json_only(const struct options *o) { return o->json && strcmp(o->json, "-") == 0; }

static char *changed_machine(const struct options *o)
{
    return o->other ? o->other : o->machine[0];
}

static bool keep_machines(struct options *o, const char *folder, GError **error)
{
    return cli_machine_keep(&o->machine[0], folder, "machine.xml", error) &&
           cli_machine_keep(&o->other, folder, "other.xml", error);
}

/* Both machines; false: *error, nothing is loaded. */
static bool load(struct options *o, struct mach **m, GError **error)
{
    const char *const *base = (const char *const *)o->base;
    struct mach *before;
    if (!mach_load(o->machine[0], base, 0, &m[AS_IT_IS], error)) return false;
    bool good = mach_load(changed_machine(o), base, 0, &before, error);
    if (good) {
        good = cli_compare_changes(o->base, o->set, before, &o->changes, error);
        mach_free(before);
    }
    if (good &&
        mach_load(changed_machine(o), (const char *const *)o->changes, 0, &m[CHANGED], error))
        return true;
    mach_free(m[AS_IT_IS]);
    return false;
}

/* Prints the change, and whether it has any effect. */
static void print_question(const struct options *o, struct mach *const *m, char **program)
{
    g_autofree char *words = cli_words("", program), *before = mach_digest(m[AS_IT_IS]),
                    *after = mach_digest(m[CHANGED]);
    printf("What if, for %s with %s rank%s on %s,\n", words, o->ranks,
           strcmp(o->ranks, "1") == 0 ? "" : "s", m[AS_IT_IS]->name);
    if (o->other) printf("  the machine were %s%s\n", m[CHANGED]->name, o->set ? "," : "?");
    for (size_t i = 0; i < mach_keys(); i++)
        if (m[CHANGED]->value[i].from == MACH_FROM_SET &&
            (o->other || strcmp(m[CHANGED]->value[i].text, m[AS_IT_IS]->value[i].text) != 0 ||
             m[AS_IT_IS]->value[i].from != MACH_FROM_SET))
            printf(o->other ? "  and its %s %s?\n" : "  %s were %s instead of %s?\n",
                   mach_key(i)->name, m[CHANGED]->value[i].text, m[AS_IT_IS]->value[i].text);
    if (strcmp(before, after) == 0)
        printf("That changes nothing: the machine has these values already.\n");
    bool invalidate = false;
    for (char **set = o->set; set && *set; set++)
        invalidate = invalidate || g_str_has_prefix(*set, "ni.invalidate=");
    if (invalidate && strcmp(m[CHANGED]->coh_protocol, "none") != 0)
        printf("ni.invalidate has no effect where the interface takes part in coherence "
               "(coh.protocol=%s).\nTry --set coh.protocol=none.\n",
               m[CHANGED]->coh_protocol);
}

/* ---- the runs -------------------------------------------------------------------------------- */

static void run(const struct options *o, struct run *r, int which, char **program,
                const char *folder)
{
    static const char *const name[RUNS] = {"as_it_is", "changed"};
    g_autoptr(GPtrArray) argv = g_ptr_array_new();
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    r->out = g_strdup_printf("%s/%s.out", folder, name[which]);
    r->err = g_strdup_printf("%s/%s.err", folder, name[which]);
    r->json = g_strdup_printf("%s/%s.json", folder, name[which]);
    char *fixed[] = {
        self, "run",    "-q",     "-m",   which == CHANGED ? changed_machine(o) : o->machine[0],
        "-n", o->ranks, "--json", r->json};
    for (size_t i = 0; i < G_N_ELEMENTS(fixed); i++) g_ptr_array_add(argv, fixed[i]);
    if (o->quantum) g_ptr_array_add(argv, "--quantum"), g_ptr_array_add(argv, o->quantum);
    for (char **set = which == CHANGED ? o->changes : o->base; set && *set; set++)
        g_ptr_array_add(argv, "--set"), g_ptr_array_add(argv, *set);
    g_ptr_array_add(argv, "--");
    for (char **word = program; *word; word++) g_ptr_array_add(argv, *word);
    g_ptr_array_add(argv, NULL);
    r->status = cli_child_run_quietly((char **)argv->pdata, folder, r->out, r->err);
    r->printed = cli_child_printed(r->out);
}

/* A run that left no JSON did not finish: its messages are the error. */
static bool came_to_an_end(const struct run *r, const char *which, GError **error)
{
    if (WIFEXITED(r->status) && g_file_test(r->json, G_FILE_TEST_EXISTS)) return true;
    g_autofree char *last = cli_child_last_words(r->err), *how = cli_child_failed(r->status),
                    *folder = g_path_get_dirname(r->err);
    g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "the run %s failed (%s):\n%s%s", which, how,
                last ? last : "it printed nothing, or could not write into ", last ? "" : folder);
    return false;
}

/* ---- what differs ---------------------------------------------------------------------------- */

static bool show_differences(const struct options *o, const struct run *r, GError **error)
{
    char *path[RUNS] = {r[AS_IT_IS].json, r[CHANGED].json}, *name[RUNS] = {"as it is", "changed"};
    if (json_only(o)) return cli_compare_both(o->json, path, error);
    JsonParser *parser[RUNS] = {json_parser_new(), json_parser_new()};
    JsonNode *root[RUNS];
    bool good = true;
    for (int i = 0; good && i < RUNS; i++) {
        good = json_parser_load_from_file(parser[i], r[i].json, error);
        root[i] = json_parser_get_root(parser[i]);
    }
    putchar('\n');
    good = good && cli_compare_table(path, name, RUNS, error);
    if (good) {
        putchar('\n');
        char *printed[RUNS] = {r[AS_IT_IS].printed, r[CHANGED].printed};
        int status[RUNS] = {r[AS_IT_IS].status, r[CHANGED].status};
        cli_compare_differences(root, printed, status);
        good = cli_compare_key_rows(o->key, path, RUNS, error);
        if (good && o->json) good = cli_compare_both(o->json, path, error);
    }
    for (int i = 0; i < RUNS; i++) g_object_unref(parser[i]);
    return good;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int fail(const GError *error, int code)
{
    fprintf(stderr, "sidewinder whatif: %s\n", error->message);
    return g_error_matches(error, BASE_ERROR, BASE_ERROR_SYNTAX) || error->domain == G_OPTION_ERROR
               ? CLI_USAGE
               : code;
}

static int run_both(struct options *o, char **program, const char *folder, GError **error)
{
    static const char *const which[RUNS] = {"on the machine as it is", "on the changed machine"};
    struct mach *m[RUNS];
    struct run r[RUNS] = {{0}};
    int stopped = 0;
    bool good = keep_machines(o, folder, error) && load(o, m, error), loaded = good;
    for (int i = 0; good && !stopped && i < RUNS; i++) {
        run(o, &r[i], i, program, folder);
        stopped = cli_child_stopped(r[i].status);
        good = stopped || came_to_an_end(&r[i], which[i], error);
    }
    if (good && !stopped) {
        if (!json_only(o)) print_question(o, m, program);
        good = show_differences(o, r, error);
    }
    cli_child_remove(folder);
    for (int i = 0; i < RUNS; i++) {
        g_free(r[i].out), g_free(r[i].err), g_free(r[i].json), g_free(r[i].printed);
        if (loaded) mach_free(m[i]);
    }
    /* as a wait status it says: died of that signal */
    return stopped ? cli_child_end(stopped) : good ? CLI_DONE : loaded ? CLI_FAILED : CLI_USAGE;
}

static void clear(struct options *o)
{
    g_strfreev(o->machine);
    g_free(o->ranks), g_free(o->quantum), g_free(o->json);
    g_strfreev(o->base);
    g_strfreev(o->changes);
    g_free(o->other);
    g_strfreev(o->key);
    g_strfreev(o->set);
    cli_line_clear(&o->line);
}

int cli_whatif(int argc, char **argv)
{
    struct options o = {0};
    g_autoptr(GError) error = NULL;
    bool good = parse(&o, &argc, &argv, &error);
    int code = good ? CLI_DONE : CLI_USAGE;
    if (good && !o.help) {
        g_autofree char *folder = cli_child_folder("sidewinder-whatif-XXXXXX", &error);
        code = folder ? run_both(&o, argv + 1, folder, &error) : CLI_FAILED;
    }
    if (error) code = fail(error, code);
    clear(&o);
    return code;
}
