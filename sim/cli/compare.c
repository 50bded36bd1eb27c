/* sidewinder compare: several runs' JSON side by side, or one value of each.
 *
 * Reads only the stable keys of DESIGN 6, so it also compares runs of other versions. A machine is
 * a column, a question a row. What the four kinds of time mean is said in report.h; here they are
 * means over the ranks, which add up to a rank's mean time. */
#include "cli/cli.h"
#include "cli/value.h"

#include "base/base.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMN_GAP = 3 };

/* One run, as far as the table needs it. */
struct run {
    char *name;
    gint64 ranks, stale_loads, violations, operations, operation_bytes;
    /* of the caches nearest the processors */
    gint64 loads, stores, load_misses, store_misses, invalidations;
    /* all but time_s: means over the ranks */
    double time_s, compute_s, memory_s, service_s, wait_s;
    /* means over all operations */
    double latency_s, service_delay_s;
    double rank_time_s; /* mean over the ranks */
    gint64 slowest;
};

/* ---- numbers for people ---------------------------------------------------------------------- */

static char *time_text(double time_s)
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}, {1.0, "s"}};
    if (time_s == 0) return g_strdup("0");
    size_t i = 0;
    while (i + 1 < G_N_ELEMENTS(units) && fabs(time_s) >= 999.95 * units[i].scale) i++;
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(text, sizeof text, "%.4g", time_s / units[i].scale);
    return g_strdup_printf("%s %s", text, units[i].unit);
}

static char *part_text(double part, double whole)
{
    g_autofree char *time = time_text(part);
    return part == 0 || !(whole > 0) ? g_strdup(time)
                                     : g_strdup_printf("%s (%2.0f %%)", time, 100 * part / whole);
}

static char *count_text(gint64 n)
{
    g_autofree char *plain = g_strdup_printf("%" G_GINT64_FORMAT, n);
    GString *text = g_string_new(NULL);
    size_t length = strlen(plain);
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0 && plain[i - 1] != '-') g_string_append_c(text, ',');
        g_string_append_c(text, plain[i]);
    }
    return g_string_free(text, FALSE);
}

static char *share_text(gint64 part, gint64 whole)
{
    return whole > 0 ? g_strdup_printf("%.1f %%", 100.0 * (double)part / (double)whole)
                     : g_strdup("-");
}

/* ---- reading --------------------------------------------------------------------------------- */

static double number(JsonObject *object, const char *key)
{
    JsonNode *node = json_object_get_member(object, key);
    if (!node || !JSON_NODE_HOLDS_VALUE(node)) return 0;
    return json_node_get_value_type(node) == G_TYPE_INT64 ? (double)json_node_get_int(node)
                                                          : json_node_get_double(node);
}

static gint64 integer(JsonObject *object, const char *key)
{
    JsonNode *node = json_object_get_member(object, key);
    return node && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_int(node) : 0;
}

static JsonArray *array(JsonObject *object, const char *key)
{
    JsonNode *node = json_object_get_member(object, key);
    return node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

static guint length(JsonArray *list) { return list ? json_array_get_length(list) : 0; }

static JsonObject *element(JsonArray *list, guint i)
{
    JsonNode *node = json_array_get_element(list, i);
    return JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static void read_caches(struct run *run, JsonArray *caches)
{
    for (guint i = 0; i < length(caches); i++) {
        JsonObject *cache = element(caches, i);
        if (!cache || integer(cache, "level") != 1) continue;
        run->loads += integer(cache, "loads");
        run->stores += integer(cache, "stores");
        run->load_misses += integer(cache, "load_misses");
        run->store_misses += integer(cache, "store_misses");
        run->invalidations += integer(cache, "invalidations");
    }
}

static void read_ranks(struct run *run, JsonArray *ranks)
{
    double n = length(ranks), slowest_s = -1;
    for (guint i = 0; i < length(ranks); i++) {
        JsonObject *rank = element(ranks, i);
        if (!rank) continue;
        double time_s = number(rank, "time_s");
        if (time_s > slowest_s) slowest_s = time_s, run->slowest = integer(rank, "rank");
        run->rank_time_s += time_s / n;
        run->compute_s += number(rank, "compute_s") / n;
        run->memory_s += number(rank, "memory_s") / n;
        run->service_s += number(rank, "service_s") / n;
        run->wait_s += number(rank, "wait_s") / n;
        run->stale_loads += integer(rank, "stale_loads");
        read_caches(run, array(rank, "cache"));
    }
}

/* Control messages are the machine's own, not operations of the program. */
static void read_operations(struct run *run, JsonArray *kinds)
{
    double latency_sum_s = 0, delay_sum_s = 0;
    for (guint i = 0; i < length(kinds); i++) {
        JsonObject *kind = element(kinds, i);
        if (!kind ||
            g_strcmp0(json_object_get_string_member_with_default(kind, "kind", ""), "control") == 0)
            continue;
        gint64 count = integer(kind, "count");
        run->operations += count;
        run->operation_bytes += integer(kind, "bytes");
        latency_sum_s += (double)count * number(kind, "mean_latency_s");
        delay_sum_s += (double)count * number(kind, "mean_service_delay_s");
    }
    if (run->operations > 0) {
        run->latency_s = latency_sum_s / (double)run->operations;
        run->service_delay_s = delay_sum_s / (double)run->operations;
    }
}

/* json-glib reads lists in lists by recursion, a run's JSON has few. */
static bool is_shallow(const char *text)
{
    enum { DEEP = 100 };
    int depth = 0;
    bool quoted = false;
    for (; *text && depth < DEEP; text++) {
        if (quoted && *text == '\\' && text[1])
            text++;
        else if (*text == '"')
            quoted = !quoted;
        else if (!quoted)
            depth += (*text == '[' || *text == '{') - (*text == ']' || *text == '}');
    }
    return depth < DEEP;
}

static bool has(JsonObject *root, const char *key, JsonNodeType type)
{
    JsonNode *node = json_object_get_member(root, key);
    if (!node || JSON_NODE_TYPE(node) != type) return false;
    return type != JSON_NODE_VALUE || json_node_get_value_type(node) == G_TYPE_STRING;
}

static bool is_run(JsonNode *root)
{
    if (!root || !JSON_NODE_HOLDS_OBJECT(root)) return false;
    JsonObject *object = json_node_get_object(root);
    return has(object, "sidewinder", JSON_NODE_VALUE) && has(object, "machine", JSON_NODE_VALUE) &&
           has(object, "rank", JSON_NODE_ARRAY);
}

static JsonParser *parse(const char *path, GError **error)
{
    g_autoptr(JsonParser) parser = json_parser_new_immutable();
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, error)) return NULL;
    if (is_shallow(text) && !json_parser_load_from_data(parser, text, -1, error)) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    if (is_run(json_parser_get_root(parser))) return g_steal_pointer(&parser);
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                "%s: not a run's JSON (sidewinder run --json FILE writes one)", path);
    return NULL;
}

static bool read_run(struct run *run, const char *path, GError **error)
{
    g_autoptr(JsonParser) parser = parse(path, error);
    if (!parser) return false;
    JsonObject *root = json_node_get_object(json_parser_get_root(parser));
    run->name = g_strdup(json_object_get_string_member_with_default(root, "machine", "?"));
    run->ranks = integer(root, "ranks");
    run->time_s = number(root, "time_s");
    run->violations = length(array(root, "violations"));
    read_ranks(run, array(root, "rank"));
    read_operations(run, array(root, "operations"));
    return true;
}

/* Runs of one machine are told apart by their files' names. */
static void name_columns(struct run *run, int runs, char **path)
{
    g_autofree bool *twin = g_new0(bool, runs);
    for (int i = 0; i < runs; i++)
        for (int k = 0; k < runs; k++)
            twin[i] = twin[i] || (i != k && strcmp(run[i].name, run[k].name) == 0);
    for (int i = 0; i < runs; i++) {
        if (!twin[i]) continue;
        g_free(run[i].name);
        run[i].name = g_path_get_basename(path[i]);
        if (g_str_has_suffix(run[i].name, ".json")) run[i].name[strlen(run[i].name) - 5] = '\0';
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

static char *row_time(const struct run *r) { return time_text(r->time_s); }
static char *row_compute(const struct run *r) { return part_text(r->compute_s, r->rank_time_s); }
static char *row_memory(const struct run *r) { return part_text(r->memory_s, r->rank_time_s); }
static char *row_service(const struct run *r) { return part_text(r->service_s, r->rank_time_s); }
static char *row_wait(const struct run *r) { return part_text(r->wait_s, r->rank_time_s); }
static char *row_slowest(const struct run *r)
{
    return g_strdup_printf("%" G_GINT64_FORMAT, r->slowest);
}
static char *row_ranks(const struct run *r) { return count_text(r->ranks); }
static char *row_operations(const struct run *r) { return count_text(r->operations); }
static char *row_bytes(const struct run *r) { return count_text(r->operation_bytes); }
static char *row_latency(const struct run *r)
{
    return r->operations ? time_text(r->latency_s) : g_strdup("-");
}
static char *row_delay(const struct run *r)
{
    return r->operations ? time_text(r->service_delay_s) : g_strdup("-");
}
static char *row_loads(const struct run *r) { return count_text(r->loads + r->stores); }
static char *row_misses(const struct run *r) { return share_text(r->load_misses, r->loads); }
static char *row_invalidations(const struct run *r) { return count_text(r->invalidations); }
static char *row_stale(const struct run *r)
{
    return r->stale_loads ? count_text(r->stale_loads) : g_strdup("none");
}
static char *row_violations(const struct run *r)
{
    return r->violations ? count_text(r->violations) : g_strdup("none");
}

static const struct row {
    const char *question;
    char *(*answer)(const struct run *);
} rows[] = {
    {"ranks", row_ranks},
    {"predicted time", row_time},
    {"slowest rank", row_slowest},
    {"where a rank's time went, on average", NULL},
    {"  computing", row_compute},
    {"  memory", row_memory},
    {"  serving others", row_service},
    {"  waiting", row_wait},
    {"one-sided operations", NULL},
    {"  how many", row_operations},
    {"  bytes moved", row_bytes},
    {"  latency, mean", row_latency},
    {"  of it, waiting to be served", row_delay},
    {"caches nearest the processors", NULL},
    {"  loads and stores", row_loads},
    {"  loads that missed", row_misses},
    {"  lines lost to others", row_invalidations},
    {"loads of old values (stale)", row_stale},
    {"broken rules", row_violations},
};

static glong width_of(const char *text) { return g_utf8_strlen(text, -1); }

static void print_table(const struct run *run, int runs, FILE *out)
{
    enum { ROWS = G_N_ELEMENTS(rows) };
    g_autofree glong *width = g_new0(glong, runs + 1);
    g_autoptr(GPtrArray) cell = g_ptr_array_new_with_free_func(g_free);
    for (int c = 0; c < runs; c++) width[c + 1] = width_of(run[c].name);
    for (int i = 0; i < ROWS; i++) {
        width[0] = MAX(width[0], width_of(rows[i].question));
        for (int c = 0; c < runs; c++) {
            char *text = rows[i].answer ? rows[i].answer(&run[c]) : g_strdup("");
            width[c + 1] = MAX(width[c + 1], width_of(text));
            g_ptr_array_add(cell, text);
        }
    }
    fprintf(out, "%*s", (int)width[0], "");
    glong rule = width[0];
    for (int c = 0; c < runs; c++) {
        fprintf(out, "%*s%s", COLUMN_GAP + (int)(width[c + 1] - width_of(run[c].name)), "",
                run[c].name);
        rule += COLUMN_GAP + width[c + 1];
    }
    fputc('\n', out);
    for (glong i = 0; i < rule; i++) fputs("─", out);
    fputc('\n', out);
    for (int i = 0; i < ROWS; i++) {
        fputs(rows[i].question, out);
        if (rows[i].answer) fprintf(out, "%*s", (int)(width[0] - width_of(rows[i].question)), "");
        for (int c = 0; c < runs && rows[i].answer; c++) {
            const char *text = cell->pdata[i * runs + c];
            fprintf(out, "%*s%s", COLUMN_GAP + (int)(width[c + 1] - width_of(text)), "", text);
        }
        fputc('\n', out);
    }
}

bool cli_compare_table(char **path, char **name, int runs, GError **error)
{
    struct run *run = g_new0(struct run, runs);
    bool fine = true;
    for (int i = 0; i < runs && fine; i++) fine = read_run(&run[i], path[i], error);
    if (fine && !name) name_columns(run, runs, path);
    for (int i = 0; i < runs && fine && name; i++) {
        g_free(run[i].name);
        run[i].name = g_strdup(name[i]);
    }
    if (fine) print_table(run, runs, stdout);
    for (int i = 0; i < runs; i++) g_free(run[i].name);
    g_free(run);
    return fine;
}

/* ---- one value ------------------------------------------------------------------------------- */

/* Prints what `key` names in each file, a line each: "time_s", "rank[1].service_s",
 * "operations[put].count". */
static bool print_key(const char *key, char **path, int paths, GError **error)
{
    for (int i = 0; i < paths; i++) {
        g_autoptr(JsonParser) parser = parse(path[i], error);
        if (!parser) return false;
        g_autoptr(GPtrArray) found = cli_value_find(json_parser_get_root(parser), key, error);
        if (found && !found->len && !cli_value_none_chosen(json_parser_get_root(parser), key))
            g_set_error(error, BASE_ERROR, BASE_ERROR_UNKNOWN, "it is not in %s", path[i]);
        if (!found || *error) {
            g_prefix_error(error, "--key %s: ", key);
            return false;
        }
        for (guint k = 0; k < found->len; k++) {
            g_autofree char *value = cli_value_text(found->pdata[k]);
            puts(value);
        }
    }
    return true;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int fail(const GError *error, enum cli_exit code)
{
    fprintf(stderr, "sidewinder compare: %s\n", error->message);
    return code;
}

int cli_compare(int argc, char **argv)
{
    g_autofree char *key = NULL;
    gboolean help = FALSE;
    const GOptionEntry entries[] = {{"key", 'k', 0, G_OPTION_ARG_STRING, &key,
                                     "Print this value of each file instead, a line each", "KEY"},
                                    {"help", 'h', 0, G_OPTION_ARG_NONE, &help, "This text", NULL},
                                    G_OPTION_ENTRY_NULL};
    g_autoptr(GError) error = NULL;
    g_autoptr(GOptionContext) context = g_option_context_new("A.json B.json…");
    g_option_context_add_main_entries(context, entries, NULL);
    /* printed here: g_print would ask the locale */
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_set_summary(
        context,
        "Puts runs side by side: one column for each file that sidewinder run --json wrote.");
    g_option_context_set_description(
        context, "Examples:\n  sidewinder compare t3d.json smp.json now.json\n"
                 "  sidewinder compare --key 'rank[1].service_s' now.json\n"
                 "  sidewinder compare --key 'operations[put].mean_latency_s' t3d.json now.json\n");
    g_set_prgname("sidewinder compare");
    if (!g_option_context_parse(context, &argc, &argv, &error)) return fail(error, CLI_USAGE);
    if (help) {
        g_autofree char *text = g_option_context_get_help(context, TRUE, NULL);
        fputs(text, stdout);
        return CLI_DONE;
    }
    int runs = argc - 1;
    if (runs < 1) {
        g_set_error(&error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "which runs? sidewinder compare A.json B.json…");
        return fail(error, CLI_USAGE);
    }
    bool good = key ? print_key(key, argv + 1, runs, &error)
                    : cli_compare_table(argv + 1, NULL, runs, &error);
    return good ? CLI_DONE : fail(error, CLI_FAILED);
}
