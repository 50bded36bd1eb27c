/* A machine's runs: `sidewinder run --check` of the program as it is, and again with a pair of
 * accesses watched and forced into order. */
#include "cli/check/column.h"
#include "cli/check/bytes.h"
#include "cli/common/child.h"
#include "cli/common/machine.h"

#include <stdio.h>
#include <string.h>

/* Runs the program; pair NULL: none is watched. Its report, NULL: there is none. */
static JsonParser *start(struct cli_check_column *c, const struct cli_check_runs *runs,
                         const char *how, const char *pair)
{
    g_autoptr(GPtrArray) argv = g_ptr_array_new();
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL),
                    *json = g_strdup_printf("%s/%d.json", runs->folder, c->which),
                    *out =
                        g_strdup_printf("%s/%d.%s", runs->folder, c->which, pair ? "again" : "out"),
                    *err = g_strdup_printf("%s/%d.err", runs->folder, c->which);
    char *fixed[] = {self, "run", "-q", "--check", "-n", (char *)runs->ranks, "--json", json, "-m"};
    for (size_t i = 0; i < G_N_ELEMENTS(fixed); i++) g_ptr_array_add(argv, fixed[i]);
    for (char **w = c->machine; *w; w++) g_ptr_array_add(argv, *w);
    if (runs->rules) g_ptr_array_add(argv, "--rules"), g_ptr_array_add(argv, (char *)runs->rules);
    if (pair) g_ptr_array_add(argv, (char *)how), g_ptr_array_add(argv, (char *)pair);
    g_ptr_array_add(argv, "--");
    for (char **w = runs->program; *w; w++) g_ptr_array_add(argv, *w);
    g_ptr_array_add(argv, NULL);
    remove(json);
    c->status = cli_child_run_quietly((char **)argv->pdata, runs->folder, out, err);
    if (!pair) c->out = g_steal_pointer(&out);
    if (!pair) c->why = g_strchomp(cli_child_printed(err));
    g_autoptr(JsonParser) parser = json_parser_new();
    if (g_file_test(json, G_FILE_TEST_EXISTS) && json_parser_load_from_file(parser, json, NULL))
        return g_steal_pointer(&parser);
    return NULL;
}

void cli_check_run(struct cli_check_column *c, const struct cli_check_runs *runs)
{
    const char *last = strrchr(c->name, ' ');
    g_autofree char *copy = g_strdup_printf("%d.xml", c->which);
    g_autoptr(GError) error = NULL;
    c->title = g_strdup(last ? last + 1 : c->name);
    g_shell_parse_argv(c->name, NULL, &c->machine, NULL); /* read when the command line was */
    if (!cli_machine_keep(&c->machine[0], runs->folder, copy, &error)) {
        c->why = g_strdup(error->message), c->printed = g_strdup("");
        return;
    }
    c->parser = start(c, runs, NULL, NULL);
    c->printed = cli_child_printed(c->out);
}

void cli_check_column_clear(struct cli_check_column *c)
{
    g_clear_object(&c->parser);
    g_strfreev(c->machine);
    g_free(c->title), g_free(c->out);
    g_free(c->printed), g_free(c->why);
}

/* ---- what a run reports ---------------------------------------------------------------------- */

static JsonObject *root(JsonParser *parser)
{
    return json_node_get_object(json_parser_get_root(parser));
}

JsonObject *cli_check_root(const struct cli_check_column *c) { return root(c->parser); }

JsonArray *cli_check_list(const struct cli_check_column *c, const char *key)
{
    return json_object_get_array_member(root(c->parser), key);
}

const char *cli_check_word(JsonObject *object, const char *key)
{
    JsonNode *node = object ? json_object_get_member(object, key) : NULL;
    return node && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node) : NULL;
}

JsonObject *cli_check_inner(JsonObject *object, const char *key)
{
    JsonNode *node = json_object_get_member(object, key);
    return node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

/* ---- a pair forced into order ---------------------------------------------------------------- */

static JsonObject *watched(JsonParser *parser)
{
    JsonObject *check = parser ? cli_check_inner(root(parser), "check") : NULL;
    if (!check || !json_object_has_member(check, "pairs")) return NULL;
    return json_array_get_object_element(json_object_get_array_member(check, "pairs"), 0);
}

/* turned: the run was asked for the sides the other way round. */
static struct cli_check_bytes bytes_of(JsonParser *parser, bool forced, bool turned)
{
    JsonObject *pair = watched(parser);
    if (!pair) return (struct cli_check_bytes){.known = false};
    const char *first = cli_check_word(pair, "first_read"),
               *then = cli_check_word(pair, "then_read");
    return (struct cli_check_bytes){
        .known = json_object_get_boolean_member(pair, forced ? "ordered" : "met"),
        .lost = json_object_get_boolean_member(pair, "lost"),
        .read = {turned ? then : first, turned ? first : then},
        .memory = cli_check_word(pair, "memory"),
        .load = cli_check_word(pair, "load")};
}

char *cli_check_forced(const struct cli_check_column *column, const struct cli_check_runs *runs,
                       const char *pair, bool *forced, int *stopped)
{
    struct cli_check_column c = *column;
    *forced = false;
    g_autoptr(JsonParser) as_is = start(&c, runs, "--pair", pair);
    *stopped = cli_child_stopped(c.status);
    const char *met = cli_check_word(watched(as_is), "pair");
    if (*stopped || !met) return NULL;
    g_auto(GStrv) part = g_strsplit(met, ":", 3);
    struct cli_check_sides sides = {.buffer = part[0][0] == '-'};
    for (int s = 0; s < 2; s++) sides.rank[s] = atoi(part[s + 1]);
    JsonParser *ordered[2] = {NULL, NULL};
    struct cli_check_bytes bytes[2] = {{.known = false}};
    for (int s = 0; s < (sides.buffer ? 1 : 2) && !*stopped; s++) {
        g_autofree char *order = g_strjoin(":", part[0], part[1 + s], part[2 - s], NULL);
        ordered[s] = start(&c, runs, "--order", order);
        *stopped = cli_child_stopped(c.status);
        bytes[s] = bytes_of(ordered[s], true, s == 1);
        *forced = *forced || bytes[s].known;
    }
    const struct cli_check_bytes plain = bytes_of(as_is, false, false);
    char *effect = *stopped ? NULL : cli_check_effect(&sides, &plain, bytes);
    for (int s = 0; s < 2; s++) g_clear_object(&ordered[s]);
    return effect;
}
