/* sidewinder check: a program's errors of one-sided communication, and what each did on several
 * machines.
 *
 * One `sidewinder run --check` a machine, one after the other; the table has a row for each pair of
 * lines that conflict. What an error did is taken from what the run reports of those lines: stale
 * loads and lost bytes by the writes they come from, deadlocks, and which of the two came first
 * there: so which value was read, or whose write came last, the first time that the pair met.
 *
 * Left out: a run in which the pair is forced into order; what an operation's own buffer held;
 * bytes torn between two writes.
 */
#include "cli/check/check.h"
#include "cli/check/rows.h"
#include "cli/common/child.h"
#include "cli/common/common.h"
#include "cli/common/options.h"
#include "report/print/print.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

struct options {
    char *ranks, *rules, *sarif, **machine;
    struct cli_line line;
    gboolean help;
};

/* A machine's run. */
struct column {
    const char *name; /* "now --set serve.when=completion" */
    char *title;
    JsonParser *parser; /* NULL: the machine cannot run the program */
    char *out, *printed, *why;
    int status;
};

static const char *const usual[] = {"t3d", "smp", "now", "rdma", "now --set serve.when=completion",
                                    NULL};

static const char explanation[] =
    "Runs PROGRAM on each machine under 'run --check'. Shows one row for each pair of lines that "
    "conflict, and what the error\ndid on each machine: a stale or an "
    "old value was read, bytes\nwere lost, whose write came last, the ranks wait for ever, or "
    "nothing was seen.\nExit code 3: an error was found.\n\n"
    "Examples:\n"
    "  sidewinder check -n 4 ./halo\n"
    "  sidewinder check -n 4 -m t3d -m 'now --set serve.policy=interrupt' ./halo\n";

/* ---- the command line ------------------------------------------------------------------------ */

static bool refuse(GError **error, const char *what)
{
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s", what);
    return false;
}

static bool parse(struct options *o, int *argc, char ***argv, GError **error)
{
    const GOptionEntry entries[] = {
        {"ranks", 'n', 0, G_OPTION_ARG_STRING, &o->ranks, "Number of ranks, one a processor", "N"},
        {"machine", 'm', 0, G_OPTION_ARG_STRING_ARRAY, &o->machine,
         "A machine, with --set KEY=VALUE behind it if need be; may be repeated; default: t3d, "
         "smp, now, rdma, and now with delayed servicing",
         "MACHINE"},
        {"rules", 0, 0, G_OPTION_ARG_STRING, &o->rules, "As in sidewinder run", "RULES"},
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
    if (!cli_line_read(&o->line, &synopsis, argc, argv, error)) return false;
    if (o->help) return true;
    if (*argc < 2)
        return refuse(error,
                      "no program given; usage: sidewinder check -n N PROGRAM [ARGUMENT...]");
    return o->ranks || refuse(error, "no number of ranks given; use -n N");
}

/* ---- the runs -------------------------------------------------------------------------------- */

static void run(const struct options *o, struct column *c, int which, char **program,
                const char *folder)
{
    g_autoptr(GPtrArray) argv = g_ptr_array_new();
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL),
                    *json = g_strdup_printf("%s/%d.json", folder, which),
                    *err = g_strdup_printf("%s/%d.err", folder, which);
    g_auto(GStrv) word = g_strsplit(c->name, " ", -1);
    c->out = g_strdup_printf("%s/%d.out", folder, which);
    c->title = g_strdup(word[1] ? strrchr(c->name, ' ') + 1 : word[0]);
    char *fixed[] = {self, "run", "-q", "--check", "-n", o->ranks, "--json", json, "-m"};
    for (size_t i = 0; i < G_N_ELEMENTS(fixed); i++) g_ptr_array_add(argv, fixed[i]);
    for (char **w = word; *w; w++) g_ptr_array_add(argv, *w);
    if (o->rules) g_ptr_array_add(argv, "--rules"), g_ptr_array_add(argv, o->rules);
    g_ptr_array_add(argv, "--");
    for (char **w = program; *w; w++) g_ptr_array_add(argv, *w);
    g_ptr_array_add(argv, NULL);
    c->status = cli_child_run_quietly((char **)argv->pdata, folder, c->out, err);
    c->printed = cli_child_printed(c->out);
    g_autoptr(JsonParser) parser = json_parser_new();
    if (g_file_test(json, G_FILE_TEST_EXISTS) && json_parser_load_from_file(parser, json, NULL))
        c->parser = g_steal_pointer(&parser);
    else
        c->why = g_strchomp(cli_child_printed(err));
}

/* ---- what a run reports ---------------------------------------------------------------------- */

static JsonArray *list(const struct column *c, const char *key)
{
    return json_object_get_array_member(json_node_get_object(json_parser_get_root(c->parser)), key);
}

static const char *word(JsonObject *object, const char *key)
{
    JsonNode *node = object ? json_object_get_member(object, key) : NULL;
    return node && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node) : NULL;
}

static JsonObject *inner(JsonObject *object, const char *key)
{
    JsonNode *node = json_object_get_member(object, key);
    return node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static bool same_pair(const struct cli_check_row *row, const char *a, const char *b)
{
    return (g_strcmp0(row->at, a) == 0 && g_strcmp0(row->other, b) == 0) ||
           (g_strcmp0(row->at, b) == 0 && g_strcmp0(row->other, a) == 0);
}

static bool is_note(const struct cli_check_row *row) { return strcmp(row->class, "note") == 0; }

/* notes: those, or the others */
static void add_rows(GArray *rows, const struct column *c, bool notes)
{
    JsonArray *all = list(c, "violations");
    for (guint i = 0; i < json_array_get_length(all); i++) {
        JsonObject *v = json_array_get_object_element(all, i);
        const struct cli_check_row row = {.at = word(v, "at"),
                                          .other = word(inner(v, "other"), "at"),
                                          .message = word(v, "message"),
                                          .rule = word(v, "rule"),
                                          .class = word(v, "class")};
        bool known = false;
        for (guint k = 0; k < rows->len && !known; k++)
            known = same_pair(&g_array_index(rows, struct cli_check_row, k), row.at, row.other);
        if (!known && is_note(&row) == notes) g_array_append_val(rows, row);
    }
}

/* Does a record name the two lines, of who met the bytes and of who wrote them? */
static JsonObject *record_of(const struct column *c, const char *key, const char *place,
                             const struct cli_check_row *row)
{
    JsonArray *all = list(c, key);
    for (guint i = 0; i < json_array_get_length(all); i++) {
        JsonObject *one = json_array_get_object_element(all, i);
        if (same_pair(row, word(one, place), word(inner(one, "writer"), "at"))) return one;
    }
    return NULL;
}

static JsonObject *reported(const struct column *c, const struct cli_check_row *row)
{
    JsonArray *all = list(c, "violations");
    for (guint i = 0; i < json_array_get_length(all); i++) {
        JsonObject *v = json_array_get_object_element(all, i);
        if (same_pair(row, word(v, "at"), word(inner(v, "other"), "at"))) return v;
    }
    return NULL;
}

static char *consequence(const struct column *c, const struct cli_check_row *row)
{
    if (!c->parser) return g_strdup("cannot run");
    JsonObject *root = json_node_get_object(json_parser_get_root(c->parser));
    JsonObject *stale = record_of(c, "stale", "load_at", row);
    if (stale)
        return g_strdup_printf("stale value (%s, not %s)", word(stale, "seen"),
                               word(stale, "memory"));
    JsonObject *note = record_of(c, "notes", "at", row);
    const char *kind = note ? word(note, "kind") : NULL;
    if (g_strcmp0(kind, "lost_update") == 0) return g_strdup("lost bytes");
    if (g_strcmp0(kind, "unpublished") == 0) return g_strdup("old value read");
    JsonObject *violation = reported(c, row);
    if (!violation) return g_strdup("not reached");
    if (g_strcmp0(word(root, "end"), "deadlock") == 0) return g_strdup("deadlock");
    const char *effect = word(violation, "effect");
    return g_strdup(effect ? effect : "nothing seen");
}

/* ---- the table ------------------------------------------------------------------------------- */

/* "A" for the first output, and for all that are equal to it. */
static char letter_of(const struct column *column, int n)
{
    char letter = 'A';
    for (int i = 0; i < n; i++) {
        if (strcmp(column[i].printed, column[n].printed) == 0) return letter_of(column, i);
        letter = MAX(letter, (char)(letter_of(column, i) + 1));
    }
    return letter;
}

/* Of the first `judged` rows. */
static void print_table(const GArray *rows, guint judged, const struct column *column, int columns)
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

static void print_messages(const GArray *rows, const struct column *column, int columns)
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
    GPtrArray *did = ((struct cli_check_row *)row)->did;
    if (did) g_ptr_array_unref(did);
}

static void add_consequences(GArray *rows, const struct column *column, int columns)
{
    for (guint k = 0; k < rows->len; k++) {
        struct cli_check_row *row = &g_array_index(rows, struct cli_check_row, k);
        row->did = g_ptr_array_new_with_free_func(g_free);
        for (int i = 0; i < columns; i++) g_ptr_array_add(row->did, consequence(&column[i], row));
    }
}

static int check(const struct options *o, char **program, const char *folder, GError **error)
{
    const char *const *name = o->machine ? (const char *const *)o->machine : usual;
    int columns = (int)g_strv_length((char **)name), ran = 0, errors = 0, stopped = 0;
    g_autofree struct column *column = g_new0(struct column, columns);
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(struct cli_check_row));
    g_array_set_clear_func(rows, row_clear);
    for (int i = 0; i < columns && !stopped; i++) {
        column[i].name = name[i];
        run(o, &column[i], i, program, folder);
        stopped = cli_child_stopped(column[i].status);
        ran += column[i].parser != NULL;
        if (column[i].parser) add_rows(rows, &column[i], false);
    }
    guint judged = rows->len; /* the rest are notes */
    for (int i = 0; i < columns; i++)
        if (column[i].parser) add_rows(rows, &column[i], true);
    add_consequences(rows, column, columns);
    for (guint k = 0; k < rows->len; k++) {
        const char *class = g_array_index(rows, struct cli_check_row, k).class;
        errors += strcmp(class, "error") == 0 ||
                  (o->rules && strcmp(o->rules, "unified") != 0 && strcmp(class, "separate") == 0);
    }
    if (!stopped && judged > 0) print_table(rows, judged, column, columns);
    if (!stopped && judged == 0 && ran > 0)
        printf("No error in these executions, on %d machines.\n", ran);
    if (!stopped) print_messages(rows, column, columns);
    bool written =
        stopped || !o->sarif || cli_check_sarif(o->sarif, rows, (char *const *)name, error);
    for (int i = 0; i < columns; i++) {
        g_clear_object(&column[i].parser);
        g_free(column[i].title), g_free(column[i].out);
        g_free(column[i].printed), g_free(column[i].why);
    }
    if (stopped) return cli_child_end(stopped);
    return ran == 0 || !written ? CLI_FAILED : errors > 0 ? 3 : CLI_DONE;
}

int cli_check(int argc, char **argv)
{
    struct options o = {0};
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
    g_free(o.ranks), g_free(o.rules), g_free(o.sarif);
    g_strfreev(o.machine);
    cli_line_clear(&o.line);
    return code;
}
