/* sidewinder check: a program's errors of one-sided communication, and what each did on several
 * machines.
 *
 * One `sidewinder run --check` a machine, one after the other; the table has a row for each pair of
 * lines that conflict. What an error did is judged by what the pair's own bytes were: which write a
 * read returned, and which of two writes stayed. The program runs again with the pair watched, and
 * with each of the two accesses complete before the other begins (column.c, bytes.c). Where the run
 * itself reports the lines, as a stale load or lost update, it is that; where neither order can be
 * forced, which of the two came first.
 *
 * Left out: a nonblocking receive before what its
 * own rank does to the buffer; of a pair, bytes behind the first 64 KiB.
 */
#include "cli/check/check.h"
#include "cli/check/bytes.h"
#include "cli/check/column.h"
#include "cli/common/child.h"
#include "cli/common/common.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "report/print/print.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

struct options {
    char *ranks, *rules, *sarif, **machine;
    struct cli_line line;
    char *forced_text;
    int forced;
    gboolean help;
};

static const char *const usual[] = {"t3d", "smp", "now", "rdma", "now --set serve.when=completion",
                                    NULL};

static const char explanation[] =
    "Runs PROGRAM on each machine under 'run --check'. Each pair of lines that conflict has one "
    "row, which shows what the\n"
    "error did on each machine: harmless, stale value, lost update, torn word, whose write stays, "
    "or deadlock.\n"
    "For this the pair's own bytes are compared with those of runs in which one access is "
    "complete before the other\nbegins. Where neither order can be forced ('not forced'), the row "
    "shows which of the two came first. Where no error\n"
    "had an effect, what differs in the output is timing, and is shown.\n"
    "\n"
    "Exit status: 0 no error was found; 1 no machine could run the program, or it ended with a "
    "status of its own; 2 usage\nerror; 3 an error was found.\n\n"
    "Examples:\n"
    "  sidewinder check -n 4 ./halo\n"
    "  sidewinder check -n 4 -m t3d -m 'now --set serve.policy=interrupt' ./halo\n";

/* ---- the command line ------------------------------------------------------------------------ */

static bool refuse(GError **error, const char *what)
{
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s", what);
    return false;
}

/* A machine, then --set KEY=VALUE, with a shell's quotes. */
static bool is_machine(const char *text, GError **error)
{
    g_auto(GStrv) word = NULL;
    bool good = g_shell_parse_argv(text, NULL, &word, NULL) && word[0][0] && word[0][0] != '-';
    for (char **w = good ? word + 1 : NULL; good && w && *w; w++)
        if (strcmp(*w, "--set") == 0)
            good = *++w != NULL;
        else
            good = g_str_has_prefix(*w, "--set=");
    if (!good)
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "-m '%s': expected a machine, with --set KEY=VALUE after it if need be", text);
    return good;
}

/* What is written at the end is refused at the beginning. */
static bool output(struct options *o, const char *program, GError **error)
{
    g_autofree char *sarif = o->sarif;
    o->sarif = sarif ? cli_output("--sarif", sarif, error) : NULL;
    const struct cli_named file[] = {{"--sarif", o->sarif}, {"the program", program}};
    return (!sarif || o->sarif) && cli_outputs_apart(file, 1, G_N_ELEMENTS(file), error);
}

static bool parse(struct options *o, int *argc, char ***argv, GError **error)
{
    const GOptionEntry entries[] = {
        {"ranks", 'n', 0, G_OPTION_ARG_STRING, &o->ranks, "Number of ranks, one a processor", "N"},
        {"machine", 'm', 0, G_OPTION_ARG_STRING_ARRAY, &o->machine,
         "A machine, with --set KEY=VALUE after it if need be; may be repeated; default: t3d, "
         "smp, now, rdma, and now with delayed servicing",
         "MACHINE"},
        {"rules", 0, 0, G_OPTION_ARG_STRING, &o->rules, "As in sidewinder run", "RULES"},
        {"forced", 0, 0, G_OPTION_ARG_STRING, &o->forced_text,
         "For up to N errors, run again with the two accesses forced into each order; default: 4",
         "N"},
        {"sarif", 0, 0, G_OPTION_ARG_FILENAME, &o->sarif,
         "Also write the errors to FILE as SARIF 2.1.0, for editors and code review", "FILE"},
        {"help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this help", NULL},
        G_OPTION_ENTRY_NULL};
    const struct cli_synopsis synopsis = {
        .command = "sidewinder check",
        .summary = "Reports a program's errors of one-sided communication "
                   "and what they do on several machines.",
        .description = explanation,
        .entries = entries,
        .help = &o->help,
    };
    if (!cli_line_read(&o->line, &synopsis, argc, argv, error) ||
        !cli_whole("--forced", o->forced_text, &o->forced, error))
        return false;
    if (o->help) return true;
    if (*argc < 2)
        return refuse(error,
                      "no program given; usage: sidewinder check -n N PROGRAM [ARGUMENT...]");
    if (!o->ranks) return refuse(error, "no number of ranks given; use -n N");
    for (char **name = o->machine; name && *name; name++)
        if (!is_machine(*name, error)) return false;
    if (o->forced < 0) return refuse(error, "--forced: accepted are whole numbers from 0");
    return output(o, (*argv)[1], error);
}

/* ---- what the runs report ------------------------------------------------------------------- */

static bool same_pair(const struct cli_check_row *row, const char *a, const char *b)
{
    return (g_strcmp0(row->at, a) == 0 && g_strcmp0(row->other, b) == 0) ||
           (g_strcmp0(row->at, b) == 0 && g_strcmp0(row->other, a) == 0);
}

static bool is_note(const struct cli_check_row *row) { return strcmp(row->class, "note") == 0; }

/* What it says of the two places, if it does not name them. The caller frees. */
static char *message_of(JsonObject *v)
{
    const char *text = cli_check_word(v, "message"), *at = cli_check_word(v, "at");
    JsonObject *inner = cli_check_inner(v, "other");
    const char *there = cli_check_word(inner, "at"), *call = cli_check_word(v, "call");
    if (!at || strstr(text, at)) return g_strdup(text);
    g_autoptr(GString) all = g_string_new(text);
    g_string_append_printf(all, "%s Rank %d%s%s at %s", g_str_has_suffix(text, ".") ? "" : ".",
                           (int)json_object_get_int_member(v, "rank"), call ? ", " : "",
                           call ? call : "", at);
    if (there)
        g_string_append_printf(all, "; rank %d, %s at %s",
                               (int)json_object_get_int_member(inner, "rank"),
                               cli_check_word(inner, "call"), there);
    g_string_append_c(all, '.');
    return g_string_free(g_steal_pointer(&all), FALSE);
}

/* notes: those, or the others */
static void add_rows(GArray *rows, const struct cli_check_column *c, bool notes)
{
    JsonArray *all = cli_check_list(c, "violations");
    for (guint i = 0; i < json_array_get_length(all); i++) {
        JsonObject *v = json_array_get_object_element(all, i);
        struct cli_check_row row = {.at = cli_check_word(v, "at"),
                                    .other = cli_check_word(cli_check_inner(v, "other"), "at"),
                                    .rule = cli_check_word(v, "rule"),
                                    .class = cli_check_word(v, "class")};
        bool known = false;
        for (guint k = 0; k < rows->len && !known; k++)
            known = same_pair(&g_array_index(rows, struct cli_check_row, k), row.at, row.other);
        if (known || is_note(&row) != notes) continue;
        row.message = message_of(v);
        g_array_append_val(rows, row);
    }
}

/* Does a record name the two lines, of who met the bytes and of who wrote them? */
static JsonObject *record_of(const struct cli_check_column *c, const char *key, const char *place,
                             const struct cli_check_row *row)
{
    JsonArray *all = cli_check_list(c, key);
    for (guint i = 0; i < json_array_get_length(all); i++) {
        JsonObject *one = json_array_get_object_element(all, i);
        if (same_pair(row, cli_check_word(one, place),
                      cli_check_word(cli_check_inner(one, "writer"), "at")))
            return one;
    }
    return NULL;
}

static JsonObject *reported(const struct cli_check_column *c, const struct cli_check_row *row)
{
    JsonArray *all = cli_check_list(c, "violations");
    for (guint i = 0; i < json_array_get_length(all); i++) {
        JsonObject *v = json_array_get_object_element(all, i);
        if (same_pair(row, cli_check_word(v, "at"),
                      cli_check_word(cli_check_inner(v, "other"), "at")))
            return v;
    }
    return NULL;
}

/* What the run itself reports of the two lines; NULL: nothing. */
static char *reported_effect(const struct cli_check_column *c, const struct cli_check_row *row)
{
    JsonObject *stale = record_of(c, "stale", "load_at", row);
    if (stale) {
        g_autofree char *seen = cli_check_value(cli_check_word(stale, "seen")),
                        *memory = cli_check_value(cli_check_word(stale, "memory"));
        return g_strdup_printf("stale value (%s, not %s)", seen, memory);
    }
    JsonObject *note = record_of(c, "notes", "at", row);
    const char *kind = note ? cli_check_word(note, "kind") : NULL;
    if (g_strcmp0(kind, "lost_update") == 0) return g_strdup("lost update");
    if (g_strcmp0(kind, "unpublished") == 0) return g_strdup("old value read");
    return NULL;
}

/* runs: to force the pair into order; NULL: it is not. */
static char *consequence(const struct cli_check_column *c, const struct cli_check_row *row,
                         const struct cli_check_runs *runs, int *stopped)
{
    if (!c->parser) return g_strdup("cannot run");
    char *effect = reported_effect(c, row);
    if (effect) return effect;
    JsonObject *violation = reported(c, row);
    if (!violation) return g_strdup("not reached");
    JsonObject *root = json_node_get_object(json_parser_get_root(c->parser));
    if (g_strcmp0(cli_check_word(root, "end"), "deadlock") == 0) return g_strdup("deadlock");
    const char *pair =
        json_object_has_member(violation, "pair") ? cli_check_word(violation, "pair") : NULL;
    bool forced = true;
    if (pair && runs) effect = cli_check_forced(c, runs, pair, &forced, stopped);
    if (effect) return effect;
    const char *seen = json_object_has_member(violation, "effect")
                           ? cli_check_word(violation, "effect")
                           : "nothing seen";
    return g_strdup_printf("%s%s", seen, forced ? "" : " (not forced)");
}

/* ---- the table ------------------------------------------------------------------------------- */

/* "A" for the first output, and for all that are equal to it. */
static char letter_of(const struct cli_check_column *column, int n)
{
    char letter = 'A';
    for (int i = 0; i < n; i++) {
        if (strcmp(column[i].printed, column[n].printed) == 0) return letter_of(column, i);
        letter = MAX(letter, (char)(letter_of(column, i) + 1));
    }
    return letter;
}

/* Of the first `judged` rows. */
static void print_table(const GArray *rows, guint judged, const struct cli_check_column *column,
                        int columns)
{
    g_autofree char *shape = g_strnfill((gsize)columns + 2, 'l');
    struct report_table *table = report_table_new(shape);
    report_table_words(table, "");
    report_table_words(table, "error");
    for (int i = 0; i < columns; i++) report_table_words(table, column[i].title);
    for (guint k = 0; k < judged; k++) {
        const struct cli_check_row *row = &g_array_index(rows, struct cli_check_row, k);
        report_table_cell(table, g_strdup_printf("%u", k + 1));
        report_table_cell(table, row->other && strcmp(row->other, row->at) != 0
                                     ? g_strdup_printf("%s, %s", row->other, row->at)
                                     : g_strdup(row->at ? row->at : "?"));
        for (int i = 0; i < columns; i++) report_table_words(table, row->did->pdata[i]);
    }
    report_table_words(table, "");
    report_table_words(table, "output (one letter: the same)");
    for (int i = 0; i < columns; i++)
        report_table_cell(table, column[i].parser ? g_strdup_printf("%c", letter_of(column, i))
                                                  : g_strdup("-"));
    report_table_print(table, stdout);
}

static void print_messages(const GArray *rows, const struct cli_check_column *column, int columns)
{
    for (guint k = 0; k < rows->len; k++) {
        const struct cli_check_row *row = &g_array_index(rows, struct cli_check_row, k);
        g_autofree char *text = g_strdup_printf(
            "%u %s: %s", k + 1, strcmp(row->class, "separate") ? row->class : "separate model only",
            row->message);
        putchar('\n');
        report_wrap(stdout, 2, 0, text);
    }
    for (int i = 0; i < columns; i++)
        if (!column[i].parser)
            printf("\n%s cannot run the program:\n%s\n", column[i].name, column[i].why);
}

static void row_clear(void *row)
{
    struct cli_check_row *gone = row;
    if (gone->did) g_ptr_array_unref(gone->did);
    g_free(gone->message);
}

/* forced: so many of the first `judged` rows. */
static void add_consequences(GArray *rows, guint judged, int forced,
                             const struct cli_check_column *column, int columns,
                             const struct cli_check_runs *runs, int *stopped)
{
    for (guint k = 0; k < rows->len; k++) {
        struct cli_check_row *row = &g_array_index(rows, struct cli_check_row, k);
        row->did = g_ptr_array_new_with_free_func(g_free);
        bool forces = k < judged && (int)k < forced;
        for (int i = 0; i < columns && !*stopped; i++)
            g_ptr_array_add(row->did, consequence(&column[i], row, forces ? runs : NULL, stopped));
    }
}

static int check(const struct options *o, char **program, const char *folder, GError **error)
{
    const char *const *name = o->machine ? (const char *const *)o->machine : usual;
    int columns = (int)g_strv_length((char **)name), ran = 0, errors = 0, stopped = 0, failed = 0;
    g_autofree struct cli_check_column *column = g_new0(struct cli_check_column, columns);
    const struct cli_check_runs runs = {
        .ranks = o->ranks, .rules = o->rules, .folder = folder, .program = program};
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(struct cli_check_row));
    g_array_set_clear_func(rows, row_clear);
    for (int i = 0; i < columns && !stopped; i++) {
        column[i].name = name[i];
        column[i].which = i;
        cli_check_run(&column[i], &runs);
        stopped = cli_child_stopped(column[i].status);
        ran += column[i].parser != NULL;
        if (column[i].parser) add_rows(rows, &column[i], false);
    }
    guint judged = rows->len; /* the rest are notes */
    for (int i = 0; i < columns; i++)
        if (column[i].parser) add_rows(rows, &column[i], true);
    if (!stopped) add_consequences(rows, judged, o->forced, column, columns, &runs, &stopped);
    for (guint k = 0; k < rows->len; k++) {
        const char *class = g_array_index(rows, struct cli_check_row, k).class;
        errors += strcmp(class, "error") == 0 ||
                  (o->rules && strcmp(o->rules, "unified") != 0 && strcmp(class, "separate") == 0);
    }
    if (!stopped && ran == 0)
        g_set_error(
            error, BASE_ERROR,
            WEXITSTATUS(column[0].status) == CLI_USAGE ? BASE_ERROR_SYNTAX : BASE_ERROR_FILE,
            "no machine can run the program; %s reports:\n%s", column[0].name, column[0].why);
    if (!stopped && judged > 0) print_table(rows, judged, column, columns);
    if (!stopped && judged == 0 && ran > 0)
        printf("No error in these runs, on %d machine%s.\n", ran, ran == 1 ? "" : "s");
    if (!stopped) cli_check_timing(rows, judged, column, columns);
    if (!stopped && ran > 0) print_messages(rows, column, columns);
    if (!stopped) failed = cli_check_ends(column, columns);
    bool written = stopped || ran == 0 || !o->sarif ||
                   cli_check_sarif(o->sarif, rows, (char *const *)name, error);
    for (int i = 0; i < columns; i++) {
        cli_check_column_clear(&column[i]);
    }
    if (stopped) return cli_child_end(stopped);
    if (ran == 0 || !written) return CLI_FAILED;
    return errors > 0 ? 3 : failed > 0 ? CLI_FAILED : CLI_DONE;
}

int cli_check(int argc, char **argv)
{
    struct options o = {.forced = 4};
    g_autoptr(GError) error = NULL;
    int code = CLI_DONE;
    if (parse(&o, &argc, &argv, &error) && !o.help) {
        g_autofree char *folder = cli_child_folder("sidewinder-check-XXXXXX", &error);
        if (folder) code = check(&o, argv + 1, folder, &error);
        if (folder) cli_child_remove(folder);
    }
    if (error) {
        fprintf(stderr, "sidewinder check: %s\n", error->message);
        code = error->domain == G_OPTION_ERROR || error->code == BASE_ERROR_SYNTAX ? CLI_USAGE
                                                                                   : CLI_FAILED;
    }
    g_free(o.ranks), g_free(o.forced_text), g_free(o.rules), g_free(o.sarif);
    g_strfreev(o.machine);
    cli_line_clear(&o.line);
    return code;
}
