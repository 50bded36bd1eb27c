/* Reading a run's JSON for `sidewinder compare`: only the stable keys that the report writes, so
 * that runs of other versions can be compared as well. */
#include "cli/compare/parts.h"

#include <math.h>
#include <string.h>

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

static void read_caches(struct cli_compare_run *run, JsonArray *caches)
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

static void read_ranks(struct cli_compare_run *run, JsonArray *ranks)
{
    double n = length(ranks), least_s = HUGE_VAL;
    for (guint i = 0; i < length(ranks); i++) {
        JsonObject *rank = element(ranks, i);
        if (!rank) continue;
        /* MPI_Finalize makes all ranks end together: the slowest is who waited least. */
        double wait_s = number(rank, "wait_s");
        if (wait_s < least_s) least_s = wait_s, run->slowest = integer(rank, "rank");
        run->rank_time_s += number(rank, "time_s") / n;
        run->compute_s += number(rank, "compute_s") / n;
        run->memory_s += number(rank, "memory_s") / n;
        run->service_s += number(rank, "service_s") / n;
        run->wait_s += wait_s / n;
        run->stale_loads += integer(rank, "stale_loads");
        read_caches(run, array(rank, "cache"));
    }
}

/* Control messages are the machine's own, not operations of the program. */
static void read_operations(struct cli_compare_run *run, JsonArray *kinds)
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

/* json-glib parses nested lists recursively; a run's JSON has few levels. */
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

JsonParser *cli_compare_parse(const char *path, GError **error)
{
    g_autoptr(JsonParser) parser = json_parser_new_immutable();
    g_autofree char *text = NULL;
    if (!base_read(path, &text, NULL, error)) return NULL;
    if (is_shallow(text) && json_parser_load_from_data(parser, text, -1, NULL) &&
        is_run(json_parser_get_root(parser)))
        return g_steal_pointer(&parser);
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                "%s: not a run's JSON (sidewinder run --json FILE writes one)", path);
    return NULL;
}

/* The others are those of the check, which it counts. */
static gint64 violations_of_calls(JsonArray *all, JsonObject *check)
{
    return length(all) -
           (check ? integer(check, "errors") + integer(check, "separate") + integer(check, "notes")
                  : 0);
}

bool cli_compare_read(struct cli_compare_run *run, const char *path, GError **error)
{
    g_autoptr(JsonParser) parser = cli_compare_parse(path, error);
    if (!parser) return false;
    JsonObject *root = json_node_get_object(json_parser_get_root(parser));
    run->name = g_strdup(json_object_get_string_member_with_default(root, "machine", "?"));
    run->ranks = integer(root, "ranks");
    run->time_s = number(root, "time_s");
    JsonObject *check =
        json_object_has_member(root, "check") ? json_object_get_object_member(root, "check") : NULL;
    run->violations = violations_of_calls(array(root, "violations"), check);
    run->check_errors = check ? integer(check, "errors") : -1;
    read_ranks(run, array(root, "rank"));
    read_operations(run, array(root, "operations"));
    return true;
}
