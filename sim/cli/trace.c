/* sidewinder trace: the walk of every operation, from the CSV that `sidewinder run --trace` wrote.
 *
 * One line an operation: when it was called, then how long each step took after the one before it; a step that was not
 * reached is "-". The means at the end say where an operation of each kind spends its time. Lines are read one by one, so
 * a trace may be larger than memory. Columns are found by their names: a later version may add some.
 */
#define _GNU_SOURCE
#include "cli/cli.h"

#include "op/op.h"
#include "report/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum field { KIND, ORIGIN, TARGET, BYTES, CALL, CARRIER, SITE, FIELDS };
static const char *const field_name[FIELDS] = {"kind", "origin", "target", "bytes", "call", "carrier", "site"};

enum { COLUMNS_MAX = 64 };

struct reader {
    const char *name, *program;
    long first;                          /* operations to print; negative: all */
    size_t line;
    int column[FIELDS + OP_STEPS];       /* where each stands in the file */
    size_t columns;
};

struct sum { uint64_t count, bytes, reached[OP_STEPS]; double step_s[OP_STEPS], whole_s; };
struct walk { char *word[FIELDS]; double at_s[OP_STEPS]; };

/* ---- reading -----------------------------------------------------------------------------------------------*/

static size_t split(char *line, char **word)
{
    size_t n = 0;
    g_strchomp(line);
    for (char *rest = line; rest && n < COLUMNS_MAX; n++) word[n] = strsep(&rest, ",");
    return n;
}

static bool read_header(struct reader *r, char *line, GError **error)
{
    char *word[COLUMNS_MAX];
    r->columns = split(line, word);
    for (int want = 0; want < FIELDS + OP_STEPS; want++) {
        g_autofree char *step = want < FIELDS ? NULL : g_strdup_printf("%s_s", op_step_name((enum op_step)(want - FIELDS)));
        const char *name = step ? step : field_name[want];
        r->column[want] = -1;
        for (size_t i = 0; i < r->columns; i++)
            if (strcmp(word[i], name) == 0) r->column[want] = (int)i;
        if (r->column[want] < 0) {
            g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s is not a trace: its first line names no column '%s' (a trace is "
                        "written by: sidewinder run --trace FILE)", r->name, name);
            return false;
        }
    }
    return true;
}

static bool number(const char *text, double *value)
{
    char *end;
    *value = g_ascii_strtod(text, &end);
    return end != text && *end == '\0';
}

static bool read_walk(const struct reader *r, char *line, struct walk *walk, GError **error)
{
    char *word[COLUMNS_MAX];
    bool good = split(line, word) == r->columns;
    double ignored;
    for (int i = 0; good && i < FIELDS; i++) walk->word[i] = word[r->column[i]];
    good = good && number(walk->word[BYTES], &ignored);
    for (int step = 0; good && step < OP_STEPS; step++) {
        const char *text = word[r->column[FIELDS + step]];
        if (*text == '\0') walk->at_s[step] = -1;
        else good = number(text, &walk->at_s[step]) && walk->at_s[step] >= 0;
    }
    if (good && walk->at_s[OP_CALLED] >= 0) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s:%zu is no operation of a trace (cut short?)", r->name, r->line);
    return false;
}

/* ---- printing ------------------------------------------------------------------------------------------------*/

/* Widths are in characters: "µ" is two bytes. */
static void right(int width, const char *text)
{
    int blanks = width - (int)g_utf8_strlen(text, -1);
    printf(" %*s%s", MAX(blanks, 0), "", text);
}

static void left(int width, const char *text)
{
    int blanks = width - (int)g_utf8_strlen(text, -1);
    printf(" %s%*s", text, MAX(blanks, 0), "");
}

enum { TIME_WIDTH = 10, KIND_WIDTH = 14, CALL_WIDTH = 18, PLACE_WIDTH = 16, CARRIER_WIDTH = 10 };

static void print_head(const struct reader *r)
{
    left(KIND_WIDTH, "operation"), right(6, "origin"), right(6, "target"), right(9, "bytes"), left(CALL_WIDTH, " call");
    if (r->program) left(PLACE_WIDTH, " at");
    left(CARRIER_WIDTH, " moved by");
    for (int step = 0; step < OP_STEPS; step++) right(TIME_WIDTH, op_step_name((enum op_step)step));
    right(TIME_WIDTH, "in all");
    putchar('\n');
}

static void print_delta(bool reached, double delta_s)
{
    g_autofree char *time = reached ? report_time(delta_s) : NULL;
    g_autofree char *text = reached ? g_strconcat("+", time, NULL) : g_strdup("-");
    right(TIME_WIDTH, text);
}

static void print_walk(const struct reader *r, const struct walk *walk)
{
    g_autofree char *call = g_strconcat(" ", walk->word[CALL], NULL), *carrier = g_strconcat(" ", walk->word[CARRIER], NULL);
    g_autofree char *called = report_time(walk->at_s[OP_CALLED]);
    left(KIND_WIDTH, walk->word[KIND]), right(6, walk->word[ORIGIN]), right(6, walk->word[TARGET]);
    right(9, walk->word[BYTES]), left(CALL_WIDTH, call);
    if (r->program) {
        op_site site = g_ascii_strtoull(walk->word[SITE], NULL, 16);
        g_autofree char *at = g_strconcat(" ", site & OP_SITE_FOREIGN ? "?" : report_site(r->program, site), NULL);
        left(PLACE_WIDTH, at);
    }
    left(CARRIER_WIDTH, carrier);
    right(TIME_WIDTH, called);
    double last_s = walk->at_s[OP_CALLED];
    for (int step = OP_CALLED + 1; step < OP_STEPS; step++) {
        bool reached = walk->at_s[step] >= 0;
        print_delta(reached, walk->at_s[step] - last_s);
        if (reached) last_s = walk->at_s[step];
    }
    g_autofree char *whole = report_time(last_s - walk->at_s[OP_CALLED]);
    right(TIME_WIDTH, whole);
    putchar('\n');
}

static void add(struct sum *sum, const struct walk *walk)
{
    double last_s = walk->at_s[OP_CALLED];
    sum->count++;
    sum->bytes += g_ascii_strtoull(walk->word[BYTES], NULL, 10);
    for (int step = OP_CALLED + 1; step < OP_STEPS; step++) {
        if (walk->at_s[step] < 0) continue;
        sum->reached[step]++;
        sum->step_s[step] += walk->at_s[step] - last_s;
        last_s = walk->at_s[step];
    }
    sum->whole_s += last_s - walk->at_s[OP_CALLED];
}

static void print_means(const struct reader *r, const struct sum *sum)
{
    for (int kind = 0; kind < OP_KINDS; kind++) {
        const struct sum *s = &sum[kind];
        if (s->count == 0) continue;
        g_autofree char *count = g_strdup_printf(" mean of %" G_GUINT64_FORMAT, (guint64)s->count);
        g_autofree char *bytes = g_strdup_printf("%.0f", (double)s->bytes / (double)s->count);
        g_autofree char *whole = report_time(s->whole_s / (double)s->count);
        left(KIND_WIDTH, op_kind_name((enum op_kind)kind)), right(6, ""), right(6, ""), right(9, bytes), left(CALL_WIDTH, count);
        if (r->program) left(PLACE_WIDTH, "");
        left(CARRIER_WIDTH, ""), right(TIME_WIDTH, "");
        for (int step = OP_CALLED + 1; step < OP_STEPS; step++)
            print_delta(s->reached[step] > 0, s->step_s[step] / (double)MAX(s->reached[step], 1));
        right(TIME_WIDTH, whole);
        putchar('\n');
    }
}

/* ---- the command -----------------------------------------------------------------------------------------------*/

static bool print_trace(struct reader *r, FILE *in, GError **error)
{
    struct sum sum[OP_KINDS] = {{0}};
    char *line = NULL;
    size_t room = 0;
    long operations = 0;
    bool good = true;
    for (; good && getline(&line, &room, in) >= 0; ) {
        struct walk walk;
        if (r->line++ == 0) {
            good = read_header(r, line, error);
            if (good) print_head(r);
            continue;
        }
        good = read_walk(r, line, &walk, error);
        if (!good) break;
        if (r->first < 0 || operations < r->first) print_walk(r, &walk);
        operations++;
        for (int kind = 0; kind < OP_KINDS; kind++)
            if (strcmp(walk.word[KIND], op_kind_name((enum op_kind)kind)) == 0) add(&sum[kind], &walk);
    }
    free(line);
    if (good && r->line == 0) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s is empty: not a trace", r->name);
        return false;
    }
    if (!good) return false;
    if (r->first >= 0 && operations > r->first) printf(" ... and %ld more\n", operations - r->first);
    if (operations > 1) putchar('\n'), print_means(r, sum);
    else if (operations == 0) printf(" no operation was made\n");
    return true;
}

static int fail(const GError *error, enum cli_exit code)
{
    fprintf(stderr, "sidewinder trace: %s\n", error->message);
    return code;
}

static const char explanation[] =
    "Steps: called (the program's call), departed (the last byte left the origin), arrived (at the target's node),\n"
    "serviced (the target's part began), performed (memory was written or read), completed (the origin knows).\n"
    "Times after \"called\" are since the step before; \"-\" is a step the operation did not take.\n"
    "\n"
    "Examples:\n"
    "  sidewinder run -m now -n 2 --trace walk.csv ./pingpong\n"
    "  sidewinder trace --first 20 --program ./pingpong walk.csv\n";

int cli_trace(int argc, char **argv)
{
    gboolean help = FALSE;
    int first = -1;
    g_autofree char *program = NULL;
    const GOptionEntry entries[] = {
        {"first", 0, 0, G_OPTION_ARG_INT, &first, "Print only the first N operations; the means are of all", "N"},
        {"program", 0, 0, G_OPTION_ARG_FILENAME, &program, "The program that ran: adds the source line of each call", "PROGRAM"},
        {"help", 'h', 0, G_OPTION_ARG_NONE, &help, "This text", NULL},
        G_OPTION_ENTRY_NULL};
    g_autoptr(GError) error = NULL;
    g_autoptr(GOptionContext) context = g_option_context_new("FILE");
    g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_set_summary(context, "Prints the walk of every operation in a trace, one a line.");
    g_option_context_set_description(context, explanation);
    g_set_prgname("sidewinder trace");
    g_autofree char **words = g_memdup2(argv, sizeof *argv * ((gsize)argc + 1));
    char **rest = words;
    if (!g_option_context_parse(context, &argc, &rest, &error)) return fail(error, CLI_USAGE);
    if (help) {
        g_autofree char *text = g_option_context_get_help(context, TRUE, NULL);
        fputs(text, stdout);
        return CLI_DONE;
    }
    if (argc != 2) {
        fputs("sidewinder trace: give one FILE, written by: sidewinder run --trace FILE\n", stderr);
        return CLI_USAGE;
    }
    struct reader reader = {.name = rest[1], .program = program, .first = first};
    FILE *in = strcmp(rest[1], "-") == 0 ? stdin : fopen(rest[1], "r");
    if (!in) {
        g_set_error(&error, BASE_ERROR, BASE_ERROR_FILE, "cannot read %s: %s", rest[1], g_strerror(errno));
        return fail(error, CLI_FAILED);
    }
    bool good = print_trace(&reader, in, &error);
    if (in != stdin) fclose(in);
    report_clear();
    return good ? CLI_DONE : fail(error, CLI_FAILED);
}
